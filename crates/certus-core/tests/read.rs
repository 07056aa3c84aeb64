//! Ranking a run while it is read, against the definition in a few slow lines.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use certus_core::read::{
    Dialect, Qrels, QrelsRows, Ranked, Rule, Run, TieOrder, rank_file, rank_run,
};

const TREC: Rule = Rule {
    ties: TieOrder::Trec,
    float32: false,
};

struct File(PathBuf);

impl File {
    fn new(name: &str, text: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("certus-{}-{name}", std::process::id()));
        std::fs::File::create(&path)
            .unwrap()
            .write_all(text)
            .unwrap();
        Self(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

type Results = BTreeMap<String, Vec<(String, String)>>;

/// A run whose scores are often tied, some with more digits than a double holds, and qrels for some of it.
type Judged = Vec<(Vec<u8>, Vec<u8>, i32)>;

fn example(random: &mut Random, sorted: bool) -> (Judged, Results) {
    let (mut judged, mut run) = (Vec::new(), Results::new());
    for q in 0..random.below(30) + 1 {
        let query = format!("q{q}");
        let mut docs: Vec<(String, String)> = Vec::new();
        for d in 0..random.below(120) {
            if random.below(3) > 0 {
                let whole = random.below(12);
                let text = match random.below(4) {
                    0 => format!("{whole}.25"),
                    1 => format!("-{whole}.5e-1"),
                    2 => format!("{whole}.12345678901234567{}", random.below(10)),
                    _ => format!("{whole}"),
                };
                docs.push((format!("D{d}-é"), text));
            }
            if q % 7 != 3 && random.below(4) == 0 {
                judged.push((
                    query.clone().into_bytes(),
                    format!("D{d}-é").into_bytes(),
                    random.below(4) as i32 - 1,
                ));
            }
        }
        if sorted {
            docs.sort_by(|a, b| number(&b.1).total_cmp(&number(&a.1)));
        }
        if !docs.is_empty() {
            run.insert(query, docs);
        }
    }
    judged.push((b"q0".to_vec(), b"never retrieved".to_vec(), 3));
    judged.push((b"not in the run".to_vec(), b"d".to_vec(), 1));
    (judged, run)
}

fn qrels_of<T: AsRef<[u8]>>(rows: &[(T, T, i32)]) -> Qrels {
    let mut all = QrelsRows::default();
    for (query, doc, grade) in rows {
        all.query(query.as_ref());
        all.push(doc.as_ref(), *grade);
    }
    all.finish("qrels").unwrap()
}

fn number(text: &str) -> f64 {
    text.parse::<f64>().unwrap() + 0.0
}

/// (query, retrieved, [(rank, grade, first rank of the tie, size of the tie)]), by the definition.
type Lists = Vec<(Vec<u8>, u32, Vec<(u32, i32, u32, u32)>)>;

fn naive(judged: &[(Vec<u8>, Vec<u8>, i32)], run: &Results, rule: Rule) -> Lists {
    let mut lists = Lists::new();
    for (query, docs) in run {
        let grade = |doc: &str| {
            judged
                .iter()
                .find(|j| j.0 == query.as_bytes() && j.1 == doc.as_bytes())
                .map(|j| j.2)
        };
        if !judged.iter().any(|j| j.0 == query.as_bytes()) {
            continue;
        }
        let score = |text: &str| {
            if rule.float32 {
                f64::from(number(text) as f32)
            } else {
                number(text)
            }
        };
        let mut order: Vec<(usize, &(String, String))> = docs.iter().enumerate().collect();
        order.sort_by(|(i, a), (j, b)| {
            let ties = if rule.ties == TieOrder::Trec {
                b.0.as_bytes().cmp(a.0.as_bytes())
            } else {
                i.cmp(j)
            };
            score(&b.1).partial_cmp(&score(&a.1)).unwrap().then(ties)
        });
        let mut hits = Vec::new();
        for (rank, (_, (doc, text))) in order.iter().enumerate() {
            if let Some(grade) = grade(doc) {
                let above = docs.iter().filter(|d| score(&d.1) > score(text)).count() as u32;
                let equal = docs.iter().filter(|d| score(&d.1) == score(text)).count() as u32;
                hits.push((rank as u32 + 1, grade, above + 1, equal));
            }
        }
        lists.push((query.clone().into_bytes(), docs.len() as u32, hits));
    }
    lists.sort();
    lists
}

fn lists(qrels: &Qrels, ranked: &Ranked) -> Lists {
    (0..ranked.queries.len())
        .map(|i| {
            let hits = (ranked.columns.offsets[i] as usize..ranked.columns.offsets[i + 1] as usize)
                .map(|h| {
                    (
                        ranked.columns.ranks[h],
                        ranked.columns.grades[h],
                        ranked.columns.tie_first[h],
                        ranked.columns.tie_size[h],
                    )
                })
                .collect();
            (
                qrels.queries()[ranked.queries[i]].clone(),
                ranked.columns.retrieved[i],
                hits,
            )
        })
        .collect()
}

fn text(run: &Results, grouped: bool, random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<String> = Vec::new();
    for (query, docs) in run {
        for (rank, (doc, score)) in docs.iter().enumerate() {
            let blank = if random.below(5) == 0 { "\t " } else { " " };
            let end = if random.below(9) == 0 { "\r\n" } else { "\n" };
            lines.push(format!(
                "{query}{blank}Q0 {doc} {rank}{blank}{score} tag{end}"
            ));
        }
    }
    if !grouped {
        for i in (1..lines.len()).rev() {
            lines.swap(i, random.below(i as u64 + 1) as usize);
        }
    }
    let mut all = lines.concat().into_bytes();
    all.pop();
    all
}

#[test]
fn ranks_are_those_of_the_definition_for_files_in_any_order_and_for_runs_in_memory() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let (judged, run) = example(&mut random, seed % 2 == 0);
        let qrels = qrels_of(&judged);
        for ties in [TieOrder::Trec, TieOrder::Input] {
            for float32 in [false, true] {
                let rule = Rule { ties, float32 };
                let expected = naive(&judged, &run, rule);
                let grouped = File::new(&format!("g{seed}"), &text(&run, true, &mut random));
                let ranked =
                    rank_file(&qrels, &grouped.0, "run", rule, Dialect::default(), false).unwrap();
                assert_eq!(lists(&qrels, &ranked), expected, "seed {seed}, {rule:?}");
                let held = Run::read(&grouped.0, "run", Dialect::default()).unwrap();
                assert_eq!(
                    lists(&qrels, &rank_run(&qrels, &held, rule, false)),
                    expected
                );
                assert_eq!(held.fingerprint(), ranked.fingerprint);
                if ties == TieOrder::Trec {
                    let mixed = File::new(&format!("m{seed}"), &text(&run, false, &mut random));
                    let ranked =
                        rank_file(&qrels, &mixed.0, "run", rule, Dialect::default(), false)
                            .unwrap();
                    assert_eq!(lists(&qrels, &ranked), expected, "seed {seed}, lines mixed");
                }
            }
        }
    }
}

