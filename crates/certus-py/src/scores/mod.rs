//! The score kernels for Python.

mod metric;
mod order;
mod parts;
mod sides;
mod sorting;
mod wide;

pub use metric::*;
pub use order::*;
pub use parts::*;
pub use sides::*;
pub use wide::{Column, Table, Wide};
