//! Euclidean distances between all samples, a tile at a time, from differences of their coordinates.

use crate::{interrupt, threads};

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
    /// Which other cluster is the nearest.
    pub neighbour: Vec<usize>,
}

/// What the distances of a sample to others count for in `weighted_distances`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    /// For samples of its own cluster.
    pub within: f64,
    /// For those of one other cluster.
    pub nearest: f64,
    pub neighbour: usize,
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
        walk(&mut |row, _, segment, cluster| {
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
            let means = others.map(|(cluster, sum)| (sum / samples.size(cluster) as f64, cluster));
            let rest = samples.size(own) - 1;
            let within = if rest == 0 {
                0.0
            } else {
                here[own] / rest as f64
            };
            let least = |best: (f64, usize), mean: (f64, usize)| {
                if mean.0 < best.0 { mean } else { best }
            };
            (within, means.fold((f64::INFINITY, own), least))
        })
        .collect()
    });
    let (within, others): (_, Vec<_>) = found.into_iter().unzip();
    let (nearest, neighbour) = others.into_iter().unzip();
    Ok(Means {
        within,
        nearest,
        neighbour,
    })
}

/// For each sample j the sum over samples i of their distance times what it counts for i, by the cluster of j.
///
/// # Errors
///
/// The clusters are empty, or do not cover the samples, or there is not one part for each sample.
///
/// ```
/// use certus_core::clustering::{Part, weighted_distances};
/// let part = |within, nearest, neighbour| Part { within, nearest, neighbour };
/// let parts = [part(1.0, 0.0, 1), part(2.0, 3.0, 1), part(0.0, 5.0, 0)];
/// let found = weighted_distances(&[0.0, 2.0, 10.0], 1, &[2, 3], &parts)?;
/// assert_eq!(found, [2.0 * 2.0 + 5.0 * 10.0, 2.0 + 5.0 * 8.0, 3.0 * 8.0]);
/// # Ok::<(), String>(())
/// ```
pub fn weighted_distances(
    values: &[f64],
    width: usize,
    ends: &[usize],
    parts: &[Part],
) -> Result<Vec<f64>, String> {
    let samples = Samples::of(values, width, ends)?;
    if parts.len() != samples.count {
        return Err("there must be one part for each sample".to_owned());
    }
    Ok(samples.each_tile(|rows, walk| {
        let mut sums = vec![0.0; rows.len()];
        walk(&mut |row, first, segment, cluster| {
            let own = samples.cluster(row);
            let here = &parts[first..first + segment.len()];
            let roots = segment.iter().map(|square| square.sqrt()).zip(here);
            sums[row - rows.start] += if own == cluster {
                sum(roots.map(|(distance, part)| distance * part.within))
            } else {
                let counts =
                    |part: &Part| f64::from(u8::from(part.neighbour == own)) * part.nearest;
                sum(roots.map(|(distance, part)| distance * counts(part)))
            };
        });
        sums
    }))
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
        walk(&mut |row, _, segment, cluster| {
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

/// What is done with the squared distances of a sample to samples that stand together in a cluster: the sample, the
/// first of the others, the squares, the cluster.
type Take<'a> = dyn FnMut(usize, usize, &[f64], usize) + 'a;

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
            interrupt::poll();
            let size = BLOCK.min(self.count - first);
            for row in rows.clone().step_by(LANES) {
                let lanes = LANES.min(rows.end - row);
                self.squares([row, row + lanes - 1], first, &mut squares);
                for (lane, squares) in squares[..lanes].iter().enumerate() {
                    self.segments(first, size, |from, to, cluster| {
                        take(
                            row + lane,
                            from,
                            &squares[from - first..to - first],
                            cluster,
                        );
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
            let cluster = |i: usize| ends.iter().filter(|&&end| end <= i).count();
            let parts: Vec<Part> = (0..count)
                .map(|i| Part {
                    within: random.below(100) as f64,
                    nearest: random.below(100) as f64,
                    neighbour: means.neighbour[i],
                })
                .collect();
            let weighted: Vec<f64> = (0..count)
                .map(|j| {
                    let weight = |i: usize| match cluster(i) == cluster(j) {
                        true => parts[i].within,
                        false if parts[i].neighbour == cluster(j) => parts[i].nearest,
                        false => 0.0,
                    };
                    let square = |i: usize, f: usize| {
                        (values[i * width + f] - values[j * width + f]).powi(2)
                    };
                    let distance = |i| (0..width).map(|f| square(i, f)).sum::<f64>().sqrt();
                    (0..count).map(|i| weight(i) * distance(i)).sum()
                })
                .collect();
            assert!(near(
                &weighted_distances(&values, width, &ends, &parts).unwrap(),
                &weighted
            ));
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
