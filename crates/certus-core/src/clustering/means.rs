//! Mean distances of samples to their own and to the nearest other cluster, each distance computed once.
//!
//! A tile of rows of one cluster passes over the samples from its first one on; a distance is added to what its row has
//! of the sample's cluster, and to what the sample has of the row's. The rows are cut into pieces that depend on the
//! samples only, and what pieces give is put together in their order: the bits are the same for any number of threads.

use std::ops::Range;

use super::samples::{BLOCK, ROWS, Samples, TILE, Table, sum};
use crate::{interrupt, simd, threads};

/// Pieces that the rows are cut into, if they have as many rows.
const PIECES: usize = 32;
const LEAST_ROWS: usize = 256;
/// Products of coordinates that are worth a thread.
const PER_THREAD: usize = 1 << 23;

/// For each sample the mean distance to the others of its cluster, and to the nearest other cluster.
#[derive(Debug, PartialEq)]
pub struct Means {
    /// 0 for a sample alone in its cluster.
    pub within: Vec<f64>,
    pub nearest: Vec<f64>,
    /// The nearest other cluster, the first of equally near ones.
    pub neighbour: Vec<usize>,
}

/// Mean distances of samples that stand in the order of their clusters; cluster c ends before sample `ends[c]`.
///
/// # Errors
///
/// The clusters are empty, or do not cover the samples.
///
/// ```
/// use certus_core::clustering::mean_distances;
/// let means = mean_distances(&[0.0, 2.0, 10.0], 1, &[2, 3])?;
/// assert_eq!((means.within, means.nearest), (vec![2.0, 2.0, 0.0], vec![10.0, 8.0, 9.0]));
/// # Ok::<(), String>(())
/// ```
pub fn mean_distances(values: &[f64], width: usize, ends: &[usize]) -> Result<Means, String> {
    let samples = Samples::of(values, width, ends)?;
    let pieces = pieces(&samples);
    // The first with the last: early pieces have more samples to pass over.
    let pairs = pieces.len().div_ceil(2);
    let each = samples.count.saturating_mul(values.len()) / pairs.max(1);
    let mut found = threads::map(pairs, PER_THREAD.div_ceil(each.max(1)), |range| {
        let both = range.flat_map(|place| {
            let last = pieces.len() - 1 - place;
            [Some(place), (last > place).then_some(last)]
        });
        both.flatten()
            .map(|place| (place, samples.sums(&pieces[place])))
            .collect()
    });
    found.sort_unstable_by_key(|&(place, _)| place);
    Ok(samples.joined(pieces.iter().zip(found.into_iter().map(|(_, sums)| sums))))
}

/// Rows that are worked on together: of whole clusters, or of a part of one.
struct Piece {
    rows: Range<usize>,
    part: bool,
}

/// A mean distance to a cluster, and the cluster.
#[derive(Clone, Copy)]
struct Near(f64, usize);

impl Near {
    const NONE: Near = Near(f64::INFINITY, usize::MAX);

    fn take(&mut self, other: Near) {
        if other.0 < self.0 || other.0 == self.0 && other.1 < self.1 {
            *self = other;
        }
    }
}

/// What a piece says of the samples from its first row on.
struct Sums {
    /// Of each row the sum of the distances to samples of its cluster that it knows of.
    within: Vec<f64>,
    /// The nearest cluster that is known to be complete.
    nearest: Vec<Near>,
    /// Of a part of a cluster, the sum of the distances of each sample to its rows; of whole clusters nothing.
    open: Vec<f64>,
}

fn pieces(samples: &Samples) -> Vec<Piece> {
    let most = LEAST_ROWS.max(samples.count.div_ceil(PIECES));
    let mut found: Vec<Piece> = Vec::new();
    let mut first = 0;
    for &end in samples.ends {
        let start = found.last().map_or(0, |piece| piece.rows.end);
        if end - first > most {
            if start < first {
                found.push(Piece {
                    rows: start..first,
                    part: false,
                });
            }
            for from in (first..end).step_by(most) {
                let rows = from..end.min(from + most);
                found.push(Piece { rows, part: true });
            }
        } else if end - start >= most || end == samples.count {
            found.push(Piece {
                rows: start..end,
                part: false,
            });
        }
        first = end;
    }
    found
}

