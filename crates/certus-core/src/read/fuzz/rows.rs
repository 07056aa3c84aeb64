//! Random ids and rows, as Python gives them.

use std::collections::BTreeMap;

use super::CELLS;
use crate::fuzz::fuzz;
use crate::read::{QrelsRows, Rule, RunRows, TieOrder, ids, rank_run};

#[test]
fn ids_are_those_of_a_split_by_nul() {
    fuzz("ids", |draw| {
        let text = draw.list(40, |draw| draw.pick(b"\0\0ab\xff\n"));
        let wanted: Vec<&[u8]> = text.split(|b| *b == 0).collect();
        let count = if draw.odds(4) {
            draw.upto(5)
        } else {
            wanted.len()
        };
        let found = ids(&text, count).map(|found| found.collect::<Vec<_>>());
        let fine = if text.is_empty() && count == 0 {
            assert_eq!(found, Some(Vec::new()));
            true
        } else {
            let fine = wanted.len() == count && wanted.iter().all(|id| !id.is_empty());
            assert_eq!(found, fine.then_some(wanted), "{text:?} {count}");
            fine
        };
        u64::from(fine)
    });
}

#[test]
fn rows_are_grouped_by_query_and_refused_where_a_document_comes_twice() {
    fuzz("rows", |draw| {
        let rows = draw.list(12, |draw| {
            (draw.pick(&CELLS[..6]), draw.pick(&CELLS[..6]), draw.any())
        });
        let (mut judged, mut retrieved) = (QrelsRows::default(), RunRows::default());
        let mut wanted: BTreeMap<&[u8], BTreeMap<&[u8], f64>> = BTreeMap::new();
        let (mut twice, mut finite) = (false, true);
        for &(query, doc, value) in &rows {
            judged.query(query);
            judged.push(doc, value as i32);
            retrieved.query(query);
            retrieved.push(doc, value);
            twice |= wanted
                .entry(query)
                .or_default()
                .insert(doc, value)
                .is_some();
            finite &= value.is_finite();
        }
        let (qrels, run) = (judged.finish("qrels"), retrieved.finish("run"));
        assert_eq!(qrels.is_err(), twice || rows.is_empty(), "{rows:?}");
        assert_eq!(run.is_err(), twice || !finite, "{rows:?}");
        if let Ok(qrels) = &qrels {
            assert!(qrels.queries().iter().eq(wanted.keys()), "{rows:?}");
            let of = |q: &[u8], d: &[u8], grade| wanted[q][d] as i32 == grade;
            assert!(
                qrels.rows().all(|(q, d, grade)| of(q, d, grade)),
                "{rows:?}"
            );
            assert_eq!(qrels.len(), rows.len());
        }
        let (Ok(run), Ok(qrels)) = (run, qrels) else {
            return 0;
        };
        let of = |q: &[u8], d: &[u8], score: f64| (wanted[q][d] + 0.0).to_bits() == score.to_bits();
        assert!(run.rows().all(|(q, d, score)| of(q, d, score)), "{rows:?}");
        let rule = Rule {
            ties: TieOrder::Trec,
            float32: draw.odds(2),
        };
        let ranked = rank_run(&qrels, &run, rule, draw.odds(2));
        assert_eq!(ranked.columns.lists().check(), Ok(()));
        run.fingerprint() as u64
    });
}
