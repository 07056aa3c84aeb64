//! Sums with random signs: the tail by counting over a lattice, by listing halves, and by inverting the transform.

mod halves;
mod inversion;
mod series;

pub use halves::listed_at_least;
pub use inversion::inverted_beyond;

use crate::interrupt;

/// The probability that a random choice among whole steps has at least the sum `target`, each step being taken or left
/// with probability 1/2.
///
/// The steps are taken from the largest down. A sum that has reached the target is done with, and one that the steps
/// left cannot lift to it is dropped, so that only the sums between are carried on.
///
/// ```
/// // of 1, 2 and 3 the choices {3}, {1, 2}, {1, 3}, {2, 3} and {1, 2, 3} reach 3
/// assert_eq!(certus_core::signflip::chosen_sum_at_least(&[1, 2, 3], 3), 5.0 / 8.0);
/// ```
#[must_use]
pub fn chosen_sum_at_least(steps: &[u32], target: u64) -> f64 {
    if target == 0 {
        return 1.0;
    }
    let mut rest: u64 = steps.iter().copied().map(u64::from).sum();
    if target > rest {
        return 0.0;
    }
    let mut descending = steps.to_vec();
    descending.sort_unstable_by(|a, b| b.cmp(a));
    let target = target as usize;
    let (mut now, mut next) = (vec![0.0f64; target], vec![0.0f64; target]);
    now[0] = 1.0;
    // The sums carried on lie from `low` to `high`, both included.
    let (mut low, mut high, mut done) = (0usize, 0usize, 0.0f64);
    for step in descending {
        interrupt::poll();
        rest -= u64::from(step);
        let step = step as usize;
        let reaching = low.max(target.saturating_sub(step));
        if reaching <= high {
            done += 0.5 * now[reaching..=high].iter().sum::<f64>();
        }
        let from = low.max(target.saturating_sub(usize::try_from(rest).unwrap_or(usize::MAX)));
        let to = (high + step).min(target - 1);
        if from > to {
            return done;
        }
        move_on(&now, &mut next, (low, high), (from, to), step);
        std::mem::swap(&mut now, &mut next);
        (low, high) = (from, to);
    }
    done
}

/// Half of the chance of each sum stays, half moves up by the step.
fn move_on(
    now: &[f64],
    next: &mut [f64],
    (low, high): (usize, usize),
    (from, to): (usize, usize),
    step: usize,
) {
    // Sums up to `high` can stay, those from `low + step` on can have risen; between, both or neither.
    let (stays, rises) = ((high + 1).min(to + 1), (low + step).max(from));
    let (first, second) = (stays.min(rises).max(from), stays.max(rises).min(to + 1));
    halve(&mut next[from..first], &now[from..first]);
    if stays > rises {
        let both = next[first..second].iter_mut().zip(&now[first..second]);
        for ((new, old), risen) in both.zip(&now[first - step..second - step]) {
            *new = 0.5 * (old + risen);
        }
    } else {
        next[first..second].fill(0.0);
    }
    if second <= to {
        halve(&mut next[second..=to], &now[second - step..=to - step]);
    }
}

fn halve(new: &mut [f64], old: &[f64]) {
    for (new, old) in new.iter_mut().zip(old) {
        *new = 0.5 * old;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naive_at_least(steps: &[u32], target: u64) -> f64 {
        let reached = (0..1u32 << steps.len())
            .filter(|choice| {
                let sum: u64 = (0..steps.len())
                    .filter(|place| choice >> place & 1 == 1)
                    .map(|place| u64::from(steps[place]))
                    .sum();
                sum >= target
            })
            .count();
        reached as f64 / f64::from(1u32 << steps.len())
    }

    #[test]
    fn counting_is_exact() {
        for steps in [
            &[][..],
            &[5],
            &[1, 1, 1],
            &[7, 3, 3, 2],
            &[10, 1, 4, 4, 9, 2, 30, 3],
        ] {
            let total: u64 = steps.iter().copied().map(u64::from).sum();
            for target in 0..=total + 2 {
                assert_eq!(
                    chosen_sum_at_least(steps, target),
                    naive_at_least(steps, target)
                );
            }
        }
    }
}