impl Samples<'_> {
    fn sums(&self, piece: &Piece) -> Sums {
        let start = piece.rows.start;
        let mut found = Sums {
            within: vec![0.0; piece.rows.len()],
            nearest: vec![Near::NONE; self.count - start],
            open: Vec::new(),
        };
        let mut sums = Vec::new();
        let mut first = start;
        while first < piece.rows.end {
            let cluster = self.cluster(first);
            let rows = first..piece.rows.end.min(self.ends[cluster]);
            sums.clear();
            sums.resize(self.count - first, 0.0);
            for from in rows.clone().step_by(TILE) {
                let tile = from..rows.end.min(from + TILE);
                self.pass(tile, cluster, first, &mut sums, start, &mut found);
            }
            if !piece.part {
                let (own, others) = sums.split_at(rows.len());
                let within = &mut found.within[first - start..];
                within
                    .iter_mut()
                    .zip(own)
                    .for_each(|(all, sum)| *all += sum);
                self.close(cluster, others, &mut found.nearest[rows.end - start..]);
            }
            first = rows.end;
        }
        if piece.part {
            found.open = sums;
        }
        found
    }

    /// Compares the mean distances to a cluster, of which the sums are given, with the least ones so far.
    fn close(&self, cluster: usize, sums: &[f64], nearest: &mut [Near]) {
        let size = self.size(cluster) as f64;
        for (nearest, sum) in nearest.iter_mut().zip(sums) {
            nearest.take(Near(sum / size, cluster));
        }
    }

    /// Adds the distances of a tile of rows of a cluster to the samples from its first row on: to `sums`, of samples
    /// from `first` on after the tile, and to what is found of its rows, `start` being the first row of the piece.
    fn pass(
        &self,
        tile: Range<usize>,
        own: usize,
        first: usize,
        sums: &mut [f64],
        start: usize,
        found: &mut Sums,
    ) {
        let quads = self.quads(tile.clone());
        let mut table = [[0.0; BLOCK]; ROWS];
        let mut by_row = [0.0; TILE];
        for block in (tile.start / BLOCK * BLOCK..self.count).step_by(BLOCK) {
            interrupt::poll();
            let mut totals = [0.0; BLOCK];
            for (quad, row) in quads.iter().zip(tile.clone().step_by(ROWS)) {
                let lanes = ROWS.min(tile.end - row);
                self.squares(quad, block, &mut table);
                table[lanes..].fill([0.0; BLOCK]);
                take_roots(&mut table, &mut totals);
                self.segments(block, |here, cluster| {
                    if here.end <= tile.start {
                        return;
                    }
                    let from = here.start.max(tile.start);
                    let parts = row_sums(&table, from - block, here.end - block);
                    for (row, part) in (row..row + lanes).zip(parts) {
                        let sum = &mut by_row[row - tile.start];
                        *sum += part;
                        if here.end < self.ends[cluster] {
                            continue;
                        }
                        if cluster == own {
                            found.within[row - start] += *sum;
                        } else {
                            let mean = *sum / self.size(cluster) as f64;
                            found.nearest[row - start].take(Near(mean, cluster));
                        }
                        *sum = 0.0;
                    }
                });
            }
            let from = block.max(tile.end);
            let to = self.count.min(block + BLOCK);
            if from < to {
                let sums = &mut sums[from - first..to - first];
                sums.iter_mut()
                    .zip(&totals[from - block..])
                    .for_each(|(sum, total)| *sum += total);
            }
        }
    }

    fn joined<'p>(&self, pieces: impl Iterator<Item = (&'p Piece, Sums)>) -> Means {
        let mut within = vec![0.0; self.count];
        let mut nearest = vec![Near::NONE; self.count];
        let mut open = Vec::new();
        for (Piece { rows, part }, found) in pieces {
            let here = within[rows.clone()].iter_mut().zip(found.within);
            here.for_each(|(all, sum)| *all += sum);
            let here = nearest[rows.start..].iter_mut().zip(found.nearest);
            here.for_each(|(all, near)| all.take(near));
            if !part {
                continue;
            }
            let cluster = self.cluster(rows.start);
            let first = self.start(cluster);
            if rows.start == first {
                open = vec![0.0; self.count - first];
            }
            let here = open[rows.start - first..].iter_mut().zip(found.open);
            here.for_each(|(all, sum)| *all += sum);
            if rows.end == self.ends[cluster] {
                let (own, others) = open.split_at(self.size(cluster));
                let here = within[first..].iter_mut().zip(own);
                here.for_each(|(all, sum)| *all += sum);
                self.close(cluster, others, &mut nearest[rows.end..]);
            }
        }
        for (cluster, &end) in self.ends.iter().enumerate() {
            let others = self.size(cluster).max(2) - 1;
            let own = &mut within[self.start(cluster)..end];
            own.iter_mut().for_each(|sum| *sum /= others as f64);
        }
        let of = |(sample, near): (usize, &Near)| match near.1 {
            usize::MAX => self.cluster(sample),
            cluster => cluster,
        };
        Means {
            within,
            neighbour: nearest.iter().enumerate().map(of).collect(),
            nearest: nearest.into_iter().map(|near| near.0).collect(),
        }
    }
}

simd::widest! {
/// Takes the roots of all, and adds those of each column to its total.
fn take_roots(table: &mut Table, totals: &mut [f64; BLOCK]) -> () {
    let [one, two, three, four] = table;
    let rows = one.iter_mut().zip(two).zip(three.iter_mut().zip(four));
    for (total, ((a, b), (c, d))) in totals.iter_mut().zip(rows) {
        (*a, *b, *c, *d) = (a.sqrt(), b.sqrt(), c.sqrt(), d.sqrt());
        *total += (*a + *b) + (*c + *d);
    }
}
}

simd::widest! {
fn row_sums(table: &Table, from: usize, to: usize) -> [f64; ROWS] {
    table.each_ref().map(|row| sum(&row[from..to]))
}
}
