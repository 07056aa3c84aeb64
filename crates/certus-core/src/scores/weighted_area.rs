//! The area under the ROC curve of weighted samples, with the errors of both classes.

use super::Sum;
use super::order::{LAST, Mass, OrderSteps, POSITIVE};
use super::roc::Area;
use super::sides::{Keyed, down, place, upper};
use super::walk::{Totals, Walker};
use crate::{interrupt, simd};

/// Weights that are gathered before a look whether to go on.
const GATHERED: usize = 1 << 16;

/// The weights of samples by decreasing score, and their marks as [`marks_of`](super::marks_of) gives them.
///
/// Those of one score are in the order of truth and weight, so that no sum depends on the order of the rows. The keys are
/// those of [`packed`](super::packed), sorted.
///
/// # Errors
///
/// There is not one weight, key and place for each score, or a key has no index of a score.
pub fn weights_by_score<T: Keyed>(
    keys: &[u64],
    scores: &[T],
    weights: &[f64],
    sorted: &mut [f64],
    marks: &mut [u8],
) -> Result<(), &'static str> {
    let samples = scores.len();
    if [weights.len(), keys.len(), sorted.len(), marks.len()] != [samples; 4] {
        return Err("each score needs its weight, its key and its place");
    }
    let upper = upper(samples);
    let parts = keys
        .chunks(GATHERED)
        .zip(sorted.chunks_mut(GATHERED))
        .zip(marks.chunks_mut(GATHERED));
    for ((keys, sorted), marks) in parts {
        interrupt::poll();
        let mut within = true;
        for (key, sorted) in keys.iter().zip(sorted) {
            let place = place(*key, upper);
            within &= place < samples;
            *sorted = weights[place.min(samples - 1)];
        }
        if !within {
            return Err("a key has no score");
        }
        for (key, mark) in keys.iter().zip(marks) {
            *mark = *key as u8 & POSITIVE;
        }
    }
    for ((key, next), mark) in keys.iter().zip(keys.iter().skip(1)).zip(marks.iter_mut()) {
        *mark |= u8::from((key ^ next) & upper != 0) * LAST;
    }
    if let Some(mark) = marks.last_mut() {
        *mark |= LAST;
    }
    let mut run: Vec<(u64, bool, f64)> = Vec::new();
    let mut first = 0;
    while let Some(tied) = marks[first..].iter().position(|mark| mark & LAST == 0) {
        first += tied;
        let size = marks[first..].iter().position(|mark| mark & LAST != 0);
        let end = size.map_or(samples, |size| first + size + 1);
        run.clear();
        run.extend(keys[first..end].iter().map(|&key| {
            let index = place(key, upper);
            // The lower bits of their keys may tell them apart.
            (down(scores[index]), key & 1 != 0, weights[index])
        }));
        run.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        for (place, &(key, positive, weight)) in (first..end).zip(&run) {
            let last = run.get(place + 1 - first).is_none_or(|next| next.0 != key);
            sorted[place] = weight;
            marks[place] = (u8::from(positive) * POSITIVE) | (u8::from(last) * LAST);
        }
        first = end;
        interrupt::at(first);
    }
    Ok(())
}

/// What a class adds to the error of an area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideError {
    /// The sample variance of the influence values; NaN of a single sample.
    pub variance: f64,
    /// The variance of the value, of type CR2; NaN of a single sample.
    pub squared: f64,
    /// Satterthwaite's degrees of freedom of that; NaN of a single sample.
    pub freedom: f64,
    /// The effective number of samples: `1 / sum(shares^2)`.
    pub size: f64,
}

/// The area of weighted samples, and what the positives and the negatives add to its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedAuc {
    pub value: f64,
    pub sides: [SideError; 2],
}

