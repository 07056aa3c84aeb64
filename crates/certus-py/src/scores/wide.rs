//! Scores as float32 or float64, and kernels that are generic in that.

use numpy::ndarray::{Dimension, Ix1, Ix2};
use numpy::{PyArray, PyArrayMethods, PyReadonlyArray};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Scores in their own width, in `D` dimensions.
pub enum Wide<'py, D: Dimension> {
    Single(PyReadonlyArray<'py, f32, D>),
    Double(PyReadonlyArray<'py, f64, D>),
}

/// Scores in their own width.
pub type Column<'py> = Wide<'py, Ix1>;
/// Scores in their own width, one row per sample.
pub type Table<'py> = Wide<'py, Ix2>;

// Not derived: that would write a message about float32 for every array of float64, which takes longer than a small metric.
impl<'py, D: Dimension> FromPyObject<'_, 'py> for Wide<'py, D> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(scores) = object.cast::<PyArray<f64, D>>() {
            Ok(Self::Double(scores.try_readonly()?))
        } else if let Ok(scores) = object.cast::<PyArray<f32, D>>() {
            Ok(Self::Single(scores.try_readonly()?))
        } else {
            Err(PyTypeError::new_err(
                "scores must be arrays of float32 or float64",
            ))
        }
    }
}

/// The scores, none of them NaN: the kernels that merge two sorted sides do not end on it.
pub(super) fn ordered<'a, T, D>(scores: &'a PyReadonlyArray<'_, T, D>) -> PyResult<&'a [T]>
where
    T: numpy::Element + PartialOrd,
    D: Dimension,
{
    let scores = scores.as_slice()?;
    // No early end: this way the pass is vectorised.
    #[expect(clippy::eq_op)]
    let undefined = scores.iter().fold(false, |any, s| any | (s != s));
    if undefined {
        return Err(PyValueError::new_err("scores must not be NaN"));
    }
    Ok(scores)
}

/// The value of an expression for scores of either width: of one array, or of two of the same width.
macro_rules! on_width {
    ($scores:expr, |$s:ident| $body:expr) => {
        match &$scores {
            $crate::scores::Wide::Single(scores) => {
                let $s = $crate::scores::wide::ordered(scores)?;
                $body
            }
            $crate::scores::Wide::Double(scores) => {
                let $s = $crate::scores::wide::ordered(scores)?;
                $body
            }
        }
    };
    ($positives:expr, $negatives:expr, |$p:ident, $n:ident| $body:expr) => {
        match (&$positives, &$negatives) {
            ($crate::scores::Wide::Single(p), $crate::scores::Wide::Single(n)) => {
                let ($p, $n) = (
                    $crate::scores::wide::ordered(p)?,
                    $crate::scores::wide::ordered(n)?,
                );
                $body
            }
            ($crate::scores::Wide::Double(p), $crate::scores::Wide::Double(n)) => {
                let ($p, $n) = (
                    $crate::scores::wide::ordered(p)?,
                    $crate::scores::wide::ordered(n)?,
                );
                $body
            }
            _ => Err(pyo3::exceptions::PyValueError::new_err(
                "positives and negatives must be of one width",
            )),
        }
    };
}

pub(crate) use on_width;
