//! Random rankings, well-formed and not, through all ranking kernels.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::fuzz::{Random, bits, fuzz};

const CUTOFFS: [Option<u64>; 8] = [
    None,
    None,
    Some(0),
    Some(1),
    Some(2),
    Some(5),
    Some(10),
    Some(u64::MAX),
];
const GRADES: [i32; 12] = [0, 0, 1, 1, 1, 2, 3, -1, -2, 7, i32::MAX, i32::MIN];

/// What a kernel is asked for beside the list.
#[derive(Clone, Debug)]
struct Asked {
    rel: i32,
    cutoff: Option<u64>,
    share: f64,
    rounding: Rounding,
    denominator: Denominator,
    gains: Gains,
}

impl Asked {
    fn draw(draw: &mut Random) -> Self {
        let levels = draw.list(2, |draw| (draw.pick(&GRADES), draw.finite()));
        let levels = if draw.odds(4) { levels } else { Vec::new() };
        Self {
            rel: draw.pick(&[1, 1, 1, 2, 0, 3, -1, i32::MAX, i32::MIN]),
            cutoff: draw.pick(&CUTOFFS),
            share: draw.pick(&[0.0, 0.1, 0.3, 0.5, 0.55, 0.9, 1.0]),
            rounding: draw.pick(&[Rounding::Trec9, Rounding::Trec10, Rounding::Exact]),
            denominator: draw.pick(&[Denominator::Relevant, Denominator::Min, Denominator::Hits]),
            gains: Gains::new(draw.pick(&["linear", "exp"]), &levels).unwrap(),
        }
    }
}

/// Metrics from 0 to 1.
const SHARES: usize = 16;
/// All of them; the first `SHARES` are from 0 to 1, the first nine rise where a relevant document moves up.
fn value(metric: usize, list: &List, ask: &Asked, average: bool) -> f64 {
    let Asked {
        rel, cutoff, share, ..
    } = *ask;
    match metric {
        0 => precision(list, rel, cutoff, average),
        1 => recall(list, rel, cutoff, average),
        2 => relative_precision(list, rel, cutoff, average),
        3 => f_measure(list, rel, cutoff, 1.0, average),
        4 => success(list, rel, cutoff, average),
        5 => reciprocal_rank(list, rel, cutoff, average),
        6 => r_precision(list, rel, 1.0, average),
        7 => rbp(list, 0.8, rel, cutoff, average),
        8 => average_precision(list, rel, None, ask.denominator, average),
        9 => average_precision(list, rel, cutoff, ask.denominator, average),
        10 => bpref(list, rel, average),
        11 => set_map(list, rel),
        12 => judged(list, cutoff, average),
        13 => precision_at_recall(list, rel, share, average),
        14 => rbp_residual(list, 0.8, cutoff, average),
        15 => bin_g(list, rel, average),
        16 => inf_ap(list, rel, average),
        17 => dcg(list, cutoff, &ask.gains, average),
        18 => ndcg(list, cutoff, &ask.gains, average),
        19 => ndcg_rel(list, &ask.gains, average),
        20 => rndcg(list, rel, &ask.gains, average),
        21 => k_at_recall(list, rel, share, average),
        22 => g(list, &ask.gains, average).unwrap_or(f64::NAN),
        23 => err(list, cutoff, rel.clamp(1, 9), average).unwrap_or(f64::NAN),
        24 => nerr(list, cutoff, rel.clamp(1, 9), average).unwrap_or(f64::NAN),
        25 => interpolated_precision(list, rel, share, ask.rounding, average).unwrap_or(f64::NAN),
        26 => eleven_point(list, rel, ask.rounding, average).unwrap_or(f64::NAN),
        27 => utility(list, rel, [1.0, -1.0, share, 0.0], 100),
        28 => num_retrieved(list) + num_relevant(list, rel),
        29 => num_relevant_retrieved(list, rel) + num_nonrelevant_judged_retrieved(list, rel),
        30 => relevance_string(list, cutoff.unwrap_or(20).min(20)).len() as f64,
        _ => f_measure(list, rel, cutoff, share, average) + r_precision(list, rel, share, average),
    }
}
const METRICS: u64 = 32;

fn drawn(draw: &mut Random) -> Columns {
    let odd = draw.odds(4);
    let grade = |draw: &mut Random| draw.pick(&GRADES[..if odd { 12 } else { 8 }]);
    let groups = draw.list(5, |draw| {
        let most = draw.pick(&[0, 0, 1, 4]);
        (0..=draw.upto(most))
            .map(|_| (!draw.odds(3)).then(|| grade(draw)))
            .collect::<Vec<_>>()
    });
    let groups: Vec<&[Option<i32>]> = groups.iter().map(Vec::as_slice).collect();
    let missed = draw.list(3, grade);
    Columns::single(&groups, &missed)
}

