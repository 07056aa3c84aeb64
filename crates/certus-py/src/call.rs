//! How kernels are called: without the GIL, and such that Python's signals are heard.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use certus_core::interrupt::{self, Reason};
use pyo3::prelude::*;

/// Runs `kernel` without the GIL. Python's signal handlers run meanwhile, on this thread if it is the main one; an
/// exception that one of them raises (`KeyboardInterrupt` after Ctrl-C) ends the kernel and is returned.
pub fn call<T: Send>(py: Python<'_>, kernel: impl FnOnce() -> T + Send) -> PyResult<T> {
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(|| interrupt::watch(raised, kernel))));
    match done.map_err(|reason| reason.downcast::<PyErr>()) {
        Ok(result) => Ok(result),
        Err(Ok(error)) => Err(*error),
        Err(Err(panic)) => resume_unwind(panic),
    }
}

fn raised() -> Option<Reason> {
    let error = Python::attach(|py| py.check_signals()).err()?;
    Some(Box::new(error))
}
