//! The Python binding of certus-core: borrow, release the GIL, call, return.

mod bootstrap;
mod labels;
mod ranking;
mod read;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    use super::*;

    #[pymodule_export]
    use super::bootstrap::{resample_counts, resample_sums};
    #[pymodule_export]
    use super::labels::{count_pairs, intern_rows, intern_strings, sum_pairs};
    #[pymodule_export]
    use super::read::{Qrels, Ranked, Run, rank_file, rank_run, read_bytes, show, sniff};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        ranking::register(module)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