#[test]
fn rankings_give_values_within_range_and_the_same_beside_others() {
    fuzz("rankings", |draw| {
        let (columns, other, ask) = (drawn(draw), drawn(draw), Asked::draw(draw));
        let metric = draw.below(METRICS) as usize;
        let list = columns.lists().list(0);
        let said = |what: &str| format!("metric {metric} {what}: {columns:?} {ask:?}");
        assert_eq!(columns.lists().check(), Ok(()));
        let (settled, mean) = (
            value(metric, &list, &ask, false),
            value(metric, &list, &ask, true),
        );
        if columns.tie_size.iter().all(|&size| size == 1) {
            assert_eq!(bits([settled]), bits([mean]), "{}", said("without ties"));
        }
        if metric < SHARES {
            for v in [settled, mean] {
                assert!(
                    (0.0..=1.0 + 1e-12).contains(&v),
                    "{} {v}",
                    said("out of range")
                );
            }
        }
        if metric < 9 {
            let end = |best| {
                value(
                    metric,
                    &order_ties(&columns.lists(), best).lists().list(0),
                    &ask,
                    false,
                )
            };
            // trec_eval's denominators may count relevant documents down to a cutoff
            let (low, high) = (end(false), end(true));
            for v in [settled, mean] {
                assert!(
                    low - 1e-12 <= v && v <= high + 1e-12,
                    "{} {low} {v} {high}",
                    said("not between")
                );
            }
        }
        let mut both = other.clone();
        both.append(columns.clone());
        assert_eq!(both.lists().check(), Ok(()));
        let beside = both
            .lists()
            .per_query(|list| value(metric, list, &ask, true));
        assert_eq!(
            bits([beside[1]]),
            bits([mean]),
            "{}",
            said("beside another")
        );
        let n = draw.below(8);
        let cut = truncate(&both.lists(), n);
        for made in [
            &condense(&both.lists()),
            &assume_relevant(&both.lists()),
            &cut,
        ] {
            assert_eq!(made.lists().check(), Ok(()), "{}", said("transformed"));
        }
        bits([settled, mean])
    });
}

#[test]
fn columns_that_pass_the_check_are_safe_for_every_kernel() {
    fuzz("columns", |draw| {
        let mut columns = drawn(draw);
        columns.append(drawn(draw));
        for _ in 0..=draw.below(3) {
            let number = draw.pick(&[0, 1, 2, 3, 5, 9, 5_000, u32::MAX - 1, u32::MAX]);
            let at = draw.next() as usize;
            let whole = |draw: &mut Random, column: &mut Vec<u32>| match draw.below(4) {
                0 => column.truncate(at % (column.len() + 1)),
                1 => column.push(number),
                _ if column.is_empty() => {}
                _ => {
                    let place = at % column.len();
                    column[place] = number;
                }
            };
            let wide = draw.pick(&[0, 1, 2, 3, -1, 7, i64::MAX, i64::MIN]);
            match draw.below(8) {
                0 => whole(draw, &mut columns.ranks),
                1 => whole(draw, &mut columns.tie_first),
                2 => whole(draw, &mut columns.tie_size),
                3 => columns.retrieved[at % 2] = number.min(5_000),
                4 => columns.offsets[at % 3] = wide,
                5 => columns.judged_offsets[at % 3] = wide,
                6 => columns.judged.push(draw.pick(&GRADES)),
                _ => columns.grades.push(draw.pick(&GRADES)),
            }
        }
        let lists = columns.lists();
        if lists.check().is_err() {
            return 0;
        }
        let (ask, metric) = (Asked::draw(draw), draw.below(METRICS) as usize);
        let average = draw.odds(2);
        let values = lists.per_query(|list| value(metric, list, &ask, average));
        for made in [
            condense(&lists),
            assume_relevant(&lists),
            truncate(&lists, 3),
            order_ties(&lists, true),
        ] {
            assert_eq!(made.lists().check(), Ok(()), "{columns:?}");
        }
        bits(values)
    });
}

#[test]
fn random_rankings_are_well_formed() {
    fuzz("decks", |draw| {
        let items = draw.upto(12) as u32;
        let grades = draw.list(8, |draw| draw.pick(&GRADES));
        let mut judged = grades.clone();
        judged.extend(draw.list(2, |draw| draw.pick(&GRADES)));
        judged.sort_unstable_by(|a, b| b.cmp(a));
        let ties = draw.list(6, |draw| draw.below(5) as u32);
        let fits = draw.odds(2);
        let shown = if fits {
            ties.iter().sum()
        } else {
            draw.upto(14) as u32
        };
        let ties = (fits || draw.odds(8)).then_some(ties.as_slice());
        let deck = Deck {
            items,
            shown,
            grades: &grades,
            judged: &judged,
            ties,
        };
        if deck.check().is_err() {
            return 0;
        }
        let (first, seed) = (draw.pick(&[0, 1, u64::MAX]), draw.next());
        let all = shuffled(&deck, first, 3, seed);
        assert_eq!(all.lists().check(), Ok(()), "{deck:?}");
        let later = shuffled(&deck, first.wrapping_add(1), 2, seed);
        let ranks = |columns: &Columns, q| columns.lists().list(q).ranks.to_vec();
        assert_eq!(ranks(&all, 1), ranks(&later, 0), "{deck:?}");
        bits(all.ranks.iter().map(|&rank| f64::from(rank)))
    });
}