/// The area under the ROC curve, and the errors of the classes, without an influence value for each sample.
///
/// With s the share of a sample in the weight of its class, V the part of the other class that it wins against and
/// ``L = 1 / (1 - s)``, a class adds ``sum(L s^2 (V - AUC)^2)`` to the variance: the CR2 error of a sum over units whose
/// standard deviations are proportional to their weights.
///
/// Source: Bell & McCaffrey (2002), Survey Methodology 28(2):169-181.
///
/// ```
/// let marks = certus_core::scores::marks_of(&[0.5, 0.9], &[0.1, 0.5]);
/// let found = certus_core::scores::weighted_auc(&marks, &[1.0; 4]);
/// assert_eq!(found.value, 0.875);
/// let of_positives = found.sides[0];
/// // Placements 3/4 and 1: a variance of 1/32, of which the mean of two has the half.
/// assert_eq!((of_positives.variance, of_positives.squared), (1.0 / 32.0, 1.0 / 64.0));
/// assert_eq!((of_positives.freedom, of_positives.size), (1.0, 2.0));
/// ```
#[must_use]
pub fn weighted_auc(marks: &[u8], weights: &[f64]) -> WeightedAuc {
    let (value, totals) = {
        let mut area = Area::default();
        OrderSteps::new(marks, weights).for_each(|(a, b)| area.step(a, b));
        (area.finish(), area.totals())
    };
    let class = |own, other, after| Class {
        own,
        other,
        after,
        value,
        sums: Sums::default(),
        block: Block::default(),
    };
    let mut classes = [
        class(totals.negatives, totals.positives, true),
        class(totals.positives, totals.negatives, false),
    ];
    let mut before = Totals::default();
    let mut first = 0;
    while first < marks.len() {
        interrupt::poll();
        let block = &marks[first..marks.len().min(first + BLOCK)];
        let single = block.iter().take_while(|mark| **mark & LAST != 0).count();
        let (alone, rest) = (&block[..single], &weights[first..]);
        // Samples that are not tied, without a branch on their class.
        for (mark, &weight) in alone.iter().zip(rest) {
            let positive = mark & POSITIVE != 0;
            let passed = [before.positives, before.negatives];
            classes[usize::from(positive)].add(weight, passed[usize::from(positive)]);
            before.positives = weight.add_if(positive, before.positives);
            before.negatives = weight.add_if(!positive, before.negatives);
        }
        first += single;
        if single == block.len() {
            continue;
        }
        let end = marks[first..].iter().position(|mark| mark & LAST != 0);
        let end = end.map_or(marks.len(), |size| first + size + 1);
        let (tied, weights) = (&marks[first..end], &weights[first..end]);
        for (a, b) in OrderSteps::new(tied, weights) {
            let passed = [before.positives + a / 2.0, before.negatives + b / 2.0];
            for (mark, &weight) in tied.iter().zip(weights) {
                let side = usize::from(mark & POSITIVE);
                classes[side].add(weight, passed[side]);
            }
            before.step(a, b);
        }
        first = end;
    }
    let [negatives, positives] = classes.map(Class::error);
    WeightedAuc {
        value,
        sides: [positives, negatives],
    }
}

/// Samples of a class that are summed together.
const BLOCK: usize = 512;
const LANES: usize = 8;
const SUMS: usize = 9;

#[derive(Clone, Copy)]
struct Block {
    weights: [f64; BLOCK],
    passed: [f64; BLOCK],
    samples: usize,
}

impl Default for Block {
    fn default() -> Self {
        Self {
            weights: [0.0; BLOCK],
            passed: [0.0; BLOCK],
            samples: 0,
        }
    }
}

/// Of the samples: how many they are, the sums of `block_of`, and the least and greatest share.
#[derive(Clone, Copy, Default)]
struct Sums {
    samples: usize,
    sums: [Sum; SUMS],
    ends: Option<(f64, f64)>,
}

/// One class, whose samples come by decreasing score.
struct Class {
    /// The weight of the class, and of the other one.
    own: f64,
    other: f64,
    /// Whether a sample of the class is in the right order with those of the other class that passed before it;
    /// otherwise it is with those that are still to pass.
    after: bool,
    value: f64,
    sums: Sums,
    block: Block,
}

impl Class {
    #[inline]
    fn add(&mut self, weight: f64, passed: f64) {
        let block = &mut self.block;
        if let (Some(own), Some(other)) = (
            block.weights.get_mut(block.samples),
            block.passed.get_mut(block.samples),
        ) {
            (*own, *other) = (weight, passed);
        }
        block.samples += 1;
        if block.samples == BLOCK {
            self.merge();
        }
    }

    fn merge(&mut self) {
        let samples = self.block.samples;
        let (weights, passed) = (
            &self.block.weights[..samples],
            &self.block.passed[..samples],
        );
        let (sums, ends) = block_of(
            weights, passed, self.own, self.other, self.after, self.value,
        );
        for (sum, term) in self.sums.sums.iter_mut().zip(sums) {
            sum.add(term);
        }
        let (least, greatest) = self.sums.ends.unwrap_or(ends);
        self.sums.ends = Some((least.min(ends.0), greatest.max(ends.1)));
        self.sums.samples += samples;
        self.block.samples = 0;
    }

