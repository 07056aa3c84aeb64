//! Random texts and files through the readers.
#![allow(clippy::unwrap_used, clippy::panic)]

#[cfg(not(miri))] // compressed files are read by libraries in C
mod files;
mod rows;

use super::entry::{Entry, Id, Lines};
use super::line::parse_lines;
use super::parallel::BlockError;
use super::{Dialect, numbers, table};
use crate::fuzz::{Random, bits, fuzz};

const CELLS: [&[u8]; 30] = [
    b"q1",
    b"q2",
    b"d1",
    b"d2",
    b"d\xc3\xa9",
    b"de\xcc\x81",
    b"Q0",
    b"0",
    b"1",
    b"2",
    b"-1",
    b"3.5",
    b"-0",
    b"1e-3",
    b"1e400",
    b"1e-400",
    b"9007199254740993",
    b"2147483647",
    b"2147483648",
    b"-2147483649",
    b"00000000000000000000001",
    b"0.1234567890123456789",
    b".5",
    b"5.",
    b"inf",
    b"NaN",
    b"1_0",
    b"\xff",
    b"#",
    b"a_rather_long_identifier_of_more_than_sixteen_bytes",
];
const BYTES: &[u8] = b"\0\t\n\x0b\x0c\r  \"#+-..0123456789eEnaif_q\x7f\x80\xff";

fn number(draw: &mut Random) -> Vec<u8> {
    let mut text = draw.whole().unwrap_or_default();
    if !text.is_empty() {
        return text;
    }
    text.extend_from_slice(draw.pick(&[b"", b"", b"-", b"+"]));
    for part in 0..2 {
        if part == 1 && draw.odds(2) {
            text.push(b'.');
        }
        let most = draw.pick(&[1, 4, 9, 17, 40]);
        let only = draw.odds(4).then(|| draw.pick(b"09"));
        text.extend(draw.list(most, |draw| only.unwrap_or(b'0' + draw.below(10) as u8)));
    }
    if draw.odds(3) {
        text.extend_from_slice(draw.pick(&[b"e", b"E", b"e-", b"e+"]));
        text.extend(draw.list(3, |draw| b'0' + draw.below(10) as u8));
    }
    if draw.odds(8) {
        let at = draw.upto(text.len());
        text.insert(at, draw.pick(BYTES));
    }
    text
}

/// Whether a text is a plain decimal, by the rule in words.
fn is_decimal(text: &[u8]) -> bool {
    let unsigned = |t: &[u8]| -> Vec<u8> {
        t.strip_prefix(b"-")
            .or(t.strip_prefix(b"+"))
            .unwrap_or(t)
            .to_vec()
    };
    let text = unsigned(text);
    let mut halves = text.splitn(2, |b| matches!(b, b'e' | b'E'));
    let digits = halves.next().unwrap();
    let fine = digits.iter().filter(|b| **b == b'.').count() <= 1
        && digits.iter().any(u8::is_ascii_digit)
        && digits.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    fine && halves.next().is_none_or(|e| {
        let e = unsigned(e);
        !e.is_empty() && e.iter().all(u8::is_ascii_digit)
    })
}

#[test]
fn numbers_are_those_of_the_standard_parser() {
    fuzz("numbers", |draw| {
        let bytes = number(draw);
        let text = String::from_utf8_lossy(&bytes);
        let value: Option<f64> = is_decimal(&bytes).then(|| text.parse().unwrap());
        let value = value.filter(|v| v.is_finite()).map(|v| v + 0.0);
        let found = numbers::score(&bytes);
        assert_eq!(
            found.map(|f| f.value().to_bits()),
            value.map(f64::to_bits),
            "{text:?}"
        );
        assert_eq!(numbers::grade(&bytes), text.parse().ok(), "{text:?}");
        if !bytes.is_empty() {
            let rank = text
                .parse::<u32>()
                .ok()
                .filter(|_| bytes.len() <= 9 && bytes[0] != b'+');
            assert_eq!(numbers::rank(&bytes), rank, "{text:?}");
        }
        bits(value)
    });
}

/// A line that is another with one of its cells, mostly the document's, rank's or score's, written anew.
fn like(draw: &mut Random, before: &[u8], text: &mut Vec<u8>) {
    let cells: Vec<&[u8]> = before.split(|b| *b == b' ').collect();
    let any = draw.upto(cells.len());
    let changed = draw.pick(&[2, 2, 3, 4, 4, any]);
    let cell = match draw.below(4) {
        0 => number(draw),
        1 => {
            let (from, to) = (draw.below(2) as usize, draw.upto(10) + 3);
            b"-12345.678901"[from..to].to_vec()
        }
        2 => draw.list(20, |draw| draw.pick(b"ad7-\xc3")),
        _ => draw.pick(&CELLS).to_vec(),
    };
    for (column, old) in cells.iter().enumerate() {
        text.extend_from_slice(if column > 0 { b" " } else { b"" });
        text.extend_from_slice(if column == changed { &cell } else { old });
    }
}

