//! Centroids of clusters from exact sums, and the distances of samples from theirs.

use std::ops::Range;

use crate::exact::Sum;
use crate::{interrupt, simd, threads};

/// Samples whose coordinates are summed together.
const BLOCK: usize = 512;
/// Coordinates that are taken out of rows together, and lanes of a sum over them.
const LANES: usize = 8;
/// Numbers that are worth a thread.
const PER_THREAD: usize = 1 << 20;

/// The centroid of each cluster, and last that of all samples: the mean of each coordinate as the nearest float to one
/// division, and what is left of the mean. Both are the same for any order of samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Centroids {
    pub means: Vec<f64>,
    pub rests: Vec<f64>,
}

impl Centroids {
    fn push(&mut self, mut sum: Sum, count: usize) {
        let mean = sum.rounded() / count as f64;
        sum.add_product(-(count as f64), mean);
        self.means.push(mean);
        self.rests.push(sum.rounded() / count as f64);
    }
}

/// The samples of each cluster, one after the other, and where each cluster ends.
struct Members {
    samples: Vec<usize>,
    ends: Vec<usize>,
}

impl Members {
    fn of(labels: &[i64], clusters: usize) -> Result<Self, String> {
        let mut ends = vec![0_usize; clusters + 1];
        for &label in labels {
            let place = usize::try_from(label).ok().filter(|&c| c < clusters);
            ends[place
                .ok_or_else(|| format!("cluster {label} is not from 0 to {clusters} - 1"))?
                + 1] += 1;
        }
        for cluster in 0..clusters {
            ends[cluster + 1] += ends[cluster];
        }
        let mut samples = vec![0; labels.len()];
        for (sample, &label) in labels.iter().enumerate() {
            let next = &mut ends[label as usize];
            samples[*next] = sample;
            *next += 1;
        }
        Ok(Members { samples, ends })
    }

    /// Each start has moved to the end of its cluster.
    fn range(&self, cluster: usize) -> Range<usize> {
        let start = if cluster == 0 {
            0
        } else {
            self.ends[cluster - 1]
        };
        start..self.ends[cluster]
    }
}

fn check(values: &[f64], width: usize, labels: &[i64]) -> Result<(), String> {
    if labels.len().checked_mul(width) == Some(values.len()) {
        return Ok(());
    }
    Err("there must be one cluster for each sample".to_owned())
}

/// The centroids of clusters from 0 to `clusters` - 1; those of a cluster without samples are NaN.
///
/// # Errors
///
/// There is not one cluster for each sample, or one is not from 0 to `clusters` - 1.
///
/// ```
/// use certus_core::clustering::centroids;
/// let found = centroids(&[1.0, 2.0, 6.0], 1, &[0, 0, 1], 2)?;
/// assert_eq!((found.means, found.rests), (vec![1.5, 6.0, 3.0], vec![0.0; 3]));
/// # Ok::<(), String>(())
/// ```
pub fn centroids(
    values: &[f64],
    width: usize,
    labels: &[i64],
    clusters: usize,
) -> Result<Centroids, String> {
    check(values, width, labels)?;
    let members = Members::of(labels, clusters)?;
    let each = (values.len() / clusters.max(1)).max(width).max(1);
    let parts = threads::map(clusters, PER_THREAD.div_ceil(each), |range| {
        let (mut found, mut all) = (Centroids::default(), vec![Sum::default(); width]);
        for cluster in range {
            interrupt::poll();
            let here = &members.samples[members.range(cluster)];
            for from in (0..width).step_by(LANES) {
                let columns = from..width.min(from + LANES);
                for (column, sum) in columns
                    .clone()
                    .zip(column_sums(values, width, here, columns))
                {
                    all[column].merge(&sum);
                    found.push(sum, here.len());
                }
            }
        }
        vec![(found, all)]
    });
    let (mut found, mut all) = (Centroids::default(), vec![Sum::default(); width]);
    for (part, sums) in parts {
        found.means.extend(part.means);
        found.rests.extend(part.rests);
        all.iter_mut()
            .zip(&sums)
            .for_each(|(all, sum)| all.merge(sum));
    }
    for sum in all {
        found.push(sum, labels.len());
    }
    Ok(found)
}

/// The exact sums of some columns over some rows.
fn column_sums(values: &[f64], width: usize, rows: &[usize], columns: Range<usize>) -> Vec<Sum> {
    let mut sums = vec![Sum::default(); columns.len()];
    let mut held = [[0.0; BLOCK]; LANES];
    for rows in rows.chunks(BLOCK) {
        for (place, &row) in rows.iter().enumerate() {
            let here = &values[row * width..][columns.clone()];
            held.iter_mut()
                .zip(here)
                .for_each(|(held, &value)| held[place] = value);
        }
        for (sum, held) in sums.iter_mut().zip(&held) {
            sum.add_all(&held[..rows.len()]);
        }
    }
    sums
}

