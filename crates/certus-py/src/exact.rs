//! Exact sums for Python.

use certus_core::exact::{self, CHUNKS, Sum};
use certus_core::regression;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::call::call;
use crate::regression::term;

type Column<'py> = PyReadonlyArray1<'py, f64>;

#[pyfunction]
#[pyo3(signature = (values, *, over = 0))]
pub fn exact_sum(py: Python<'_>, values: Column<'_>, over: u32) -> PyResult<f64> {
    let values = values.as_slice()?;
    call(py, || exact::of_values(values).rounded_over(over))
}

#[pyfunction]
pub fn exact_dot(py: Python<'_>, a: Column<'_>, b: Column<'_>) -> PyResult<f64> {
    let (a, b) = (a.as_slice()?, b.as_slice()?);
    call(py, || exact::of_products(a, b))?
        .map(|sum| sum.rounded())
        .map_err(PyValueError::new_err)
}

#[pyfunction]
pub fn exact_sum_by_code<'py>(
    py: Python<'py>,
    codes: PyReadonlyArray1<'py, i64>,
    values: Column<'py>,
    size: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (codes, values) = (codes.as_slice()?, values.as_slice()?);
    call(py, || exact::by_code(codes, values, size))?
        .map(|sums| PyArray1::from_vec(py, sums))
        .map_err(PyValueError::new_err)
}

/// Exact sums that grow by batches and are merged.
#[pyclass(module = "certus._core")]
#[derive(Clone)]
pub struct ExactSums(Vec<Sum>);

#[pymethods]
impl ExactSums {
    #[new]
    fn new(size: usize) -> Self {
        Self(vec![Sum::default(); size])
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// Adds numbers to one of the sums.
    fn add(&mut self, place: usize, values: Column<'_>) -> PyResult<()> {
        let values = values.as_slice()?;
        let sum = self.at(place)?;
        sum.merge(&exact::of_values(values));
        Ok(())
    }

    /// Adds the products of pairs of numbers to one of the sums.
    fn add_products(&mut self, place: usize, a: Column<'_>, b: Column<'_>) -> PyResult<()> {
        let more =
            exact::of_products(a.as_slice()?, b.as_slice()?).map_err(PyValueError::new_err)?;
        self.at(place)?.merge(&more);
        Ok(())
    }

    /// Adds the first to fourth powers of numbers to four of the sums.
    fn add_powers(&mut self, place: usize, values: Column<'_>) -> PyResult<()> {
        let values = values.as_slice()?;
        self.at(place.saturating_add(3))?;
        for (sum, more) in self.0[place..].iter_mut().zip(exact::powers(values)) {
            sum.merge(&more);
        }
        Ok(())
    }

    /// Adds terms of pairs of numbers, one to each of the sums; the least and the greatest number of each.
    fn add_terms(
        &mut self,
        py: Python<'_>,
        truth: Column<'_>,
        predicted: Column<'_>,
        names: Vec<String>,
        numbers: [f64; 5],
    ) -> PyResult<Vec<(f64, f64)>> {
        let terms: Vec<_> = names
            .iter()
            .map(|name| term(name, numbers))
            .collect::<PyResult<_>>()?;
        self.at(terms.len().saturating_sub(1))?;
        let (truth, predicted) = (truth.as_slice()?, predicted.as_slice()?);
        let found = call(py, || regression::totals(truth, predicted, &terms))?
            .map_err(PyValueError::new_err)?;
        for (sum, more) in self.0.iter_mut().zip(&found) {
            sum.merge(&more.sum);
        }
        Ok(found
            .iter()
            .map(|each| (each.least, each.greatest))
            .collect())
    }

    /// Adds the second to fourth powers of the distances of a term from a mean to the first three sums.
    #[allow(clippy::too_many_arguments)]
    fn add_powers_about(
        &mut self,
        py: Python<'_>,
        truth: Column<'_>,
        predicted: Column<'_>,
        name: &str,
        numbers: [f64; 5],
        mean: f64,
        farthest: f64,
    ) -> PyResult<()> {
        self.at(2)?;
        let term = term(name, numbers)?;
        let (truth, predicted) = (truth.as_slice()?, predicted.as_slice()?);
        let found = call(py, || {
            regression::powers(truth, predicted, term, mean, farthest)
        })?
        .map_err(PyValueError::new_err)?;
        for (sum, more) in self.0.iter_mut().zip(&found) {
            sum.merge(more);
        }
        Ok(())
    }

    fn merge(&mut self, other: &Self) -> PyResult<()> {
        if self.0.len() != other.0.len() {
            return Err(PyValueError::new_err(format!(
                "{} sums do not merge with {}",
                self.0.len(),
                other.0.len()
            )));
        }
        for (sum, more) in self.0.iter_mut().zip(&other.0) {
            sum.merge(more);
        }
        Ok(())
    }

    /// Each sum as the nearest float.
    fn rounded(&self) -> Vec<f64> {
        self.0.iter().map(Sum::rounded).collect()
    }

    /// The parts of all sums: of each its chunks of 32 bits from 2**-1074 upwards, and the marks of what is not finite.
    fn parts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let parts = self.0.iter().flat_map(|sum| {
            let (chunks, special) = sum.parts();
            chunks.into_iter().chain([i64::from(special)])
        });
        PyArray1::from_iter(py, parts)
    }

    /// The sums of these parts.
    #[staticmethod]
    fn of_parts(parts: PyReadonlyArray1<'_, i64>) -> PyResult<Self> {
        let wrong = || PyValueError::new_err("these are not the parts of exact sums");
        let parts = parts.as_slice()?;
        if !parts.len().is_multiple_of(CHUNKS + 1) {
            return Err(wrong());
        }
        let sums = parts.chunks_exact(CHUNKS + 1).map(|part| {
            let chunks = part[..CHUNKS].try_into().ok()?;
            Sum::of_parts(chunks, u8::try_from(part[CHUNKS]).ok()?)
        });
        Ok(Self(sums.collect::<Option<_>>().ok_or_else(wrong)?))
    }
}

impl ExactSums {
    fn at(&mut self, place: usize) -> PyResult<&mut Sum> {
        let size = self.0.len();
        let wrong = || PyValueError::new_err(format!("there are {size} sums, not one at {place}"));
        self.0.get_mut(place).ok_or_else(wrong)
    }
}
