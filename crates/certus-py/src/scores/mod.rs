//! The score kernels for Python.

mod metric;
mod order;
mod sides;
mod wide;

pub use metric::*;
pub use order::*;
pub use sides::*;
pub use wide::{Column, Table, Wide};
