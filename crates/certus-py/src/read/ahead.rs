//! Judgments and a run that a thread reads while Python is busy, such as with imports.

use std::path::PathBuf;
use std::sync::Mutex;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use certus_core::read::{self, Dialect, Rule, TieOrder};
use certus_core::{interrupt, threads};
use pyo3::prelude::*;

use super::{Qrels, Ranked};
use crate::call::call;

/// Short against what two threads save of a file that takes them long.
const PAUSE: Duration = Duration::from_micros(200);

type Both = (read::Qrels, read::Ranked);

enum State {
    Reading(JoinHandle<Option<Both>>),
    Read(Py<Qrels>, Box<read::Ranked>),
    Taken,
}

/// Files that are read as `Qrels.read` and `rank_file` read them by default.
///
/// The thread knows nothing of Python, so that the process may end while it reads. Whatever it finds wrong with a file
/// is forgotten: who asks for what was read gets nothing, reads the file and finds it.
#[pyclass(frozen, module = "certus._core")]
pub struct Ahead {
    paths: [PathBuf; 2],
    state: Mutex<State>,
}

#[pymethods]
impl Ahead {
    /// Begins to read; nothing where one thread is to do all the work.
    #[staticmethod]
    fn begin(qrels: PathBuf, run: PathBuf) -> Option<Self> {
        if threads::count() < 2 {
            return None;
        }
        let paths = [qrels, run];
        let [first, second] = paths.clone();
        let work = move || {
            let (one, other) = (first.to_str()?, second.to_str()?);
            let qrels = read::Qrels::read(&first, one, Dialect::default()).ok()?;
            let rule = Rule {
                ties: TieOrder::Trec,
                float32: false,
            };
            let dialect = Dialect::default();
            let ranked = read::rank_file(&qrels, &second, other, rule, dialect, false).ok()?;
            Some((qrels, ranked))
        };
        let thread = thread::Builder::new().spawn(work).ok()?;
        let state = Mutex::new(State::Reading(thread));
        Some(Self { paths, state })
    }

    /// The judgments, once both files are read; nothing if they are others, or if something is wrong with either file.
    fn qrels(&self, py: Python<'_>, path: PathBuf) -> PyResult<Option<Py<Qrels>>> {
        if path != self.paths[0] {
            return Ok(None);
        }
        let State::Reading(thread) = self.replaced(State::Taken) else {
            return Ok(None);
        };
        let both = call(py, || {
            while !thread.is_finished() {
                interrupt::poll();
                thread::sleep(PAUSE);
            }
            thread.join().ok().flatten()
        })?;
        let Some((qrels, ranked)) = both else {
            return Ok(None);
        };
        let held = Py::new(py, Qrels(qrels))?;
        self.replaced(State::Read(held.clone_ref(py), Box::new(ranked)));
        Ok(Some(held))
    }

    /// The run ranked by these judgments, once; nothing if they are others, or the run is.
    fn ranked(
        &self,
        py: Python<'_>,
        qrels: &Bound<'_, Qrels>,
        path: PathBuf,
    ) -> PyResult<Option<Ranked>> {
        match self.replaced(State::Taken) {
            State::Read(held, ranked) if qrels.is(&held) && path == self.paths[1] => {
                Ranked::new(py, &qrels.get().0, *ranked, false).map(Some)
            }
            _ => Ok(None),
        }
    }
}

impl Ahead {
    fn replaced(&self, by: State) -> State {
        let mut state = self.state.lock().unwrap_or_else(|held| held.into_inner());
        std::mem::replace(&mut state, by)
    }
}
