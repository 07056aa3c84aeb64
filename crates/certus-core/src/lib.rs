//! The kernels of certus: slices in, `Vec` out. No Python, no printing.
#![forbid(unsafe_code)]

pub mod bootstrap;
pub mod chance;
pub mod clustering;
pub mod exact;
pub mod families;
#[cfg(test)]
#[allow(clippy::panic)]
mod fuzz;
pub mod interrupt;
pub mod labels;
pub mod moments;
pub mod multilabel;
pub mod probabilities;
pub mod ranking;
pub mod read;
pub mod regression;
pub mod scores;
pub mod signflip;
mod simd;
pub mod special;
pub mod threads;
mod underflow;