    fn error(mut self) -> SideError {
        if self.block.samples > 0 {
            self.merge();
        }
        let [own, squares, s2, error, l2, l3, l4, ll4, ll5] = self.sums.sums.map(Sum::total);
        let samples = self.sums.samples as f64;
        let size = 1.0 / s2;
        if self.sums.samples < 2 {
            return SideError {
                variance: f64::NAN,
                squared: f64::NAN,
                freedom: f64::NAN,
                size,
            };
        }
        let (least, greatest) = self.sums.ends.unwrap_or_default();
        let freedom = if greatest - least <= SAME {
            samples - 1.0
        } else {
            freedom(size, [l2, l3, l4, ll4, ll5])
        };
        SideError {
            variance: samples * samples * (squares - own * own / samples) / (samples - 1.0),
            squared: error,
            freedom,
            size,
        }
    }
}

/// Shares that differ by less are equal.
const SAME: f64 = 1e-12;

/// `tr(V)^2 / tr(V^2)` of the CR2 error, with `variance = c s^2` of a unit with the share s, `c = 1 / sum(s^2)`; from the
/// sums of `L s^2`, `L s^3`, `L s^4`, `L^2 s^4` and `L^2 s^5`.
fn freedom(c: f64, [l2, l3, l4, ll4, ll5]: [f64; 5]) -> f64 {
    let trace = (1.0 + c) * l2 - 2.0 * c * l3;
    let (squares, products) = (l2, c * l3);
    let everywhere = 2.0 * squares * c * c * l4 + 2.0 * products * products + squares * squares
        - 4.0 * squares * products;
    // The squares of the diagonal, less what `everywhere` has of them.
    let diagonal = (2.0 * c + c * c) * ll4 - 4.0 * c * c * ll5;
    trace * trace / (everywhere + diagonal)
}

type Blocked = ([f64; SUMS], (f64, f64));

simd::widest! {
/// Sums over samples of what they add (its first power, its square), of `s^2`, of the square over `1 - s`, and those of
/// [`freedom`]; and the least and greatest share s.
fn block_of(weights: &[f64], passed: &[f64], own: f64, other: f64, after: bool, value: f64) -> Blocked {
    let mut lanes = [[0.0; LANES]; SUMS];
    let first = weights.first().copied().unwrap_or(0.0) / own;
    let mut ends = [[first; LANES]; 2];
    let (chunks, rest) = weights.as_chunks::<LANES>();
    let (others, last) = passed.as_chunks::<LANES>();
    for (weights, passed) in chunks.iter().zip(others) {
        for lane in 0..LANES {
            let terms = terms_of(weights[lane] / own, passed[lane] / other, after, value);
            for (sum, term) in lanes.iter_mut().zip(terms) {
                sum[lane] += term;
            }
            let share = weights[lane] / own;
            ends[0][lane] = if share < ends[0][lane] { share } else { ends[0][lane] };
            ends[1][lane] = if share > ends[1][lane] { share } else { ends[1][lane] };
        }
    }
    for (lane, (weight, passed)) in rest.iter().zip(last).enumerate() {
        let share = weight / own;
        let terms = terms_of(share, passed / other, after, value);
        for (sum, term) in lanes.iter_mut().zip(terms) {
            sum[lane] += term;
        }
        ends[0][lane] = ends[0][lane].min(share);
        ends[1][lane] = ends[1][lane].max(share);
    }
    let sums = lanes.map(|[a, b, c, d, e, f, g, h]| ((a + b) + (c + d)) + ((e + f) + (g + h)));
    let [least, greatest] = ends;
    (
        sums,
        (
            least.into_iter().fold(first, f64::min),
            greatest.into_iter().fold(first, f64::max),
        ),
    )
}
}

#[inline(always)]
fn terms_of(share: f64, passed: f64, after: bool, value: f64) -> [f64; SUMS] {
    let placed = if after { passed } else { 1.0 - passed };
    let term = share * (placed - value);
    let left = 1.0 / (1.0 - share);
    let square = share * share;
    let (two, four) = (left * square, left * square * square);
    [
        term,
        term * term,
        square,
        left * term * term,
        two,
        two * share,
        four,
        two * two,
        two * two * share,
    ]
}

#[cfg(test)]
mod tests;
