//! Reading qrels and runs.

mod files;
mod held;
mod ranked;
mod rows;

pub use files::*;
pub use held::*;
pub use ranked::*;

use certus_core::read::ReadError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A `ValueError` of three arguments: what was found, the remedy and the place, of which `DataError` is made.
fn refuse(error: ReadError) -> PyErr {
    let place = error.place();
    PyValueError::new_err((error.found, error.remedy, place))
}
