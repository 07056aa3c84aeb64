//! Probabilities of a class and whether it was the true one: losses and bins.

mod bins;
mod log_loss;
mod logarithm;

pub use bins::{Bins, uniform_bins};
pub use log_loss::{LogLoss, Probabilities, log_loss, log_losses};
