//! The spread of weighted values that come one by one or in blocks.

use crate::simd;

/// Sums of the second to fourth powers of values, the least value and the greatest, 0 at least.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    pub powers: [f64; 3],
    pub least: f64,
    pub greatest: f64,
}

/// Values that are taken together before they are merged with those before.
pub(super) const BLOCK: usize = 256;

/// The spread of values that come one by one, from differences to their mean.
///
/// A block of values is summed as differences to its first one, then merged with what came before: Chan, Golub & LeVeque
/// (1983), Am. Stat. 37(3):242-247, doi:10.1080/00031305.1983.10483115.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spread {
    count: f64,
    mean: f64,
    /// Sums of the second to fourth powers of the differences.
    powers: [f64; 3],
    range: Option<(f64, f64)>,
    block: Block,
}

#[derive(Clone, Copy, Debug, Default)]
struct Block {
    values: usize,
    first: f64,
    count: f64,
    /// Sums of the first to fourth powers of differences to the first value.
    sums: [f64; 4],
    least: f64,
    greatest: f64,
}

impl Spread {
    /// Adds a value so many times.
    #[inline]
    pub(super) fn add(&mut self, times: f64, value: f64) {
        if self.block.values == BLOCK {
            self.merge();
        }
        let block = &mut self.block;
        if block.values == 0 {
            block.first = value;
        }
        let difference = value - block.first;
        let square = difference * difference;
        block.values += 1;
        block.count += times;
        block.sums[0] += times * difference;
        block.sums[1] += times * square;
        block.sums[2] += times * square * difference;
        block.sums[3] += times * square * square;
        let counted = if times > 0.0 { difference } else { 0.0 };
        block.least = block.least.min(counted);
        block.greatest = block.greatest.max(counted);
    }

    /// Adds up to a block of values, each so many times; the same bits as one by one are not promised.
    pub(super) fn add_block(&mut self, times: &[f64], values: &[f64]) {
        self.merge();
        self.block = block_of(times, values);
    }

    /// Takes the block in: Pébay (2008), Sandia report SAND2008-6212, section 3.1, for the third and fourth powers.
    fn merge(&mut self) {
        let block = std::mem::take(&mut self.block);
        if block.count == 0.0 {
            return;
        }
        let (n, k) = (self.count, block.count);
        let shift = block.sums[0] / k;
        let [_, second, third, fourth] = block.sums;
        let own = [
            (second - block.sums[0] * shift).max(0.0),
            third - 3.0 * shift * second + 2.0 * shift * shift * block.sums[0],
            fourth - 4.0 * shift * third + 6.0 * shift * shift * second
                - 3.0 * shift * shift * shift * block.sums[0],
        ];
        let apart = block.first + shift - self.mean;
        let count = n + k;
        let (before, part) = (n / count, k / count);
        let [two, three, four] = self.powers;
        let square = apart * apart;
        self.powers = [
            two + own[0] + square * (n * k / count),
            three
                + own[1]
                + apart * square * (n * k / count) * (before - part)
                + 3.0 * apart * (before * own[0] - part * two),
            four + own[2]
                + square
                    * square
                    * (n * k / count)
                    * (before * before - before * part + part * part)
                + 6.0 * square * (before * before * own[0] + part * part * two)
                + 4.0 * apart * (before * own[1] - part * three),
        ];
        self.mean += apart * part;
        self.count = count;
        let (least, greatest) = (block.first + block.least, block.first + block.greatest);
        let (l, g) = self.range.unwrap_or((least, greatest));
        self.range = Some((l.min(least), g.max(greatest)));
    }

    /// The sample variance; NaN of a single value or none.
    pub(super) fn variance(mut self) -> f64 {
        self.merge();
        if self.count > 1.0 {
            self.powers[0] / (self.count - 1.0)
        } else {
            f64::NAN
        }
    }

    /// The moments of the differences to a number, with that sign.
    pub(super) fn about(mut self, center: f64, sign: f64) -> Moments {
        self.merge();
        let apart = self.mean - center;
        let square = apart * apart;
        let [two, three, four] = self.powers;
        let (low, high) = self.range.unwrap_or((center, center));
        let ends = [sign * (low - center), sign * (high - center)];
        Moments {
            powers: [
                two + self.count * square,
                sign * (three + apart * (3.0 * two + self.count * square)),
                four + apart * (4.0 * three + apart * (6.0 * two + self.count * square)),
            ],
            least: ends[0].min(ends[1]).min(0.0),
            greatest: ends[0].max(ends[1]).max(0.0),
        }
    }
}

const LANES: usize = 8;

simd::widest! {
fn block_of(times: &[f64], values: &[f64]) -> Block {
    let first = values.first().copied().unwrap_or(0.0);
    let mut lanes = [[0.0; LANES]; 7];
    let (chunks, rest) = values.as_chunks::<LANES>();
    let (weights, others) = times.as_chunks::<LANES>();
    let (mut last, mut none) = ([first; LANES], [0.0; LANES]);
    last[..rest.len()].copy_from_slice(rest);
    none[..others.len()].copy_from_slice(others);
    for (values, times) in chunks.iter().zip(weights).chain([(&last, &none)]) {
        for lane in 0..LANES {
            let (times, difference) = (times[lane], values[lane] - first);
            let square = difference * difference;
            let counted = if times > 0.0 { difference } else { 0.0 };
            lanes[0][lane] += times;
            lanes[1][lane] += times * difference;
            lanes[2][lane] += times * square;
            lanes[3][lane] += times * square * difference;
            lanes[4][lane] += times * square * square;
            lanes[5][lane] = if counted < lanes[5][lane] { counted } else { lanes[5][lane] };
            lanes[6][lane] = if counted > lanes[6][lane] { counted } else { lanes[6][lane] };
        }
    }
    let sum = |of: usize| {
        let [a, b, c, d, e, f, g, h] = lanes[of];
        ((a + b) + (c + d)) + ((e + f) + (g + h))
    };
    Block {
        values: values.len(),
        first,
        count: sum(0),
        sums: [sum(1), sum(2), sum(3), sum(4)],
        least: lanes[5].into_iter().fold(0.0, f64::min),
        greatest: lanes[6].into_iter().fold(0.0, f64::max),
    }
}
}
