//! Random inputs through readers and kernels: a few in `cargo test`, as many as the time allows in `make fuzz`.
//!
//! `FUZZ_SECONDS` is the time for each target, `FUZZ_SEED` draws other inputs, and `FUZZ_FIRST` is the execution to begin
//! with: a failure names both. An execution that does not end within a minute is a failure, too.

mod labels;
mod signs;
mod sums;

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Executions without `FUZZ_SECONDS`, over which the digest is taken.
const FEW: u64 = if cfg!(miri) { 10 } else { 2_000 };
const LIMIT: Duration = Duration::from_secs(60);

thread_local! {
    /// What `tools/guided.py` gives the next target that this thread runs.
    pub(crate) static BYTES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Where inputs are drawn from: splitmix64, in `tools/guided.py` bytes first.
pub(crate) struct Random {
    state: u64,
    bytes: std::vec::IntoIter<u8>,
}

impl Random {
    pub fn new(state: u64) -> Self {
        let bytes = Vec::new().into_iter();
        Self { state, bytes }
    }

    pub fn next(&mut self) -> u64 {
        if let (Some(low), Some(high)) = (self.bytes.next(), self.bytes.next()) {
            self.state = u64::from(low) | u64::from(high) << 8;
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// All bytes that are left, as a text of their own: never without `tools/guided.py`, half of the time with it.
    pub fn whole(&mut self) -> Option<Vec<u8>> {
        let raw = !self.bytes.as_slice().is_empty() && self.odds(2);
        raw.then(|| self.bytes.by_ref().collect())
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub fn upto(&mut self, most: usize) -> usize {
        self.below(most as u64 + 1) as usize
    }

    pub fn odds(&mut self, one_in: u64) -> bool {
        self.below(one_in) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A finite number: small, of a few that are tied often, of any size, or at the ends of the range.
    pub fn finite(&mut self) -> f64 {
        match self.below(8) {
            0..3 => self.below(5) as f64 - 2.0,
            3..6 => self.unit() * 4.0 - 2.0,
            6 => (self.unit() - 0.5) * 10f64.powi(self.below(600) as i32 - 300),
            _ => self.pick(&[f64::MAX, f64::MIN, f64::from_bits(1), -0.0, 1e308, -1e-308]),
        }
    }

    /// Any number, undefined and infinite ones among them.
    pub fn any(&mut self) -> f64 {
        if self.odds(8) {
            self.pick(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY])
        } else {
            self.finite()
        }
    }

    pub fn list<T>(&mut self, most: usize, mut each: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.upto(most)).map(|_| each(self)).collect()
    }

    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for end in (1..values.len()).rev() {
            values.swap(end, self.upto(end));
        }
    }
}

/// Bits of numbers as one number; all that are undefined are the same.
pub(crate) fn bits(values: impl IntoIterator<Item = f64>) -> u64 {
    let bits = |v: f64| if v.is_nan() { u64::MAX } else { v.to_bits() };
    let join =
        |digest: u64, v| (digest.rotate_left(5) ^ bits(v)).wrapping_mul(0x2127_599b_f432_5c37);
    values.into_iter().fold(1, join)
}

/// Whether two numbers are equal but for rounding, where what was added up is of that size.
pub(crate) fn near(a: f64, b: f64, size: f64) -> bool {
    a.is_nan() && b.is_nan() || a == b || (a - b).abs() <= 1e-9 * size
}

fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is '{text}'")),
    )
}

/// Says which input failed, where one does.
struct Failed<'a>(&'a str, u64, Arc<AtomicU64>);

impl Drop for Failed<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            say(self.0, self.1, self.2.load(Ordering::Relaxed), "failed");
        }
        self.2.store(u64::MAX, Ordering::Relaxed);
    }
}

fn say(target: &str, seed: u64, execution: u64, what: &str) {
    eprintln!("fuzz {target}: {what} with FUZZ_SEED={seed} FUZZ_FIRST={execution}");
}

/// Runs `each` on inputs drawn one after the other; it returns some bits of what came out.
pub(crate) fn fuzz(target: &'static str, mut each: impl FnMut(&mut Random) -> u64) {
    if cfg!(fuzzing) {
        let (state, bytes) = (0, BYTES.take().into_iter());
        each(&mut Random { state, bytes });
        return;
    }
    let end = variable("FUZZ_SECONDS").map(|s| Instant::now() + Duration::from_secs(s));
    let (seed, first) = (
        variable("FUZZ_SEED").unwrap_or(0),
        variable("FUZZ_FIRST").unwrap_or(0),
    );
    let now = Arc::new(AtomicU64::new(first));
    let watched = Arc::clone(&now);
    if end.is_some() {
        std::thread::spawn(move || {
            loop {
                let before = watched.load(Ordering::Relaxed);
                std::thread::sleep(LIMIT);
                let after = watched.load(Ordering::Relaxed);
                if after == u64::MAX {
                    return;
                }
                if after == before {
                    say(target, seed, after, "does not end");
                    std::process::exit(101);
                }
            }
        });
    }
    let failed = Failed(target, seed, Arc::clone(&now));
    let (mut digest, mut done) = (0u64, 0);
    loop {
        now.store(first + done, Ordering::Relaxed);
        let stream = Random::new(seed).next() ^ (first + done);
        let found = each(&mut Random::new(Random::new(stream).next()));
        if done < FEW {
            digest = digest.rotate_left(1) ^ found;
        }
        done += 1;
        if done >= FEW && end.is_none_or(|end| done % 64 == 0 && Instant::now() >= end) {
            break;
        }
    }
    drop(failed);
    println!("fuzz {target}: {done} executions, digest {digest:016x}");
}
