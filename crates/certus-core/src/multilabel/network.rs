//! Sorting of several lists of one length at a time, by the same comparisons whatever is in them.

use wide::f64x8;

/// Sorts each of eight lists, of which `cells` holds the values place by place, the greatest first.
///
/// Batcher's merge exchange: Knuth, The Art of Computer Programming 3, 5.2.2, algorithm M.
pub(super) fn sort_descending(cells: &mut [[f64; 8]]) {
    let top = cells.len().next_power_of_two() / 2;
    let mut run = top;
    while run > 0 {
        let (mut apart, mut reach, mut from) = (run, top, 0);
        loop {
            // Pairs whose first place has the bit of `run` as `from` has it.
            let last = cells.len().saturating_sub(apart);
            for start in (from..last).step_by(2 * run) {
                let (first, second) = cells.split_at_mut(start + apart);
                let pairs = first[start..].iter_mut().zip(second).take(run);
                for (one, other) in pairs {
                    let (a, b) = (f64x8::new(*one), f64x8::new(*other));
                    (*one, *other) = (a.fast_max(b).to_array(), a.fast_min(b).to_array());
                }
            }
            if reach == run {
                break;
            }
            (apart, from) = (reach - run, run);
            reach /= 2;
        }
        run /= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_of_zeros_and_ones_and_thus_any_is_sorted() {
        // eight of the 2^n lists at a time
        for n in 0..=12_u32 {
            for first in (0..1_u32 << n).step_by(8) {
                let digit = |list: usize, place: u32| f64::from((first + list as u32) >> place & 1);
                let list = |place| std::array::from_fn(|list| digit(list, place));
                let mut cells: Vec<[f64; 8]> = (0..n).map(list).collect();
                sort_descending(&mut cells);
                for list in 0..8 {
                    let ones: f64 = (0..n).map(|place| digit(list, place)).sum();
                    let expected = (0..n).map(|place| f64::from(u8::from(f64::from(place) < ones)));
                    assert!(
                        cells.iter().map(|cell| cell[list]).eq(expected),
                        "{n} {first}"
                    );
                }
            }
        }
    }

    #[test]
    fn long_lists_are_sorted_each_by_itself() {
        let mut random = crate::fuzz::Random::new(1);
        let mut draw = || random.below(1 << 24) as f64 - 8e6;
        for n in [13, 64, 100, 129, 255, 256] {
            let mut cells: Vec<[f64; 8]> =
                (0..n).map(|_| std::array::from_fn(|_| draw())).collect();
            let before = cells.clone();
            sort_descending(&mut cells);
            for list in 0..8 {
                let mut expected: Vec<f64> = before.iter().map(|cell| cell[list]).collect();
                expected.sort_by(|a, b| b.total_cmp(a));
                assert!(cells.iter().map(|cell| cell[list]).eq(expected), "{n}");
            }
        }
    }
}
