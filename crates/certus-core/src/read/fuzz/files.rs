//! Random files, plain and compressed, whole and damaged.

use std::collections::BTreeSet;
use std::io::Write;

use super::{block, naive_lines};
use crate::fuzz::fuzz;
use crate::read::{Dialect, Qrels, QrelsRows, Rule, Run, TieOrder, rank_file, rank_run};

fn packed(text: &[u8], how: u64) -> Vec<u8> {
    match how {
        0 => {
            let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            writer.write_all(text).unwrap();
            writer.finish().unwrap()
        }
        1 => {
            let mut writer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            writer.write_all(text).unwrap();
            writer.finish().unwrap()
        }
        2 => zstd::encode_all(text, 1).unwrap(),
        _ => text.to_vec(),
    }
}

#[test]
fn files_are_read_the_same_in_every_way_there_is() {
    let shared = std::path::Path::new("/dev/shm");
    let folder = if shared.is_dir() {
        shared.to_path_buf()
    } else {
        std::env::temp_dir()
    };
    let path = folder.join(format!("certus-fuzz-{}", std::process::id()));
    let mut judged = QrelsRows::default();
    for (query, doc) in [(b"q1", b"d1"), (b"q1", b"d2"), (b"q2", b"d1")] {
        judged.query(query);
        judged.push(doc, 1);
    }
    let qrels = judged.finish("qrels").unwrap();
    fuzz("files", |draw| {
        let rows = draw.odds(2);
        let text = block(draw, if rows { 6 } else { 4 }, 3);
        let mut data = text.clone();
        let how = draw.below(12);
        data = packed(&data, how);
        let whole = how >= 3 || draw.odds(2);
        if !whole {
            for _ in 0..1 + draw.below(3) {
                let at = draw.upto(data.len() - 1);
                match draw.below(3) {
                    0 => data.truncate(at + 1),
                    _ => data[at] = draw.below(256) as u8,
                }
            }
        }
        std::fs::write(&path, &data).unwrap();
        let dialect = Dialect {
            lenient: draw.odds(2),
            comments: draw.odds(2),
        };
        let rule = Rule {
            ties: TieOrder::Trec,
            float32: draw.odds(2),
        };
        let judged = Qrels::read(&path, "file", dialect);
        let run = Run::read(&path, "file", dialect);
        let ranked = rank_file(&qrels, &path, "file", rule, dialect, draw.odds(2));
        let shown = String::from_utf8_lossy(&text);
        assert_eq!(
            run.is_ok(),
            ranked.is_ok(),
            "{shown:?} {dialect:?} {run:?} {ranked:?}"
        );
        if whole && let (Ok(run), Ok(ranked)) = (&run, &ranked) {
            let (lines, wrong) = naive_lines(&text, dialect);
            assert_eq!((lines.len(), wrong), (run.len(), None), "{shown:?}");
            let all = ranked.missing.len() + ranked.queries.len() > qrels.queries().len();
            let again = rank_run(&qrels, run, rule, all);
            assert_eq!(ranked.columns, again.columns, "{shown:?}");
            assert_eq!(ranked.only_in_run, again.only_in_run, "{shown:?}");
            assert_eq!(ranked.fingerprint, run.fingerprint());
            assert_eq!(ranked.tag, run.tag(), "{shown:?}");
            // the order of the lines does not matter
            let mut turned: Vec<&[u8]> = text.split_inclusive(|b| *b == b'\n').collect();
            draw.shuffle(&mut turned);
            std::fs::write(&path, turned.concat()).unwrap();
            let turned = rank_file(&qrels, &path, "file", rule, dialect, all).unwrap();
            assert_eq!(turned.columns, ranked.columns, "{shown:?}");
        }
        if let (true, Ok(judged)) = (whole, &judged) {
            let distinct: BTreeSet<_> = judged.rows().map(|(q, d, _)| (q, d)).collect();
            assert_eq!(distinct.len(), judged.len(), "{shown:?}");
        }
        let read = |r: Result<u128, ()>| r.map_or(7, |f| f as u64);
        read(run.map(|r| r.fingerprint()).map_err(drop))
            ^ read(judged.map(|q| q.fingerprint()).map_err(drop)) << 1
    });
    let _ = std::fs::remove_file(&path);
}
