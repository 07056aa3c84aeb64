//! Blocks of a file through several threads, with the error of the earliest line and the same result for any number.

use std::sync::Mutex;

use super::blocks::{BLOCK, Blocks, Cut};
use super::error::ReadError;
use super::source::Source;
use crate::{interrupt, threads};

/// What went wrong in a block: the 1-based line within it, where one is at fault, and the message.
pub(crate) type BlockError = (Option<u64>, String);

struct Shared {
    blocks: Blocks,
    next: usize,
    stop: bool,
}

/// How a file is cut, and by how many threads it is read; the result depends on neither size nor threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub cut: Cut,
    pub size: usize,
    pub threads: usize,
}

impl Plan {
    pub fn new(cut: Cut) -> Self {
        Self {
            cut,
            size: BLOCK,
            threads: threads::count(),
        }
    }
}

/// Runs `parse(state, block number, block)`, which returns the number of lines, on every block of `source`, each thread
/// with a state of its own.
/// Returns the states and the file's fingerprint.
pub(crate) fn for_each_block<S: Send>(
    source: Source,
    plan: Plan,
    new_state: impl Fn() -> S + Sync,
    parse: impl Fn(&mut S, usize, &[u8]) -> Result<u64, BlockError> + Sync,
) -> Result<(Vec<S>, u128), ReadError> {
    let name = source.name.clone();
    let shared = Mutex::new(Shared {
        blocks: Blocks::new(source, plan.cut, plan.size),
        next: 0,
        stop: false,
    });
    let broken = || ReadError::new(&name, None, "a reading thread failed; please report this");

    type Work<S> = (S, Vec<(usize, u64)>, Option<(usize, BlockError)>);
    let work = |_| -> Option<Work<S>> {
        let mut state = new_state();
        let mut lines = Vec::new();
        let mut buffer = Vec::new();
        loop {
            interrupt::poll();
            let (number, length) = {
                let mut shared = shared.lock().ok()?;
                if shared.stop {
                    return Some((state, lines, None));
                }
                let number = shared.next;
                shared.next += 1;
                match shared.blocks.next(&mut buffer) {
                    Ok(length @ 1..) => (number, length),
                    Ok(0) => {
                        shared.stop = true;
                        return Some((state, lines, None));
                    }
                    Err(error) => {
                        shared.stop = true;
                        return Some((state, lines, Some((number, error))));
                    }
                }
            };
            match parse(&mut state, number, buffer.get(..length).unwrap_or(&[])) {
                Ok(read) => lines.push((number, read)),
                Err(error) => {
                    // Blocks before this one are with other threads already, so the earliest error is still found.
                    shared.lock().ok()?.stop = true;
                    return Some((state, lines, Some((number, error))));
                }
            }
        }
    };
    let done: Vec<Work<S>> = threads::run(plan.threads, work)
        .into_iter()
        .collect::<Option<_>>()
        .ok_or_else(broken)?;

    let mut states = Vec::new();
    let mut lines = Vec::new();
    let mut first: Option<(usize, BlockError)> = None;
    for (state, counted, error) in done {
        states.push(state);
        lines.extend(counted);
        if let Some((number, error)) = error
            && first
                .as_ref()
                .is_none_or(|(earliest, _)| number < *earliest)
        {
            first = Some((number, error));
        }
    }
    if let Some((number, (line, what))) = first {
        let before: u64 = lines
            .iter()
            .filter(|(block, _)| *block < number)
            .map(|(_, n)| n)
            .sum();
        return Err(ReadError::new(&name, line.map(|l| before + l), what));
    }
    let shared = shared.into_inner().map_err(|_| broken())?;
    Ok((states, shared.blocks.source.fingerprint()))
}
