//! Euclidean distances between all samples, a tile at a time, from differences of their coordinates.

use crate::threads;

/// Samples whose distances are looked at together.
const BLOCK: usize = 128;
/// Samples that pass over a block together.
const TILE: usize = 32;
/// Rows whose distances to a block are computed together.
const LANES: usize = 2;
/// Samples of a block whose squared distances are summed together.
const GROUP: usize = 8;

/// For each sample the mean distance to the others of its cluster, and to the nearest other cluster.
#[derive(Debug, PartialEq)]
pub struct Means {
    /// 0 for a sample alone in its cluster.
    pub within: Vec<f64>,
    pub nearest: Vec<f64>,
}

/// The greatest distance within a cluster, and the least between two clusters.
#[derive(Debug, PartialEq)]
pub struct Extremes {
    pub within: f64,
    pub between: f64,
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
    let found = samples.each_tile(|rows, walk| {
        let clusters = ends.len();
        let mut sums = vec![0.0; rows.len() * clusters];
        walk(&mut |row, segment, cluster| {
            sums[(row - rows.start) * clusters + cluster] +=
                sum(segment.iter().map(|square| square.sqrt()));
        });
        rows.map(|row| {
            let own = samples.cluster(row);
            let here = &sums[(row % TILE) * clusters..][..clusters];
            let others = here
                .iter()
                .enumerate()
                .filter(|&(cluster, _)| cluster != own);
            let means = others.map(|(cluster, sum)| sum / samples.size(cluster) as f64);
            let rest = samples.size(own) - 1;
            let within = if rest == 0 {
                0.0
            } else {
                here[own] / rest as f64
            };
            (within, means.fold(f64::INFINITY, f64::min))
        })
        .collect()
    });
    let (within, nearest) = found.into_iter().unzip();
    Ok(Means { within, nearest })
}

/// The greatest distance within and the least between clusters, of samples in the order of their clusters.
///
/// # Errors
///
/// The clusters are empty, or do not cover the samples.
///
/// ```
/// use certus_core::clustering::extreme_distances;
/// let found = extreme_distances(&[0.0, 2.0, 10.0], 1, &[2, 3])?;
/// assert_eq!((found.within, found.between), (2.0, 8.0));
/// # Ok::<(), String>(())
/// ```
pub fn extreme_distances(values: &[f64], width: usize, ends: &[usize]) -> Result<Extremes, String> {
    let samples = Samples::of(values, width, ends)?;
    let found = samples.each_tile(|rows, walk| {
        let (mut within, mut between) = (0.0f64, f64::INFINITY);
        walk(&mut |row, segment, cluster| {
            if samples.cluster(row) == cluster {
                within = segment.iter().copied().fold(within, f64::max);
            } else {
                between = segment.iter().copied().fold(between, f64::min);
            }
        });
        let _ = rows;
        vec![(within, between)]
    });
    let within = found.iter().map(|each| each.0).fold(0.0, f64::max);
    let between = found
        .iter()
        .map(|each| each.1)
        .fold(f64::INFINITY, f64::min);
    Ok(Extremes {
        within: within.sqrt(),
        between: between.sqrt(),
    })
}

struct Samples<'a> {
    values: &'a [f64],
    width: usize,
    ends: &'a [usize],
    /// In groups of samples, in each one coordinate of all of them after the other; the last group filled with zeros.
    turned: Vec<f64>,
    count: usize,
}

/// What is done with the squared distances of a sample to samples that stand together in a cluster.
type Take<'a> = dyn FnMut(usize, &[f64], usize) + 'a;

