//! The engine of random rankings for Python.

use std::sync::Arc;

use certus_core::chance::{self as core, Gain, Joint, Law, Part, Refused, Source, Tied};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::call::call;

fn refused(error: Refused) -> PyErr {
    PyValueError::new_err(error.0)
}

type Values<'py> = Bound<'py, PyArray1<f64>>;
type Moments = (f64, f64, f64, f64, f64);

fn moments(at: core::Cumulants) -> Moments {
    (at.log, at.mean, at.var, at.third, at.fourth)
}

/// The law of a hit-additive sum.
#[pyclass(frozen, module = "certus._core")]
pub struct HitLaw(Arc<Law>);

#[pymethods]
impl HitLaw {
    #[staticmethod]
    fn times(items: usize, hits: usize, weights: PyReadonlyArray1<'_, f64>) -> PyResult<Self> {
        let law = Law::new(items, hits, Gain::Times(weights.as_slice()?.to_vec()));
        Ok(Self(Arc::new(law.map_err(refused)?)))
    }
    #[staticmethod]
    fn rank(items: usize, hits: usize, weights: PyReadonlyArray1<'_, f64>) -> PyResult<Self> {
        let law = Law::new(items, hits, Gain::Rank(weights.as_slice()?.to_vec()));
        Ok(Self(Arc::new(law.map_err(refused)?)))
    }
    #[staticmethod]
    fn first(items: usize, hits: usize, weights: PyReadonlyArray1<'_, f64>) -> PyResult<Self> {
        let law = Law::new(items, hits, Gain::First(weights.as_slice()?.to_vec()));
        Ok(Self(Arc::new(law.map_err(refused)?)))
    }
    #[staticmethod]
    fn above(items: usize, hits: usize, table: PyReadonlyArray1<'_, f64>) -> PyResult<Self> {
        let law = Law::new(items, hits, Gain::Above(table.as_slice()?.to_vec()));
        Ok(Self(Arc::new(law.map_err(refused)?)))
    }
    #[staticmethod]
    fn tied(
        items: usize,
        hits: usize,
        weights: PyReadonlyArray1<'_, f64>,
        sizes: Vec<usize>,
        kind: &str,
    ) -> PyResult<Self> {
        let tied = match kind {
            "average" => Tied::Average,
            "together" => Tied::Together,
            "rank" => Tied::Rank,
            _ => return Err(PyValueError::new_err(format!("no kind of ties is {kind}"))),
        };
        let law = Law::tied(items, hits, weights.as_slice()?, &sizes, tied);
        Ok(Self(Arc::new(law.map_err(refused)?)))
    }
    fn range(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        call(py, || self.0.range())
    }
    /// Logs of P(S > x) and P(S = x) from the rankings that reach x, or None.
    fn few_above(&self, py: Python<'_>, x: f64, limit: usize) -> PyResult<Option<(f64, f64)>> {
        call(py, || core::few_above(&self.0, x, limit))
    }
    fn halves(&self, py: Python<'_>, limit: usize) -> PyResult<HitHalves> {
        let halves = call(py, || core::Halves::new(&self.0, limit))?;
        Ok(HitHalves(halves.map_err(refused)?))
    }
}

/// Places of a second and a third hit with 2/s + 3/t at least `rest`, for each rest over its second ranks.
#[pyfunction]
#[pyo3(signature = (rests, low, high, *, last))]
pub fn pairs_at_least(
    py: Python<'_>,
    rests: PyReadonlyArray1<'_, f64>,
    low: PyReadonlyArray1<'_, u32>,
    high: PyReadonlyArray1<'_, u32>,
    last: u32,
) -> PyResult<u64> {
    let (rests, low, high) = (rests.as_slice()?, low.as_slice()?, high.as_slice()?);
    if low.len() != rests.len() || high.len() != rests.len() {
        return Err(PyValueError::new_err("arrays do not fit each other"));
    }
    call(py, || core::pairs_at_least(rests, low, high, last))
}

