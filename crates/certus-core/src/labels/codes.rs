//! Numbers as codes from 0.

use super::ints::Ints;
use crate::{interrupt, threads};
use std::collections::HashMap;

/// Samples counted at a time.
pub(super) const CHUNK: usize = 2048;
/// Samples that are worth a thread.
pub(super) const PER_THREAD: usize = 1 << 16;
/// A span of labels that is always counted without looking which labels there are.
const NARROW: usize = 64;
/// The widest span that many samples are counted over without looking which labels there are.
const WIDE: usize = 1024;
/// The widest span for which a table of all numbers between the least and the greatest is made.
const TABLE: usize = 1 << 24;

/// The distinct numbers of a column, increasing, and for each sample which of them it has.
///
/// ```
/// use certus_core::labels::{Ints, code_numbers};
/// assert_eq!(code_numbers(Ints::I32(&[7, -1, 7])), (vec![-1, 7], vec![1, 0, 1]));
/// ```
#[must_use]
pub fn code_numbers(values: Ints) -> (Vec<i64>, Vec<u32>) {
    let samples = values.len();
    // Of two numbers side by side both occur.
    let codes = Codes::with(values, |span| span <= 2);
    let coded = threads::map(samples, PER_THREAD, |range| {
        if let How::Span(_) = codes.how {
            return values.offsets(range, codes.least);
        }
        let mut chunk = [0u64; CHUNK];
        let mut out = Vec::with_capacity(range.len());
        for from in range.clone().step_by(CHUNK) {
            let size = CHUNK.min(range.end - from);
            codes.write(from, &mut chunk[..size]);
            out.extend(chunk[..size].iter().map(|&code| code as u32));
        }
        out
    });
    (codes.labels(), coded)
}

/// A column whose numbers can be turned into codes from 0.
pub(super) struct Codes<'a> {
    values: Ints<'a>,
    least: i64,
    how: How,
}

enum How {
    /// The code is the distance from the least number, all numbers in between having one.
    Span(usize),
    /// The code of each distance from the least number, and the labels.
    Table(Vec<u32>, Vec<i64>),
    /// The code of each number, and the labels.
    Map(HashMap<i64, u32>, Vec<i64>),
}

impl<'a> Codes<'a> {
    /// The codes of a column of at most `most` labels; of a narrow span not all need occur.
    pub(super) fn of(values: Ints<'a>, most: usize) -> Result<Self, String> {
        let many = values.len();
        let narrow = |span: usize| span <= NARROW || (span <= WIDE && span * span <= many);
        let codes = Codes::with(values, narrow);
        if codes.len() > most {
            return Err(format!(
                "there are {} different labels; a table of at most {most} is supported",
                codes.len()
            ));
        }
        Ok(codes)
    }

    /// Codes for every number of the span where it is narrow, else for those that occur.
    fn with(values: Ints<'a>, narrow: impl Fn(usize) -> bool) -> Self {
        let Some((least, greatest)) = values.range() else {
            return Codes {
                values,
                least: 0,
                how: How::Span(0),
            };
        };
        let span =
            usize::try_from(i128::from(greatest) - i128::from(least) + 1).unwrap_or(usize::MAX);
        let how = if narrow(span) {
            How::Span(span)
        } else if span <= TABLE && span <= NARROW * NARROW + 4 * values.len() {
            let mut present = vec![false; span];
            values.for_each(|x| present[x.wrapping_sub(least) as usize] = true);
            let mut labels = Vec::new();
            let codes = present
                .iter()
                .enumerate()
                .map(|(distance, &present)| {
                    let code = labels.len() as u32;
                    if present {
                        labels.push(least.wrapping_add(distance as i64));
                    }
                    code
                })
                .collect();
            How::Table(codes, labels)
        } else {
            let mut codes = HashMap::new();
            let mut seen = 0;
            values.for_each(|x| {
                interrupt::at(seen);
                seen += 1;
                codes.entry(x).or_insert(0);
            });
            let mut labels: Vec<i64> = codes.keys().copied().collect();
            labels.sort_unstable();
            for (code, label) in labels.iter().enumerate() {
                codes.insert(*label, code as u32);
            }
            How::Map(codes, labels)
        };
        Codes { values, least, how }
    }

    /// How many codes there are.
    pub(super) fn len(&self) -> usize {
        match &self.how {
            How::Span(span) => *span,
            How::Table(_, labels) | How::Map(_, labels) => labels.len(),
        }
    }

    /// The number that each code stands for.
    pub(super) fn labels(&self) -> Vec<i64> {
        match &self.how {
            How::Span(span) => (0..*span)
                .map(|distance| self.least.wrapping_add(distance as i64))
                .collect(),
            How::Table(_, labels) | How::Map(_, labels) => labels.clone(),
        }
    }

    /// The codes of the numbers from place `start` on.
    pub(super) fn write(&self, start: usize, out: &mut [u64]) {
        match &self.how {
            How::Span(_) => self.values.distances(start, self.least, out),
            How::Table(codes, _) => {
                self.values.distances(start, self.least, out);
                for code in out {
                    *code = u64::from(codes[*code as usize]);
                }
            }
            How::Map(codes, _) => {
                self.values.distances(start, 0, out);
                for code in out {
                    *code = codes
                        .get(&(*code as i64))
                        .map_or(0, |&code| u64::from(code));
                }
            }
        }
    }
}
