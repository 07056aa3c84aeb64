//! Reading qrels and runs.

mod ahead;
mod files;
mod held;
mod ranked;
mod rows;

pub use ahead::Ahead;
pub use files::*;
pub use held::*;
pub use ranked::*;

use certus_core::read::ReadError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

fn refuse(error: ReadError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
