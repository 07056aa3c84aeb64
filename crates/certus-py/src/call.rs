//! How kernels are called: without the GIL, and such that Python's signals are heard.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use certus_core::interrupt::{self, Reason};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Runs `kernel` without the GIL. Python's signal handlers run meanwhile, on this thread if it is the main one; an
/// exception that one of them raises (`KeyboardInterrupt` after Ctrl-C) ends the kernel and is returned. A panic is a
/// `RuntimeError`: pyo3's own exception for it passes by `except Exception`.
pub fn call<T: Send>(py: Python<'_>, kernel: impl FnOnce() -> T + Send) -> PyResult<T> {
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(|| interrupt::watch(raised, kernel))));
    match done.map_err(|reason| reason.downcast::<PyErr>()) {
        Ok(result) => Ok(result),
        Err(Ok(error)) => Err(*error),
        Err(Err(panic)) => Err(PyRuntimeError::new_err(format!(
            "a kernel of certus failed ({}); please report this",
            said(&*panic)
        ))),
    }
}

/// What a panic says.
fn said(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref().copied())
        .unwrap_or("a panic")
}

fn raised() -> Option<Reason> {
    let error = Python::attach(|py| py.check_signals()).err()?;
    Some(Box::new(error))
}
