//! Runs reduced to the ranks and grades of their judged documents.

use std::path::PathBuf;

use certus_core::read::{self, Dialect, Notes, Rule, TieOrder};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::{Qrels, Run, refuse};
use crate::call::call;
use crate::columns::new_arrays;

fn tie_order(name: &str) -> PyResult<TieOrder> {
    match name {
        "trec" => Ok(TieOrder::Trec),
        "input" => Ok(TieOrder::Input),
        _ => Err(PyValueError::new_err(format!(
            "ties is '{name}'; it must be 'trec' or 'input'"
        ))),
    }
}

/// Some ids of documents of a run, and of the judgments, which have none in common.
type Unmatched = (Vec<Py<PyAny>>, Vec<Py<PyAny>>);

/// A run reduced to the ranks and grades of its judged documents.
#[pyclass(frozen, get_all, module = "certus._core")]
pub struct Ranked {
    queries: Vec<Py<PyAny>>,
    columns: Py<PyAny>,
    all_equal: Vec<bool>,
    /// Whether fewer than two documents were retrieved.
    short: Vec<bool>,
    rounded: Vec<u32>,
    discordant: Vec<u32>,
    concordant: Vec<u32>,
    normalised: Vec<u32>,
    self_ranks: Vec<u32>,
    only_in_run: Vec<Py<PyAny>>,
    /// Where no retrieved document is judged: retrieved and judged ids of a query.
    unmatched: Option<Unmatched>,
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
    fn new(py: Python<'_>, qrels: &read::Qrels, ranked: read::Ranked) -> PyResult<Self> {
        let names = |positions: &[usize]| -> PyResult<Vec<Py<PyAny>>> {
            let ids = positions.iter().filter_map(|&q| qrels.queries().get(q));
            ids.map(|id| text(py, id)).collect()
        };
        let texts = |ids: &[Vec<u8>]| -> PyResult<Vec<Py<PyAny>>> {
            ids.iter().map(|id| text(py, id)).collect()
        };
        let notes = |of: fn(&Notes) -> u32| ranked.notes.iter().map(of).collect();
        Ok(Self {
            queries: names(&ranked.queries)?,
            missing: names(&ranked.missing)?,
            only_in_run: texts(&ranked.only_in_run)?,
            unmatched: match &ranked.unmatched {
                Some((retrieved, judged)) => Some((texts(retrieved)?, texts(judged)?)),
                None => None,
            },
            tag: PyBytes::new(py, &ranked.tag).unbind(),
            tags: ranked
                .tags
                .differing()
                .into_iter()
                .flat_map(|(one, other)| [one, other])
                .map(|tag| PyBytes::new(py, tag).unbind())
                .collect(),
            fingerprint: format!("{:032x}", ranked.fingerprint),
            all_equal: ranked.notes.iter().map(|n| n.all_equal).collect(),
            short: ranked.columns.retrieved.iter().map(|&n| n < 2).collect(),
            rounded: notes(|n| n.rounded),
            discordant: notes(|n| n.discordant),
            concordant: notes(|n| n.concordant),
            normalised: notes(|n| n.normalised),
            self_ranks: notes(|n| n.self_rank),
            columns: new_arrays(py, ranked.columns)
                .into_pyobject(py)?
                .into_any()
                .unbind(),
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
