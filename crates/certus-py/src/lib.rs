//! The Python binding of certus-core: borrow, release the GIL, call, return.

mod bootstrap;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    use super::*;

    #[pymodule_export]
    use super::bootstrap::{resample_counts, resample_sums};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
