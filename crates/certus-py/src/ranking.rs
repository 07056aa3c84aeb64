//! The ranking kernels for Python: columns in as numpy arrays, one float64 per query out.

use certus_core::ranking::{self as core, Denominator, Gains, Rounding};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::call::call;
use crate::columns::{Arrays, NewArrays, checked, new_arrays, transformed, try_values, values};

fn valid<T>(parsed: Result<T, String>) -> PyResult<T> {
    parsed.map_err(PyValueError::new_err)
}

/// Declares functions of the columns and of keyword-only arguments, and `register`, which adds them to the module.
/// `[name = expression]` before the body parses an argument that needs it.
macro_rules! functions {
    ($(
        $(#[$doc:meta])*
        $name:ident($($arg:ident: $type:ty $(= $default:expr)?),*)
        $([$parsed:ident = $parse:expr])? {
            $run:ident($kernel:expr)
        }
    )*) => {
        $(
            $(#[$doc])*
            #[pyfunction]
            #[pyo3(signature = (columns, *, $($arg $(= $default)?),*))]
            #[allow(clippy::too_many_arguments)] // they are keywords
            fn $name<'py>(
                py: Python<'py>,
                columns: Arrays<'py>,
                $($arg: $type),*
            ) -> PyResult<Bound<'py, PyArray1<f64>>> {
                $(let $parsed = valid($parse)?;)?
                $run(py, &columns, $kernel)
            }
        )*

        pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)*
            module.add_function(wrap_pyfunction!(num_retrieved, module)?)?;
            module.add_function(wrap_pyfunction!(order_ties, module)?)?;
            module.add_function(wrap_pyfunction!(condense, module)?)?;
            module.add_function(wrap_pyfunction!(assume_relevant, module)?)?;
            module.add_function(wrap_pyfunction!(truncate, module)?)?;
            module.add_function(wrap_pyfunction!(shuffled, module)?)?;
            module.add_function(wrap_pyfunction!(relevance_string, module)?)
        }
    };
}

functions! {
    /// Mean of the precisions at the relevant documents; `denominator` is "relevant", "min" or "hits".
    average_precision(rel: i32, cutoff: Option<u64>, denominator: &str, average: bool)
    [denominator = Denominator::parse(denominator)] {
        values(|list| core::average_precision(list, rel, cutoff, denominator, average))
    }
    /// Relevant documents among the first `cutoff`, divided by `cutoff`; of all retrieved without one.
    precision(rel: i32, cutoff: Option<u64>, average: bool) {
        values(|list| core::precision(list, rel, cutoff, average))
    }
    /// Relevant documents among the first `cutoff`, divided by all relevant.
    recall(rel: i32, cutoff: Option<u64>, average: bool) {
        values(|list| core::recall(list, rel, cutoff, average))
    }
    /// Harmonic mean of precision and recall, recall weighted by beta squared.
    f_measure(rel: i32, cutoff: Option<u64>, beta: f64, average: bool) {
        values(|list| core::f_measure(list, rel, cutoff, beta, average))
    }
    /// Whether any of the first `cutoff` documents is relevant.
    success(rel: i32, cutoff: Option<u64>, average: bool) {
        values(|list| core::success(list, rel, cutoff, average))
    }
    /// Precision divided by the best possible at that depth.
    relative_precision(rel: i32, cutoff: Option<u64>, average: bool) {
        values(|list| core::relative_precision(list, rel, cutoff, average))
    }
    /// Precision times recall of all retrieved.
    set_map(rel: i32) {
        values(|list| core::set_map(list, rel))
    }
    /// One divided by the rank of the first relevant document.
    reciprocal_rank(rel: i32, cutoff: Option<u64>, average: bool) {
        values(|list| core::reciprocal_rank(list, rel, cutoff, average))
    }
    /// Precision after `multiple` times as many documents as are relevant.
    r_precision(rel: i32, multiple: f64, average: bool) {
        values(|list| core::r_precision(list, rel, multiple, average))
    }
    /// Share of the preferences of relevant over judged non-relevant documents that are kept.
    bpref(rel: i32, average: bool) {
        values(|list| core::bpref(list, rel, average))
    }
    /// Average precision inferred from a judged sample of the pool.
    inf_ap(rel: i32, average: bool) {
        values(|list| core::inf_ap(list, rel, average))
    }
    /// Greatest precision at `recall` or more; `rounding` is "trec9", "trec10" or "exact".
    interpolated_precision(rel: i32, recall: f64, rounding: &str, average: bool)
    [rounding = Rounding::parse(rounding)] {
        try_values(|list| core::interpolated_precision(list, rel, recall, rounding, average))
    }
    /// Mean of the interpolated precisions at recall 0, 0.1, ..., 1.
    eleven_point(rel: i32, rounding: &str, average: bool)
    [rounding = Rounding::parse(rounding)] {
        try_values(|list| core::eleven_point(list, rel, rounding, average))
    }
    /// Discounted cumulative gain; `gain` is "linear" or "exp", `gains` replaces single grades' gains.
    dcg(cutoff: Option<u64>, gain: &str, average: bool, gains: Vec<(i32, f64)> = vec![])
    [gains = Gains::new(gain, &gains)] {
        values(|list| core::dcg(list, cutoff, &gains, average))
    }
    /// Discounted cumulative gain, divided by the ideal ranking's.
    ndcg(cutoff: Option<u64>, gain: &str, average: bool, gains: Vec<(i32, f64)> = vec![])
    [gains = Gains::new(gain, &gains)] {
        values(|list| core::ndcg(list, cutoff, &gains, average))
    }
    /// nDCG at the rank of each relevant document, averaged.
    ndcg_rel(average: bool, gains: Vec<(i32, f64)> = vec![])
    [gains = Gains::new("linear", &gains)] {
        values(|list| core::ndcg_rel(list, &gains, average))
    }
    /// nDCG where the ideal gain changes, averaged.
    rndcg(rel: i32, average: bool, gains: Vec<(i32, f64)> = vec![])
    [gains = Gains::new("linear", &gains)] {
        values(|list| core::rndcg(list, rel, &gains, average))
    }
    /// Gain discounted by how much more could have been gained before.
    g(average: bool, gains: Vec<(i32, f64)> = vec![])
    [gains = Gains::new("linear", &gains)] {
        try_values(|list| core::g(list, &gains, average))
    }
    /// G with gains 0 and 1.
    bin_g(rel: i32, average: bool) {
        values(|list| core::bin_g(list, rel, average))
    }
    /// Expected reciprocal rank.
    err(cutoff: Option<u64>, max_grade: i32, average: bool) {
        try_values(|list| core::err(list, cutoff, max_grade, average))
    }
    /// Expected reciprocal rank, divided by the ideal ranking's.
    nerr(cutoff: Option<u64>, max_grade: i32, average: bool) {
        try_values(|list| core::nerr(list, cutoff, max_grade, average))
    }
    /// Rank-biased precision.
    rbp(p: f64, rel: i32, cutoff: Option<u64>, average: bool) {
        values(|list| core::rbp(list, p, rel, cutoff, average))
    }
    /// The weight of what is not known about rank-biased precision.
    rbp_residual(p: f64, cutoff: Option<u64>, average: bool) {
        values(|list| core::rbp_residual(list, p, cutoff, average))
    }
    /// Share of the first `cutoff` documents that is judged.
    judged(cutoff: Option<u64>, average: bool) {
        values(|list| core::judged(list, cutoff, average))
    }
    /// Smallest number of documents that reaches `recall`; NaN where it is never reached.
    k_at_recall(rel: i32, recall: f64, average: bool) {
        values(|list| core::k_at_recall(list, rel, recall, average))
    }
    /// Precision at the smallest number of documents that reaches `recall`.
    precision_at_recall(rel: i32, recall: f64, average: bool) {
        values(|list| core::precision_at_recall(list, rel, recall, average))
    }
    /// Relevant documents, retrieved or not.
    num_relevant(rel: i32) {
        values(|list| core::num_relevant(list, rel))
    }
    /// Relevant documents retrieved.
    num_relevant_retrieved(rel: i32) {
        values(|list| core::num_relevant_retrieved(list, rel))
    }
    /// Documents retrieved and judged not relevant.
    num_nonrelevant_judged_retrieved(rel: i32) {
        values(|list| core::num_nonrelevant_judged_retrieved(list, rel))
    }
    /// Weighted sum of the four cells of retrieved by relevant.
    utility(rel: i32, a: f64, b: f64, c: f64, d: f64, collection: u64) {
        values(|list| core::utility(list, rel, [a, b, c, d], collection))
    }
}