/// Pairs of a number of each ascending list with a sum of at least each goal.
#[pyfunction]
pub fn sums_at_least<'py>(
    py: Python<'py>,
    first: PyReadonlyArray1<'py, f64>,
    second: PyReadonlyArray1<'py, f64>,
    goals: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let (first, second, goals) = (first.as_slice()?, second.as_slice()?, goals.as_slice()?);
    let counts = call(py, || core::sums_at_least(first, second, goals))?;
    Ok(counts.into_pyarray(py))
}

/// The sums of the upper and the lower ranks.
#[pyclass(frozen, module = "certus._core")]
pub struct HitHalves(core::Halves);

#[pymethods]
impl HitHalves {
    /// P(S < x), P(S = x), P(S > x).
    fn count(&self, py: Python<'_>, x: f64) -> PyResult<(f64, f64, f64)> {
        let masses = call(py, || self.0.count(x))?;
        Ok((masses.below, masses.at, masses.above))
    }
    fn least_from(&self, py: Python<'_>, x: f64) -> PyResult<Option<f64>> {
        call(py, || self.0.least_from(x))
    }
    fn atoms<'py>(
        &self,
        py: Python<'py>,
        limit: usize,
    ) -> PyResult<Option<(Values<'py>, Values<'py>)>> {
        let Some(atoms) = call(py, || self.0.atoms(limit))? else {
            return Ok(None);
        };
        let (values, chances): (Vec<f64>, Vec<f64>) = atoms.into_iter().unzip();
        Ok(Some((values.into_pyarray(py), chances.into_pyarray(py))))
    }
}

/// One source of a sum: a law of hits, values with the logs of their chances, or a mixture of sources.
#[pyclass(frozen, module = "certus._core")]
pub struct HitSource(Source);

