//! Sorts of numpy, where they are faster.

use std::time::{Duration, Instant};

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// More scores of a class are not sorted by numpy, which hears no interruption: a third of a second.
const SORTED_BY_NUMPY: usize = 1 << 25;
/// Fewer scores than this are sorted faster on one thread than on two.
const WORTH_A_THREAD: usize = 1 << 17;
/// From this number on it is worth a fraction of a millisecond, once, to know which sort is faster.
const WORTH_A_TRIAL: usize = 1 << 15;
/// Numbers that both sorts are tried on, and turns of each.
const TRIED: usize = 1 << 13;
const TURNS: usize = 3;

/// Numpy's sorts use the vector instructions of every usual processor, from version 2 on. On some processors one of these
/// instructions is slow, and the sort takes four times as long as one without them.
pub fn sorted_by_numpy(py: Python<'_>, samples: usize) -> bool {
    static FASTER: PyOnceLock<bool> = PyOnceLock::new();
    numpy::npyffi::is_numpy_2(py)
        && samples <= SORTED_BY_NUMPY
        && (samples < WORTH_A_TRIAL
            || *FASTER.get_or_init(py, || numpy_is_faster(py).unwrap_or(true)))
}

fn numpy_is_faster(py: Python<'_>) -> PyResult<bool> {
    let mut next = 1_u64;
    let numbers: Vec<u64> = std::iter::repeat_with(|| {
        next ^= next << 13;
        next ^= next >> 7;
        next ^= next << 17;
        next
    })
    .take(TRIED)
    .collect();
    let mut least = [Duration::MAX; 2];
    for _ in 0..TURNS {
        let (array, mut own) = (PyArray1::from_slice(py, &numbers), numbers.clone());
        let start = Instant::now();
        array.call_method0("sort")?;
        let between = Instant::now();
        own.sort_unstable();
        least = [
            least[0].min(between - start),
            least[1].min(between.elapsed()),
        ];
    }
    Ok(least[0] <= least[1])
}

/// Sorts two arrays in place, on two threads where that is worth it; numpy works without the GIL.
pub fn sort_both(
    py: Python<'_>,
    one: &Bound<'_, PyAny>,
    two: &Bound<'_, PyAny>,
    samples: usize,
) -> PyResult<()> {
    let sort = |py: Python<'_>, side: &Py<PyAny>| side.call_method0(py, "sort").map(drop);
    let (one, two) = (one.clone().unbind(), two.clone().unbind());
    if samples < WORTH_A_THREAD || certus_core::threads::count() < 2 {
        sort(py, &one)?;
        return sort(py, &two);
    }
    let results = py.detach(|| {
        certus_core::threads::run(2, |thread| {
            Python::attach(|py| sort(py, if thread == 0 { &one } else { &two }))
        })
    });
    results.into_iter().collect()
}
