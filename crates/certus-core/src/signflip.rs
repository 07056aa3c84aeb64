//! Sums with random signs: the tail by counting over a lattice, and by inverting the transform.

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

/// Frequencies that are looked at together.
const BATCH: usize = 256;
/// Values after which a batch is looked at for terms that still count.
const LOOK: usize = 16;
/// Terms smaller than this are left out: thousands of them add nothing that counts.
const LEAST: f64 = 1e-14;

/// The characteristic function of the sum with random signs under the tilt `exp(tilt S)`: for the frequencies
/// `w = step * j` with j in `terms`, `prod(cos(w d) + i tanh(tilt d) sin(w d))`; 0 where its size over that of
/// `tilt + i w` is next to nothing.
///
/// ```
/// let found = certus_core::signflip::characteristic(&[1.0], 1.0, 0.5, 0..2);
/// assert_eq!(found[0], (1.0, 0.0));
/// assert_eq!(found[1], (0.5_f64.cos(), 1.0_f64.tanh() * 0.5_f64.sin()));
/// ```
#[must_use]
pub fn characteristic(
    values: &[f64],
    tilt: f64,
    step: f64,
    terms: std::ops::Range<usize>,
) -> Vec<(f64, f64)> {
    let mut order = values.to_vec();
    order.sort_unstable_by(|a, b| b.total_cmp(a));
    let slopes: Vec<f64> = order.iter().map(|value| (tilt * value).tanh()).collect();
    let mut found = Vec::with_capacity(terms.len());
    let mut start = terms.start;
    while start < terms.end {
        interrupt::poll();
        let count = BATCH.min(terms.end - start);
        let nothing = (LEAST * tilt.hypot(step * start as f64)).powi(2);
        let sizes = squared_sizes(&order, &slopes, step, start..start + count, nothing);
        found.extend((start..).zip(&sizes[..count]).map(|(j, &size)| {
            if size < nothing {
                (0.0, 0.0)
            } else {
                interrupt::poll();
                product(&order, &slopes, step * j as f64)
            }
        }));
        start += count;
    }
    found
}

fn product(values: &[f64], slopes: &[f64], frequency: f64) -> (f64, f64) {
    let (mut re, mut im) = (1.0, 0.0);
    for (value, slope) in values.iter().zip(slopes) {
        let (sine, cosine) = (frequency * value).sin_cos();
        let turned = slope * sine;
        (re, im) = (re * cosine - im * turned, re * turned + im * cosine);
    }
    (re, im)
}

/// Squared size of the product for a batch of frequencies, up to rounding; where all are next to nothing it stops early.
///
/// `cos^2 + t^2 sin^2 = (1 + t^2) / 2 + (1 - t^2) / 2 cos(2 w d)`, and equal steps of w turn the cosine by
/// `cos(a + b) = 2 cos(a) cos(b) - cos(a - b)`. Every eighth frequency makes a lane of its own.
fn squared_sizes(
    values: &[f64],
    slopes: &[f64],
    step: f64,
    terms: std::ops::Range<usize>,
    nothing: f64,
) -> [f64; BATCH] {
    const LANES: usize = 8;
    let mut sizes = [1.0f64; BATCH];
    let count = terms.len();
    let rounds = count.div_ceil(LANES);
    for (number, (value, slope)) in values.iter().zip(slopes).enumerate() {
        let angle = 2.0 * step * value;
        let (even, odd) = (
            0.5 * (1.0 + slope * slope),
            0.5 * (1.0 - slope) * (1.0 + slope),
        );
        let turn = 2.0 * (angle * LANES as f64).cos();
        let (mut now, mut before) = ([0.0f64; LANES], [0.0f64; LANES]);
        for lane in 0..LANES {
            let place = (terms.start + lane) as f64;
            now[lane] = (angle * place).cos();
            before[lane] = (angle * (place - LANES as f64)).cos();
        }
        for round in sizes.chunks_exact_mut(LANES).take(rounds) {
            for lane in 0..LANES {
                round[lane] *= even + odd * now[lane];
                let following = turn * now[lane] - before[lane];
                before[lane] = now[lane];
                now[lane] = following;
            }
        }
        if number % LOOK == LOOK - 1 {
            interrupt::poll();
        }
        if number % LOOK == LOOK - 1 && sizes[..count].iter().all(|&size| size < nothing) {
            break;
        }
    }
    sizes
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

    #[test]
    fn products_that_are_left_out_are_next_to_nothing() {
        let values: Vec<f64> = (1..40)
            .map(|i| (f64::from(i) * 0.618_034).fract() / 6.0)
            .collect();
        let slopes: Vec<f64> = values.iter().map(|value| (0.7 * value).tanh()).collect();
        let found = characteristic(&values, 0.7, 0.11, 3..1003);
        let mut left_out = 0;
        for (j, found) in (3..1003).zip(found) {
            let (re, im) = product(&values, &slopes, 0.11 * f64::from(j));
            let apart = (found.0 - re).hypot(found.1 - im);
            assert!(apart < 1e-13 * (1.0 + 0.11 * f64::from(j)));
            left_out += u32::from(found == (0.0, 0.0));
        }
        assert!(left_out > 0);
    }
}