#[pymethods]
impl HitSource {
    #[staticmethod]
    fn hits(law: &HitLaw) -> Self {
        Self(Source::Hits(Arc::clone(&law.0)))
    }
    #[staticmethod]
    fn atoms(values: PyReadonlyArray1<'_, f64>, logs: PyReadonlyArray1<'_, f64>) -> PyResult<Self> {
        let (values, logs) = (values.as_slice()?.to_vec(), logs.as_slice()?.to_vec());
        Ok(Self(Source::Atoms { values, logs }))
    }
    #[staticmethod]
    fn mixture(terms: Vec<(f64, f64, PyRef<'_, HitSource>)>) -> Self {
        let terms = terms.into_iter();
        Self(Source::Mixture(
            terms
                .map(|(log, scale, source)| (log, scale, source.0.clone()))
                .collect(),
        ))
    }
}

/// A weighted sum of independent sources: each with its factor and how often it is repeated.
#[pyclass(frozen, module = "certus._core")]
pub struct HitSum(Joint);

#[pymethods]
impl HitSum {
    #[new]
    fn new(parts: Vec<(PyRef<'_, HitSource>, f64, u32)>) -> Self {
        let parts = parts.into_iter();
        Self(Joint::new(
            parts
                .map(|(source, scale, count)| Part {
                    source: source.0.clone(),
                    scale,
                    count,
                })
                .collect(),
        ))
    }
    fn range(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        call(py, || self.0.range())
    }
    /// Log of the generating function at a tilt; mean, variance, third and fourth central moment under it.
    #[pyo3(signature = (tilt, rough=false))]
    fn cumulants(&self, py: Python<'_>, tilt: f64, rough: bool) -> PyResult<Moments> {
        let found = call(py, || self.0.cumulants(tilt, rough))?;
        Ok(moments(found.map_err(refused)?))
    }
    fn tilted(&self, py: Python<'_>, tilt: f64) -> PyResult<HitTilted> {
        let found = call(py, || self.0.tilted(tilt))?;
        Ok(HitTilted(found.map_err(refused)?))
    }
}

/// A sum under a tilt.
#[pyclass(frozen, module = "certus._core")]
pub struct HitTilted(core::Tilted);

#[pymethods]
impl HitTilted {
    /// Log of the generating function.
    #[getter]
    fn log(&self) -> f64 {
        self.0.log()
    }
    /// States that one frequency visits.
    #[getter]
    fn cells(&self) -> usize {
        self.0.cells()
    }
    /// Real and imaginary parts of the characteristic function at the frequencies step * j, j from `first` on.
    fn characteristic<'py>(
        &self,
        py: Python<'py>,
        step: f64,
        first: usize,
        count: usize,
    ) -> PyResult<(Values<'py>, Values<'py>)> {
        let found = call(py, || self.0.characteristic(step, first, count))?;
        let (re, im): (Vec<f64>, Vec<f64>) = found.into_iter().unzip();
        Ok((re.into_pyarray(py), im.into_pyarray(py)))
    }
}

/// The transform of a sum over ranks that hold one of several gains each, summed over nodes: real and imaginary parts,
/// and the sizes of what the nodes at the edge add.
#[pyfunction]
#[pyo3(signature = (chances, sizes, *, u, angles, back_re, back_im, edge))]
#[expect(clippy::too_many_arguments, reason = "they are arrays of one call")]
pub fn conditional_transform<'py>(
    py: Python<'py>,
    chances: PyReadonlyArray2<'py, f64>,
    sizes: PyReadonlyArray2<'py, f64>,
    u: PyReadonlyArray1<'py, f64>,
    angles: PyReadonlyArray2<'py, f64>,
    back_re: PyReadonlyArray1<'py, f64>,
    back_im: PyReadonlyArray1<'py, f64>,
    edge: PyReadonlyArray1<'py, bool>,
) -> PyResult<(Values<'py>, Values<'py>, Values<'py>)> {
    let kinds = chances.as_array().ncols();
    let ranks = core::IndependentRanks {
        chances: chances.as_slice()?,
        sizes: sizes.as_slice()?,
        kinds,
    };
    let (u, angles, edge) = (u.as_slice()?, angles.as_slice()?, edge.as_slice()?);
    let (re, im) = (back_re.as_slice()?, back_im.as_slice()?);
    if ranks.sizes.len() != ranks.chances.len()
        || angles.len() != kinds * re.len()
        || im.len() != re.len()
        || edge.len() != re.len()
    {
        return Err(PyValueError::new_err("arrays do not fit each other"));
    }
    let found = call(py, || {
        core::conditional_transform(&ranks, u, angles, re, im, edge)
    })?;
    let part =
        |of: fn(&(f64, f64, f64)) -> f64| found.iter().map(of).collect::<Vec<_>>().into_pyarray(py);
    Ok((part(|sum| sum.0), part(|sum| sum.1), part(|sum| sum.2)))
}

/// The transform of a sum over ranks that hold one of several gains each, summed over the numbers of each gain with a
/// factor each: real and imaginary parts.
#[pyfunction]
#[pyo3(signature = (chances, sizes, *, u, counts, ends))]
pub fn counted_transform<'py>(
    py: Python<'py>,
    chances: PyReadonlyArray2<'py, f64>,
    sizes: PyReadonlyArray2<'py, f64>,
    u: PyReadonlyArray1<'py, f64>,
    counts: Vec<usize>,
    ends: PyReadonlyArray1<'py, f64>,
) -> PyResult<(Values<'py>, Values<'py>)> {
    let kinds = chances.as_array().ncols();
    let ranks = core::IndependentRanks {
        chances: chances.as_slice()?,
        sizes: sizes.as_slice()?,
        kinds,
    };
    let (u, ends) = (u.as_slice()?, ends.as_slice()?);
    let numbers = counts.iter().try_fold(1_usize, |product, &count| {
        product.checked_mul(count.checked_add(1)?)
    });
    if ranks.sizes.len() != ranks.chances.len()
        || kinds == 0
        || counts.len() != kinds
        || numbers != Some(ends.len())
    {
        return Err(PyValueError::new_err("arrays do not fit each other"));
    }
    let found = call(py, || core::counted_transform(&ranks, u, &counts, ends))?;
    let (re, im): (Vec<f64>, Vec<f64>) = found.into_iter().unzip();
    Ok((re.into_pyarray(py), im.into_pyarray(py)))
}
