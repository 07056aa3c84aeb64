//! Samples in the order of their clusters, and the squared distances of a few of them to many.

use std::ops::Range;

use crate::{interrupt, simd, threads};

/// Samples whose distances are looked at together.
pub(super) const BLOCK: usize = 128;
/// Samples that pass over a block together.
pub(super) const TILE: usize = 32;
/// Rows whose distances to a block are computed together.
pub(super) const ROWS: usize = 4;
/// Samples of a block whose squared distances are summed together.
const GROUP: usize = 8;

/// Of a few rows what belongs to each sample of a block.
pub(super) type Table = [[f64; BLOCK]; ROWS];

/// The samples by their clusters, equal ones of a cluster side by side: an order that does not depend on the given one.
///
/// # Errors
///
/// There is not one cluster for each sample.
///
/// ```
/// use certus_core::clustering::in_order;
/// assert_eq!(in_order(&[5.0, 7.0, 2.0], 1, &[0, 1, 0]), Ok(vec![2, 0, 1]));
/// ```
pub fn in_order(values: &[f64], width: usize, labels: &[i64]) -> Result<Vec<usize>, String> {
    if labels.len().checked_mul(width) != Some(values.len()) {
        return Err("there must be one cluster for each sample".to_owned());
    }
    let row = |sample: usize| &values[sample * width..(sample + 1) * width];
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_unstable_by(|&one, &other| {
        let rows = || row(one).iter().zip(row(other));
        let by_row = || {
            rows()
                .map(|(x, y)| x.total_cmp(y))
                .find(|order| order.is_ne())
        };
        let by_row = || by_row().unwrap_or_else(|| one.cmp(&other));
        labels[one].cmp(&labels[other]).then_with(by_row)
    });
    Ok(order)
}

/// Samples that stand in the order of their clusters.
pub(super) struct Samples<'a> {
    values: &'a [f64],
    width: usize,
    /// Where each cluster ends.
    pub(super) ends: &'a [usize],
    /// In groups of samples, in each one coordinate of all of them after the other; the last group filled with zeros.
    turned: Vec<f64>,
    pub(super) count: usize,
}

/// What is done with the squared distances of a sample to samples that stand together in a cluster: the sample, the
/// first of the others, the squares, the cluster.
pub(super) type Take<'a> = dyn FnMut(usize, usize, &[f64], usize) + 'a;

impl<'a> Samples<'a> {
    pub(super) fn of(values: &'a [f64], width: usize, ends: &'a [usize]) -> Result<Self, String> {
        let count = ends.last().copied().unwrap_or(0);
        let grow = ends
            .iter()
            .zip(ends.iter().skip(1))
            .all(|(one, other)| one < other);
        if !grow || ends.first() == Some(&0) || count.checked_mul(width) != Some(values.len()) {
            return Err("the clusters must be ranges of samples, none of them empty".to_owned());
        }
        let mut turned = vec![0.0; count.next_multiple_of(GROUP) * width];
        for (sample, row) in values.chunks_exact(width.max(1)).enumerate() {
            let start = sample / GROUP * GROUP * width + sample % GROUP;
            for (feature, &value) in row.iter().enumerate() {
                turned[start + feature * GROUP] = value;
            }
        }
        Ok(Samples {
            values,
            width,
            ends,
            turned,
            count,
        })
    }

    pub(super) fn cluster(&self, sample: usize) -> usize {
        self.ends.partition_point(|&end| end <= sample)
    }

    pub(super) fn start(&self, cluster: usize) -> usize {
        if cluster == 0 {
            0
        } else {
            self.ends[cluster - 1]
        }
    }

    pub(super) fn size(&self, cluster: usize) -> usize {
        self.ends[cluster] - self.start(cluster)
    }

    /// The coordinates of some rows, those of each few of them side by side; the last stands for rows that lack.
    pub(super) fn quads(&self, rows: Range<usize>) -> Vec<Vec<[f64; ROWS]>> {
        let last = rows.end - 1;
        let of = |row: usize| {
            let place = |feature| {
                std::array::from_fn(|lane| self.values[last.min(row + lane) * self.width + feature])
            };
            (0..self.width).map(place).collect()
        };
        rows.step_by(ROWS).map(of).collect()
    }

    /// The squared distances of a few rows to the block from sample `first` on, a multiple of `BLOCK`.
    pub(super) fn squares(&self, quad: &[[f64; ROWS]], first: usize, found: &mut Table) {
        squares(quad, &self.turned[first * self.width..], found);
    }

    /// Calls `work` for each tile of rows with a way to walk over their squared distances to all samples.
    pub(super) fn each_tile<T: Send>(
        &self,
        work: impl Fn(Range<usize>, &dyn Fn(&mut Take)) -> Vec<T> + Sync,
    ) -> Vec<T> {
        threads::map(self.count.div_ceil(TILE), 4, |tiles| {
            tiles
                .flat_map(|tile| {
                    let rows = tile * TILE..self.count.min((tile + 1) * TILE);
                    work(rows.clone(), &|take| self.walk(rows.clone(), take))
                })
                .collect()
        })
    }

    fn walk(&self, rows: Range<usize>, take: &mut Take) {
        let mut found = [[0.0; BLOCK]; ROWS];
        let quads = self.quads(rows.clone());
        for first in (0..self.count).step_by(BLOCK) {
            interrupt::poll();
            for (quad, row) in quads.iter().zip(rows.clone().step_by(ROWS)) {
                self.squares(quad, first, &mut found);
                for (row, found) in (row..rows.end).zip(&found) {
                    self.segments(first, |here, cluster| {
                        let squares = &found[here.start - first..here.end - first];
                        take(row, here.start, squares, cluster);
                    });
                }
            }
        }
    }

    /// The parts of the block from `first` on that belong to one cluster each.
    pub(super) fn segments(&self, first: usize, mut work: impl FnMut(Range<usize>, usize)) {
        let (mut from, mut cluster) = (first, self.cluster(first));
        let end = self.count.min(first + BLOCK);
        while from < end {
            let to = self.ends[cluster].min(end);
            work(from..to, cluster);
            (from, cluster) = (to, cluster + 1);
        }
    }
}

simd::widest! {
/// What is summed stays in registers.
fn squares(quad: &[[f64; ROWS]], columns: &[f64], found: &mut Table) -> () {
    let groups = columns.chunks_exact(GROUP * quad.len().max(1));
    for (place, group) in groups.take(BLOCK / GROUP).enumerate() {
        let mut sums = [[0.0; GROUP]; ROWS];
        for (column, row) in group.as_chunks::<GROUP>().0.iter().zip(quad) {
            for (sums, &a) in sums.iter_mut().zip(row) {
                for (sum, &x) in sums.iter_mut().zip(column) {
                    *sum += (x - a) * (x - a);
                }
            }
        }
        for (found, sums) in found.iter_mut().zip(sums) {
            found[place * GROUP..][..GROUP].copy_from_slice(&sums);
        }
    }
}
}

/// The sum in eight parts, whatever the number of threads.
#[inline(always)]
pub(super) fn sum(values: &[f64]) -> f64 {
    let mut parts = [0.0; 8];
    let (chunks, rest) = values.as_chunks::<8>();
    for chunk in chunks {
        parts.iter_mut().zip(chunk).for_each(|(part, x)| *part += x);
    }
    parts.iter_mut().zip(rest).for_each(|(part, x)| *part += x);
    ((parts[0] + parts[4]) + (parts[2] + parts[6]))
        + ((parts[1] + parts[5]) + (parts[3] + parts[7]))
}
