//! Runs reduced to the ranks and grades of their judged documents.

use std::path::PathBuf;

use certus_core::read::{self, Dialect, Notes, Rule, TieOrder};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use super::{Qrels, Run, refuse};
use crate::call::call;
use crate::ranking::new_arrays;

fn tie_order(name: &str) -> PyResult<TieOrder> {
    match name {
        "trec" => Ok(TieOrder::Trec),
        "input" => Ok(TieOrder::Input),
        _ => Err(PyValueError::new_err(format!(
            "ties is '{name}'; it must be 'trec' or 'input'"
        ))),
    }
}

/// A run reduced to the ranks and grades of its judged documents.
#[pyclass(frozen, get_all, module = "certus._core")]
pub struct Ranked {
    queries: Vec<Py<PyAny>>,
    columns: Py<PyTuple>,
    all_equal: Py<PyArray1<bool>>,
    rounded: Py<PyArray1<u32>>,
    discordant: Py<PyArray1<u32>>,
    concordant: Py<PyArray1<u32>>,
    normalised: Py<PyArray1<u32>>,
    only_in_run: Vec<Py<PyAny>>,
    missing: Vec<Py<PyAny>>,
    tag: Py<PyBytes>,
    /// Two tags that differ, or none.
    tags: Vec<Py<PyBytes>>,
    fingerprint: String,
}

/// An id as a string; bytes that are not UTF-8 become lone surrogates, as in Python's file names.
fn text(py: Python<'_>, id: &[u8]) -> PyResult<Py<PyAny>> {
    match std::str::from_utf8(id) {
        Ok(id) => Ok(PyString::new(py, id).into_any().unbind()),
        Err(_) => Ok(PyBytes::new(py, id)
            .call_method1("decode", ("utf-8", "surrogateescape"))?
            .unbind()),
    }
}

impl Ranked {
    pub(super) fn new(py: Python<'_>, qrels: &read::Qrels, ranked: read::Ranked) -> PyResult<Self> {
        let names = |positions: &[usize]| -> PyResult<Vec<Py<PyAny>>> {
            let ids = positions.iter().filter_map(|&q| qrels.queries().get(q));
            ids.map(|id| text(py, id)).collect()
        };
        let notes = |of: fn(&Notes) -> u32| {
            ranked
                .notes
                .iter()
                .map(of)
                .collect::<Vec<_>>()
                .into_pyarray(py)
                .unbind()
        };
        Ok(Self {
            queries: names(&ranked.queries)?,
            missing: names(&ranked.missing)?,
            only_in_run: ranked
                .only_in_run
                .iter()
                .map(|id| text(py, id))
                .collect::<PyResult<_>>()?,
            tag: PyBytes::new(py, &ranked.tag).unbind(),
            tags: ranked
                .tags
                .differing()
                .into_iter()
                .flat_map(|(one, other)| [one, other])
                .map(|tag| PyBytes::new(py, tag).unbind())
                .collect(),
            fingerprint: format!("{:032x}", ranked.fingerprint),
            all_equal: ranked
                .notes
                .iter()
                .map(|n| n.all_equal)
                .collect::<Vec<_>>()
                .into_pyarray(py)
                .unbind(),
            rounded: notes(|n| n.rounded),
            discordant: notes(|n| n.discordant),
            concordant: notes(|n| n.concordant),
            normalised: notes(|n| n.normalised),
            columns: new_arrays(py, ranked.columns).into_pyobject(py)?.unbind(),
        })
    }
}

#[pyfunction]
#[pyo3(signature = (qrels, path, name, *, ties="trec", float32=false, lenient=false, comments=false, all=false))]
#[allow(clippy::too_many_arguments)]
pub fn rank_file(
    py: Python<'_>,
    qrels: &Qrels,
    path: PathBuf,
    name: &str,
    ties: &str,
    float32: bool,
    lenient: bool,
    comments: bool,
    all: bool,
) -> PyResult<Ranked> {
    let rule = Rule {
        ties: tie_order(ties)?,
        float32,
    };
    let dialect = Dialect { lenient, comments };
    let ranked = call(py, || {
        read::rank_file(&qrels.0, &path, name, rule, dialect, all)
    })?
    .map_err(refuse)?;
    Ranked::new(py, &qrels.0, ranked)
}

#[pyfunction]
#[pyo3(signature = (qrels, run, *, ties="trec", float32=false, all=false))]
pub fn rank_run(
    py: Python<'_>,
    qrels: &Qrels,
    run: &Run,
    ties: &str,
    float32: bool,
    all: bool,
) -> PyResult<Ranked> {
    let rule = Rule {
        ties: tie_order(ties)?,
        float32,
    };
    let ranked = call(py, || read::rank_run(&qrels.0, &run.0, rule, all))?;
    Ranked::new(py, &qrels.0, ranked)
}