/// Documents retrieved.
#[pyfunction]
fn num_retrieved<'py>(
    py: Python<'py>,
    columns: Arrays<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    values(py, &columns, core::num_retrieved)
}

/// Tied documents in their best or worst order.
#[pyfunction]
#[pyo3(signature = (columns, *, best))]
fn order_ties<'py>(py: Python<'py>, columns: Arrays<'py>, best: bool) -> PyResult<NewArrays<'py>> {
    transformed(py, &columns, |lists| core::order_ties(lists, best))
}

/// Without the unjudged documents.
#[pyfunction]
fn condense<'py>(py: Python<'py>, columns: Arrays<'py>) -> PyResult<NewArrays<'py>> {
    transformed(py, &columns, core::condense)
}

/// As if every unjudged document retrieved had the highest grade of its query.
#[pyfunction]
fn assume_relevant<'py>(py: Python<'py>, columns: Arrays<'py>) -> PyResult<NewArrays<'py>> {
    transformed(py, &columns, core::assume_relevant)
}

/// Cut after the first `n` documents.
#[pyfunction]
fn truncate<'py>(py: Python<'py>, columns: Arrays<'py>, n: u64) -> PyResult<NewArrays<'py>> {
    transformed(py, &columns, |lists| core::truncate(lists, n))
}

/// Random rankings of one query, each as a query of its own.
#[pyfunction]
#[pyo3(signature = (items, shown, *, grades, judged, ties, first, replicates, seed))]
#[allow(clippy::too_many_arguments)]
fn shuffled<'py>(
    py: Python<'py>,
    items: u32,
    shown: u32,
    grades: PyReadonlyArray1<'py, i32>,
    judged: PyReadonlyArray1<'py, i32>,
    ties: Option<PyReadonlyArray1<'py, u32>>,
    first: u64,
    replicates: usize,
    seed: u64,
) -> PyResult<NewArrays<'py>> {
    let (grades, judged) = (grades.as_slice()?, judged.as_slice()?);
    let ties = ties.as_ref().map(|sizes| sizes.as_slice()).transpose()?;
    let deck = core::Deck {
        items,
        shown,
        grades,
        judged,
        ties,
    };
    let columns = call(py, || {
        deck.check()?;
        Ok(core::shuffled(&deck, first, replicates, seed))
    })?
    .map_err(PyValueError::new_err::<String>)?;
    Ok(new_arrays(py, columns))
}

/// The first `length` documents of each query as characters.
#[pyfunction]
#[pyo3(signature = (columns, *, length))]
fn relevance_string(py: Python<'_>, columns: Arrays<'_>, length: u64) -> PyResult<Vec<String>> {
    checked(py, &columns, |lists| {
        Ok(lists.per_query(|list| core::relevance_string(list, length)))
    })
}