/// Lines of cells, most of them right, some bytes changed, the last line ended.
fn block(draw: &mut Random, columns: usize, changes: u64) -> Vec<u8> {
    if let Some(mut text) = draw.whole() {
        text.push(b'\n');
        return text;
    }
    let mut text = Vec::new();
    let mut before: Vec<u8> = Vec::new();
    for _ in 0..draw.upto(20) {
        if !before.is_empty() && draw.odds(2) {
            like(draw, &before, &mut text);
            continue;
        }
        let start = text.len();
        for column in 0..columns {
            if column > 0 {
                text.extend_from_slice(draw.pick(&[b" ", b" ", b" ", b"\t", b"  "]));
            }
            let score = column + 2 == columns || column == 3;
            if score && !draw.odds(8) {
                text.extend(
                    draw.pick(&[&b"1"[..], b"2", b"0", b"-3", b"17", b"2.5", b"-0.25"])
                        .iter(),
                );
            } else {
                let known = if draw.odds(8) { 30 } else { 7 };
                text.extend_from_slice(draw.pick(&CELLS[..known]));
            }
        }
        text.extend_from_slice(draw.pick(&[b"\n", b"\n", b"\n", b"\r\n", b"\n\n"]));
        before = text[start..].to_vec();
    }
    for _ in 0..draw.below(changes) {
        let at = draw.upto(text.len());
        match draw.below(4) {
            0 => text.insert(at, draw.pick(BYTES)),
            1 => text.truncate(at),
            2 if at < text.len() => text[at] = draw.pick(BYTES),
            _ => {
                let (mut copy, to) = (text[..at].to_vec(), draw.upto(text.len()));
                copy.extend_from_slice(&text[to..]);
                text = copy;
            }
        }
        text.truncate(2000);
    }
    if text.last().is_some_and(|&b| b != b'\n') {
        text.push(b'\n');
    }
    text
}

type Found = (Vec<u8>, Vec<u8>, Vec<u8>, Option<u32>, u64);

/// The lines of a run, and the first that is wrong, split by blanks.
fn naive_lines(text: &[u8], dialect: Dialect) -> (Vec<Found>, Option<u64>) {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.split(|b| *b == b'\n')) {
        let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c);
        let cells: Vec<&[u8]> = line.split(blank).filter(|cell| !cell.is_empty()).collect();
        if cells.is_empty() || dialect.comments && line.first() == Some(&b'#') {
            continue;
        }
        let score = cells
            .get(4)
            .and_then(|cell| numbers::score(cell).map(|s| (s, cell)));
        let score =
            score.filter(|(s, text)| dialect.lenient || !numbers::is_rounded(text, s.value()));
        let wide = cells.len() < 6 || cells.len() > 6 && !dialect.lenient;
        match score {
            Some((score, _)) if !wide && !line.contains(&0) => found.push((
                cells[0].to_vec(),
                cells[2].to_vec(),
                cells[5].to_vec(),
                numbers::rank(cells[3]),
                score.value().to_bits(),
            )),
            _ => return (found, Some(number)),
        }
    }
    (found, None)
}

/// The lines of a text, one by one.
struct Gathered<'a> {
    text: &'a [u8],
    query: Id,
    tag: Id,
    found: Vec<Found>,
}

impl Lines for Gathered<'_> {
    fn query(&mut self, query: Id, tag: Id) -> Result<(), BlockError> {
        (self.query, self.tag) = (query, tag);
        Ok(())
    }

    fn entry(&mut self, entry: Entry) {
        let cell = |id: Id| id.of(self.text).to_vec();
        assert_eq!(
            entry.doc.hash,
            table::hash(entry.doc.of(self.text)),
            "{:?}",
            entry.doc.of(self.text)
        );
        self.found.push((
            cell(self.query),
            entry.doc.of(self.text).to_vec(),
            cell(self.tag),
            entry.rank,
            entry.score.value().to_bits(),
        ));
    }
}

#[test]
fn documents_of_every_length_have_the_hash_of_their_bytes() {
    for length in 1..=40 {
        let ids: Vec<_> = (0..20)
            .map(|i| format!("{:a<length$}", char::from(b'b' + i)))
            .collect();
        let line = |(rank, id)| format!("q1 Q0 {id} {rank} 1.5 tag\n");
        let text: String = ids.iter().enumerate().map(line).collect();
        let mut lines = Gathered {
            text: text.as_bytes(),
            query: Id::default(),
            tag: Id::default(),
            found: Vec::new(),
        };
        let dialect = Dialect {
            lenient: false,
            comments: false,
        };
        assert!(parse_lines(text.as_bytes(), dialect, &mut lines).is_ok());
        let found: Vec<_> = lines.found.iter().map(|line| line.1.clone()).collect();
        let wanted: Vec<_> = ids.into_iter().map(String::into_bytes).collect();
        assert_eq!(found, wanted);
    }
}

#[test]
fn lines_are_those_of_a_split_by_blanks() {
    fuzz("lines", |draw| {
        let text = block(draw, 6, 4);
        let dialect = Dialect {
            lenient: draw.odds(2),
            comments: draw.odds(2),
        };
        let mut lines = Gathered {
            text: &text,
            query: Id::default(),
            tag: Id::default(),
            found: Vec::new(),
        };
        let end = parse_lines(&text, dialect, &mut lines);
        let found = lines.found;
        let (wanted, wrong) = naive_lines(&text, dialect);
        let shown = String::from_utf8_lossy(&text);
        assert_eq!(found, wanted, "{shown:?} {dialect:?}");
        assert_eq!(
            end.as_ref().err().map(|e| e.0),
            wrong.map(Some),
            "{shown:?} {dialect:?}"
        );
        bits(found.iter().map(|line| f64::from_bits(line.4)))
    });
}
