//! Ranking metrics over judged retrieved documents.

mod lists;

pub use lists::{List, Lists};