#[test]
fn a_file_of_many_blocks_is_read_as_one_and_its_errors_name_the_line() {
    let mut random = Random(5);
    let mut run = Results::new();
    let mut judged = Vec::new();
    for q in 0..900 {
        let docs = (0..120)
            .map(|d| (format!("DOC-{q}-{d}"), format!("{}", random.below(50))))
            .collect();
        run.insert(format!("{q:04}"), docs);
        judged.push((
            format!("{q:04}").into_bytes(),
            format!("DOC-{q}-{}", random.below(200)).into_bytes(),
            1,
        ));
    }
    let qrels = qrels_of(&judged);
    let lines = text(&run, true, &mut Random(1));
    assert!(lines.len() > 3 << 20);
    let file = File::new("blocks", &lines);
    let read = |path: &Path| rank_file(&qrels, path, "run", TREC, Dialect::default(), false);
    assert_eq!(
        lists(&qrels, &read(&file.0).unwrap()),
        naive(&judged, &run, TREC)
    );

    let split: Vec<&[u8]> = lines.split_inclusive(|&b| b == b'\n').collect();
    for bad in [0, 1, 50_000, 100_000, split.len() - 1] {
        let mut broken = split.clone();
        broken[bad] = b"301 Q0 d 1 8,5 tag\n";
        broken[split.len() - 1] = b"301 Q0 d 1 nan tag";
        let file = File::new(&format!("bad{bad}"), &broken.concat());
        let error = read(&file.0).unwrap_err();
        assert_eq!(
            (error.file.as_str(), error.line),
            ("run", Some(bad as u64 + 1)),
            "{error}"
        );
        assert_eq!(
            Run::read(&file.0, "run", Dialect::default()).unwrap_err(),
            error
        );
    }
    let mut twice = split.clone();
    twice[70_001] = twice[70_003];
    let file = File::new("twice", &twice.concat());
    let error = read(&file.0).unwrap_err();
    assert_eq!(error.line, Some(70_004), "{error}");
    assert_eq!(
        Run::read(&file.0, "run", Dialect::default()).unwrap_err(),
        error
    );
}

#[test]
fn qrels_of_many_blocks_keep_their_order_and_name_the_line() {
    let mut lines: Vec<String> = (0..200_000)
        .map(|i| format!("{} 0 D{i} {}\n", i % 37, i % 4))
        .collect();
    let file = File::new("qrels", lines.concat().as_bytes());
    let qrels = Qrels::read(&file.0, "qrels", Dialect::default()).unwrap();
    assert_eq!((qrels.len(), qrels.queries().len()), (200_000, 37));
    let first: Vec<_> = qrels
        .rows()
        .take(2)
        .map(|(q, d, g)| (q.to_vec(), d.to_vec(), g))
        .collect();
    assert_eq!(
        first,
        [
            (b"0".to_vec(), b"D0".to_vec(), 0),
            (b"0".to_vec(), b"D37".to_vec(), 1)
        ]
    );
    lines[150_000] = lines[150_000 - 37 * 4].clone();
    let file = File::new("qrels-twice", lines.concat().as_bytes());
    assert_eq!(
        Qrels::read(&file.0, "qrels", Dialect::default())
            .unwrap_err()
            .line,
        Some(150_001)
    );
}

#[test]
fn a_query_longer_than_a_block_is_kept_whole() {
    let mut lines: Vec<u8> = Vec::new();
    for q in 0..3 {
        for d in 0..100_000 {
            writeln!(lines, "q{q} Q0 D{d} {d} {}.5 t", 100_000 - d).unwrap();
        }
    }
    let rows = [0, 1, 2].map(|q| (format!("q{q}"), "D99999".to_string(), 1));
    let qrels = qrels_of(&rows);
    let file = File::new("long", &lines);
    let ranked = rank_file(&qrels, &file.0, "run", TREC, Dialect::default(), false).unwrap();
    assert_eq!(
        (ranked.columns.ranks, ranked.columns.retrieved),
        (vec![100_000; 3], vec![100_000; 3])
    );
}