impl<'a> Samples<'a> {
    fn of(values: &'a [f64], width: usize, ends: &'a [usize]) -> Result<Self, String> {
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

    fn cluster(&self, sample: usize) -> usize {
        self.ends.partition_point(|&end| end <= sample)
    }

    fn size(&self, cluster: usize) -> usize {
        self.ends[cluster]
            - if cluster == 0 {
                0
            } else {
                self.ends[cluster - 1]
            }
    }

    /// Calls `work` for each tile of rows with a way to walk over their squared distances to all samples.
    fn each_tile<T: Send>(
        &self,
        work: impl Fn(std::ops::Range<usize>, &dyn Fn(&mut Take)) -> Vec<T> + Sync,
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

    fn walk(&self, rows: std::ops::Range<usize>, take: &mut Take) {
        let mut squares = [[0.0; BLOCK]; LANES];
        for first in (0..self.count).step_by(BLOCK) {
            let size = BLOCK.min(self.count - first);
            for row in rows.clone().step_by(LANES) {
                let lanes = LANES.min(rows.end - row);
                self.squares([row, row + lanes - 1], first, &mut squares);
                for (lane, squares) in squares[..lanes].iter().enumerate() {
                    self.segments(first, size, |from, to, cluster| {
                        take(row + lane, &squares[from - first..to - first], cluster);
                    });
                }
            }
        }
    }

    /// The squared distances of two rows, or twice of one, to a block; what is summed stays in registers.
    fn squares(&self, rows: [usize; LANES], first: usize, squares: &mut [[f64; BLOCK]; LANES]) {
        let [one, two] = rows.map(|row| &self.values[row * self.width..(row + 1) * self.width]);
        let groups = self.turned[first * self.width..].chunks_exact(GROUP * self.width.max(1));
        let [out, other] = squares;
        let out = out
            .chunks_exact_mut(GROUP)
            .zip(other.chunks_exact_mut(GROUP));
        for (group, (out, other)) in groups.zip(out) {
            let (mut sums, mut others) = ([0.0; GROUP], [0.0; GROUP]);
            let columns = group.chunks_exact(GROUP);
            for ((column, &a), &b) in columns.zip(one).zip(two) {
                for lane in 0..GROUP {
                    let (x, y) = (column[lane] - a, column[lane] - b);
                    sums[lane] += x * x;
                    others[lane] += y * y;
                }
            }
            out.copy_from_slice(&sums);
            other.copy_from_slice(&others);
        }
    }

    /// The parts of a block that belong to one cluster each.
    fn segments(&self, first: usize, size: usize, mut work: impl FnMut(usize, usize, usize)) {
        let (mut from, mut cluster) = (first, self.cluster(first));
        while from < first + size {
            let to = self.ends[cluster].min(first + size);
            work(from, to, cluster);
            (from, cluster) = (to, cluster + 1);
        }
    }
}

/// The sum in eight parts, whatever the number of threads.
fn sum(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let mut parts = [0.0; 8];
    for (place, value) in values.enumerate() {
        parts[place % 8] += value;
    }
    ((parts[0] + parts[4]) + (parts[2] + parts[6]))
        + ((parts[1] + parts[5]) + (parts[3] + parts[7]))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::ranking::naive::Random;

    fn naive(values: &[f64], width: usize, ends: &[usize]) -> (Vec<f64>, Vec<f64>, f64, f64) {
        let count = values.len() / width;
        let cluster = |i: usize| ends.iter().filter(|&&end| end <= i).count();
        let distance = |i: usize, j: usize| {
            (0..width)
                .map(|f| (values[i * width + f] - values[j * width + f]).powi(2))
                .sum::<f64>()
                .sqrt()
        };
        let (mut within, mut nearest) = (Vec::new(), Vec::new());
        let (mut widest, mut closest) = (0.0f64, f64::INFINITY);
        for i in 0..count {
            let mut best = f64::INFINITY;
            let mut own = 0.0;
            for c in 0..ends.len() {
                let members: Vec<usize> = (0..count).filter(|&j| cluster(j) == c).collect();
                let total: f64 = members.iter().map(|&j| distance(i, j)).sum();
                if c == cluster(i) {
                    own = total / (members.len().max(2) - 1) as f64;
                    for &j in &members {
                        widest = widest.max(distance(i, j));
                    }
                } else {
                    best = best.min(total / members.len() as f64);
                    for &j in &members {
                        closest = closest.min(distance(i, j));
                    }
                }
            }
            within.push(own);
            nearest.push(best);
        }
        (within, nearest, widest, closest)
    }

    #[test]
    fn tiles_give_what_all_pairs_give() {
        let mut random = Random::new(9);
        for (count, width, clusters) in [(3, 1, 2), (40, 3, 5), (150, 2, 40), (261, 5, 3)] {
            let values: Vec<f64> = (0..count * width)
                .map(|_| random.below(1000) as f64 / 100.0)
                .collect();
            let ends: Vec<usize> = (1..=clusters).map(|c| count * c / clusters).collect();
            let (within, nearest, widest, closest) = naive(&values, width, &ends);
            let means = mean_distances(&values, width, &ends).unwrap();
            let near = |one: &[f64], other: &[f64]| {
                one.iter()
                    .zip(other)
                    .all(|(x, y)| (x - y).abs() <= 1e-12 * y)
            };
            assert!(near(&means.within, &within) && near(&means.nearest, &nearest));
            let extremes = extreme_distances(&values, width, &ends).unwrap();
            assert!((extremes.within - widest).abs() < 1e-12);
            assert!((extremes.between - closest).abs() < 1e-12);
        }
    }

    #[test]
    fn clusters_that_do_not_cover_the_samples_are_refused() {
        assert!(mean_distances(&[1.0, 2.0], 1, &[1]).is_err());
        assert!(mean_distances(&[1.0, 2.0], 1, &[1, 1, 2]).is_err());
        assert!(extreme_distances(&[1.0, 2.0], 1, &[0, 2]).is_err());
    }
}
