//! Sums and extremes of the Euclidean distances between all samples, from differences of their coordinates.

use super::samples::{BLOCK, Samples, sum};
use crate::simd;

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
            let mut counted = [0.0; BLOCK];
            let counted = &mut counted[..segment.len()];
            for ((counted, square), part) in counted.iter_mut().zip(segment).zip(here) {
                let counts = if own == cluster {
                    part.within
                } else {
                    f64::from(u8::from(part.neighbour == own)) * part.nearest
                };
                *counted = square.sqrt() * counts;
            }
            sums[row - rows.start] += sum(counted);
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
                within = within.max(extremes(segment).1);
            } else {
                between = between.min(extremes(segment).0);
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

simd::widest! {
/// The least and the greatest of some squares, of which none is NaN.
fn extremes(squares: &[f64]) -> (f64, f64) {
    let (mut least, mut greatest) = ([f64::INFINITY; 8], [0.0; 8]);
    let (chunks, rest) = squares.as_chunks::<8>();
    for chunk in chunks.iter().map(|chunk| &chunk[..]).chain([rest]) {
        for ((least, greatest), &x) in least.iter_mut().zip(&mut greatest).zip(chunk) {
            *least = if x < *least { x } else { *least };
            *greatest = if x > *greatest { x } else { *greatest };
        }
    }
    (least.into_iter().fold(f64::INFINITY, f64::min), greatest.into_iter().fold(0.0, f64::max))
}
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::clustering::mean_distances;
    use crate::fuzz::Random;

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
        // Large clusters are cut into pieces.
        let sizes = [
            (3, 1, 2),
            (40, 3, 5),
            (150, 2, 40),
            (261, 5, 3),
            (900, 2, 2),
            (901, 1, 4),
        ];
        for (count, width, clusters) in sizes {
            let values: Vec<f64> = (0..count * width)
                .map(|_| random.below(1000) as f64 / 100.0)
                .collect();
            let mut ends: Vec<usize> = (1..=clusters).map(|c| count * c / clusters).collect();
            if count == 901 {
                ends[..3].copy_from_slice(&[7, 10, 620]);
            }
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