/// The squared distance of each sample from the centroid of its cluster.
///
/// # Errors
///
/// There is not one cluster for each sample, or it has no centroid.
///
/// ```
/// use certus_core::clustering::{centroids, distances_from};
/// let (values, labels) = ([1.0, 2.0, 6.0], [0, 0, 1]);
/// let found = centroids(&values, 1, &labels, 2)?;
/// assert_eq!(distances_from(&found.means, &found.rests, &values, 1, &labels), Ok(vec![0.25, 0.25, 0.0]));
/// # Ok::<(), String>(())
/// ```
pub fn distances_from(
    means: &[f64],
    rests: &[f64],
    values: &[f64],
    width: usize,
    labels: &[i64],
) -> Result<Vec<f64>, String> {
    check(values, width, labels)?;
    if width == 0 {
        return Ok(vec![0.0; labels.len()]);
    }
    let clusters = means.len().min(rests.len()) / width;
    if !labels
        .iter()
        .all(|&label| usize::try_from(label).is_ok_and(|label| label < clusters))
    {
        return Err(format!("a cluster is not one of {clusters}"));
    }
    Ok(threads::map(
        labels.len(),
        PER_THREAD.div_ceil(width),
        |range| {
            let mut found = vec![0.0; range.len()];
            squares(
                means,
                rests,
                &values[range.start * width..range.end * width],
                &labels[range],
                &mut found,
            );
            found
        },
    ))
}

simd::widest! {
/// The sums of squares over the coordinates, in eight parts.
fn squares(means: &[f64], rests: &[f64], values: &[f64], labels: &[i64], found: &mut [f64]) -> () {
    let width = values.len() / labels.len().max(1);
    for ((row, &label), found) in values.chunks_exact(width.max(1)).zip(labels).zip(found) {
        let first = label as usize * width;
        let (means, rests) = (&means[first..first + width], &rests[first..first + width]);
        let square = |x: f64, mean: f64, rest: f64| {
            let d = (x - mean) - rest;
            d * d
        };
        let mut parts = [0.0; LANES];
        let ((rows, row), (means, mean), (rests, rest)) =
            (row.as_chunks::<LANES>(), means.as_chunks::<LANES>(), rests.as_chunks::<LANES>());
        for ((row, mean), rest) in rows.iter().zip(means).zip(rests) {
            for lane in 0..LANES {
                parts[lane] += square(row[lane], mean[lane], rest[lane]);
            }
        }
        for (((part, &x), &mean), &rest) in parts.iter_mut().zip(row).zip(mean).zip(rest) {
            *part += square(x, mean, rest);
        }
        let [a, b, c, d, e, f, g, h] = parts;
        *found = ((a + b) + (c + d)) + ((e + f) + (g + h));
    }
}
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::fuzz::Random;

    /// Whole numbers far from 0, so that sums and products are whole, too.
    fn samples(n: usize, width: usize, clusters: i64) -> (Vec<f64>, Vec<i64>) {
        let mut random = Random::new(5);
        let values = (0..n * width)
            .map(|_| 1e12 + random.below(1000) as f64)
            .collect();
        let labels = (0..n).map(|i| {
            if i < clusters as usize {
                i as i64
            } else {
                random.below(clusters as u64) as i64
            }
        });
        (values, labels.collect())
    }

    #[test]
    fn centroids_are_the_means_of_whole_numbers_in_any_order() {
        for (n, width, clusters) in [(5, 1, 2), (700, 3, 4), (2000, 17, 3), (40, 8, 20)] {
            let (values, labels) = samples(n, width, clusters);
            let found = centroids(&values, width, &labels, clusters as usize).unwrap();
            for cluster in 0..=clusters as usize {
                let here = |i: &usize| cluster == clusters as usize || labels[*i] == cluster as i64;
                let count = (0..n).filter(here).count() as i128;
                for column in 0..width {
                    let whole = |i: usize| values[i * width + column] as i128;
                    let sum: i128 = (0..n).filter(here).map(whole).sum();
                    let (mean, rest) = (
                        found.means[cluster * width + column],
                        found.rests[cluster * width + column],
                    );
                    // The mean has a few binary places: times 2^20 it is whole.
                    let scale = f64::from(1 << 20);
                    let left = (sum << 20) - (mean * scale) as i128 * count;
                    let left = left as f64 / scale / count as f64;
                    assert!((rest - left).abs() <= 1e-12 * left.abs(), "{rest} {left}");
                }
            }
            let turned: Vec<f64> = values.chunks(width).rev().flatten().copied().collect();
            let back: Vec<i64> = labels.iter().rev().copied().collect();
            assert_eq!(
                centroids(&turned, width, &back, clusters as usize).unwrap(),
                found
            );
            let squares =
                distances_from(&found.means, &found.rests, &values, width, &labels).unwrap();
            for (i, square) in squares.iter().enumerate() {
                let first = labels[i] as usize * width;
                let near: f64 = (0..width)
                    .map(|j| {
                        ((values[i * width + j] - found.means[first + j]) - found.rests[first + j])
                            .powi(2)
                    })
                    .sum();
                assert!((square - near).abs() <= 1e-14 * near);
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(centroids(&[1.0, 2.0], 1, &[0], 1).is_err());
        assert!(centroids(&[1.0], 1, &[1], 1).is_err());
        assert!(centroids(&[1.0], 1, &[-1], 1).is_err());
        assert!(distances_from(&[1.0], &[0.0], &[1.0], 1, &[1]).is_err());
        assert!(centroids(&[1.0], 1, &[0], 2).unwrap().means[1].is_nan());
    }
}
