//! The Python binding of certus-core: borrow, release the GIL, call, return.

use pyo3::prelude::*;

mod ranking;

#[pymodule]
mod _core {
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        ranking::register(module)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
