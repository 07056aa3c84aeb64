//! Pairs counted without being listed: of second and third hits that add their number over their rank, and of numbers.

use crate::{interrupt, threads};

/// The number of places (s, t), s < t, of a second and a third hit with 2/s + 3/t at least `rest`, over the second ranks
/// from `low` to `high` for each `rest`; at each of these some but not all `t` up to the last rank must do.
///
/// ```
/// // 2/s + 3/t >= 0.9: t = 4 to 12 behind s = 3, and t = 5 to 7 behind s = 4.
/// assert_eq!(certus_core::chance::pairs_at_least(&[0.9], &[3], &[4], 100), 9 + 3);
/// ```
#[must_use]
pub fn pairs_at_least(rests: &[f64], low: &[u32], high: &[u32], last: u32) -> u64 {
    let counts: Vec<u64> = threads::map(rests.len(), 16, |range| {
        range
            .map(|i| {
                interrupt::poll();
                let count = (high[i] as usize + 1).saturating_sub(low[i] as usize);
                interrupt::blocks(count)
                    .map(|block| part(rests[i], low[i], block, last))
                    .fold(0, u64::saturating_add)
            })
            .collect()
    });
    counts.into_iter().fold(0, u64::saturating_add)
}

/// The places behind the second ranks numbered so from `low` on.
fn part(rest: f64, low: u32, numbers: std::ops::Range<usize>, last: u32) -> u64 {
    numbers
        .map(|number| {
            let second = low + number as u32;
            let third = 3.0 / (rest - 2.0 / f64::from(second));
            // one that is beyond the last by rounding, or not behind the second
            u64::from((third as u32).clamp(second, last.max(second)) - second)
        })
        .sum()
}

/// The number of pairs of one number of each list with a sum of at least each goal; both lists ascend.
///
/// ```
/// // 1 + 5, 3 + 2 and 3 + 5.
/// assert_eq!(certus_core::chance::sums_at_least(&[1.0, 3.0], &[2.0, 5.0], &[5.0, 9.0]), [3, 0]);
/// ```
#[must_use]
pub fn sums_at_least(first: &[f64], second: &[f64], goals: &[f64]) -> Vec<u64> {
    threads::map(goals.len(), 1, |range| {
        range.map(|i| sums_from(first, second, goals[i])).collect()
    })
}

fn sums_from(first: &[f64], second: &[f64], goal: f64) -> u64 {
    let (Some(least), Some(greatest)) = (second.first(), second.last()) else {
        return 0;
    };
    interrupt::poll();
    let none = first.partition_point(|u| u + greatest < goal);
    let all = first.partition_point(|u| u + least < goal).max(none);
    let mut behind = second.partition_point(|v| first.get(none).is_some_and(|u| u + v < goal));
    let mut count = ((first.len() - all) * second.len()) as u64;
    for block in interrupt::blocks(all - none) {
        for u in &first[none..all][block] {
            while behind > 0 && u + second[behind - 1] >= goal {
                behind -= 1;
            }
            count += (second.len() - behind) as u64;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_one_by_one() {
        let last = 60;
        for rest in [0.137_f64, 0.31, 0.901, 1.7] {
            let reached = |s: u32, t: u32| 2.0 / f64::from(s) + 3.0 / f64::from(t) >= rest;
            let mixed = |s: &u32| reached(*s, s + 1) && !reached(*s, last);
            let seconds: Vec<u32> = (1..last).filter(mixed).collect();
            let (Some(&low), Some(&high)) = (seconds.first(), seconds.last()) else {
                continue;
            };
            let places = (low..=high).flat_map(|s| (s + 1..=last).map(move |t| (s, t)));
            let expected = places.filter(|&(s, t)| reached(s, t)).count() as u64;
            assert_eq!(pairs_at_least(&[rest], &[low], &[high], last), expected);
        }
    }

    #[test]
    fn sums_are_counted_as_one_by_one() {
        let first: Vec<f64> = (0..40).map(|i| f64::from(i * i) / 7.0).collect();
        let second: Vec<f64> = (0..25).map(|i| f64::from(i / 3)).collect();
        let goals: Vec<f64> = (-3..70).map(|i| f64::from(i) * 3.5).collect();
        let naive = |goal: &f64| {
            let sums = first.iter().flat_map(|u| second.iter().map(move |v| u + v));
            sums.filter(|sum| sum >= goal).count() as u64
        };
        let expected: Vec<u64> = goals.iter().map(naive).collect();
        assert_eq!(sums_at_least(&first, &second, &goals), expected);
        assert_eq!(sums_at_least(&second, &first, &goals), expected);
        assert_eq!(sums_at_least(&first, &[], &goals), vec![0; goals.len()]);
    }
}
