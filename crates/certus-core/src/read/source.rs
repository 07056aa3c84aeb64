//! A file's bytes, decompressed; its compression told by content, its fingerprint taken on the way.

use std::fs::{File, Metadata};
use std::io::{BufReader, Chain, Cursor, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use xxhash_rust::xxh3::Xxh3;

use super::error::ReadError;
use super::gzip::Members;
use super::limit::{Limited, Refused, check_unchanged, ratio};
use crate::interrupt;

/// Reads a file's decompressed bytes in order.
pub(crate) struct Source {
    pub name: String,
    reader: Box<dyn Read + Send>,
    hash: Arc<Mutex<Xxh3>>,
}

/// Feeds what passes through to the fingerprint, and counts it.
struct Hashed {
    file: File,
    opened: Metadata,
    hash: Arc<Mutex<Xxh3>>,
    taken: Arc<AtomicU64>,
}

impl Read for Hashed {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.file.read(buffer)?;
        if n == 0 && !buffer.is_empty() {
            check_unchanged(&self.file, &self.opened)?;
        }
        self.taken.fetch_add(n as u64, Ordering::Relaxed);
        if let (Ok(mut hash), Some(read)) = (self.hash.lock(), buffer.get(..n)) {
            hash.update(read);
        }
        Ok(n)
    }
}

const START: usize = 16;
/// Reads of the compressed file, and room to look past a byte-order mark.
const READ: usize = 256 << 10;
/// Reads of decompressed bytes between which an interruption is heard.
const READ_AT_ONCE: usize = 4 << 20;

impl Source {
    /// Opens a file and finds out how it is compressed.
    pub fn open(path: &Path, name: &str) -> Result<Self, ReadError> {
        Self::open_archive(path, name, false)
    }

    /// As `open`; a zip archive, as a workbook is one, is read as it stands if it is `allowed`.
    fn open_archive(path: &Path, name: &str, allowed: bool) -> Result<Self, ReadError> {
        let fail = |what: String| ReadError::new(name, None, what);
        let meta = std::fs::metadata(path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => fail("no such file".into()),
            _ => fail(format!("cannot be read: {e}")),
        })?;
        if meta.is_dir() {
            return Err(fail("is a directory; name a file in it".into()));
        }
        let file = File::open(path).map_err(|e| fail(format!("cannot be read: {e}")))?;
        let opened = file
            .metadata()
            .map_err(|e| fail(format!("cannot be read: {e}")))?;
        let hash = Arc::new(Mutex::new(Xxh3::new()));
        let taken = Arc::new(AtomicU64::new(0));
        let mut raw = Hashed {
            file,
            opened,
            hash: Arc::clone(&hash),
            taken: Arc::clone(&taken),
        };
        let start = first_bytes(&mut raw).map_err(|e| fail(format!("cannot be read: {e}")))?;
        let kind = if allowed && start.starts_with(b"PK\x03\x04") {
            "plain"
        } else {
            compression(&start).map_err(|what| fail(what.into()))?
        };
        let raw = Cursor::new(start).chain(raw);
        let mut reader =
            decoder(kind, raw).map_err(|e| fail(format!("is a damaged {kind} file: {e}")))?;
        if kind != "plain"
            && let Some(ratio) = ratio().map_err(fail)?
        {
            reader = Box::new(Limited {
                inner: reader,
                taken,
                ratio,
                made: 0,
            });
        }
        Self {
            name: name.into(),
            reader,
            hash,
        }
        .without_mark(kind)
    }

    /// Reads up to `room` further bytes to `buffer[filled..]`, which grows where it must; returns how many, less than
    /// `room` only at the end.
    pub fn fill(
        &mut self,
        buffer: &mut Vec<u8>,
        filled: usize,
        room: usize,
    ) -> Result<usize, String> {
        if buffer.len() < filled + room {
            buffer
                .try_reserve(filled + room - buffer.len())
                .map_err(|_| "does not fit in memory".to_owned())?;
            buffer.resize(filled + room, 0);
        }
        let mut read = 0;
        while let Some(rest) = buffer
            .get_mut(filled + read..filled + room)
            .filter(|r| !r.is_empty())
        {
            interrupt::poll();
            match self.reader.read(rest) {
                Ok(0) => break,
                Ok(n) => read += n,
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) if e.get_ref().is_some_and(|why| why.is::<Refused>()) => {
                    return Err(e.to_string());
                }
                Err(e) => {
                    return Err(format!(
                        "cannot be read to its end: {e}; it is truncated or damaged, so nothing was computed"
                    ));
                }
            }
        }
        Ok(read)
    }

    /// Fingerprint (XXH3, 128 bits) of the file's bytes as they are on disk; complete once all has been read.
    pub fn fingerprint(&self) -> u128 {
        self.hash.lock().map_or(0, |h| h.digest128())
    }

    fn without_mark(mut self, kind: &str) -> Result<Self, ReadError> {
        let start = first_bytes(&mut self.reader).map_err(|e| {
            ReadError::new(&self.name, None, format!("is a damaged {kind} file: {e}"))
        })?;
        if start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]) {
            let what = "is UTF-16 text; convert it to UTF-8 (for example with iconv)";
            return Err(ReadError::new(&self.name, None, what));
        }
        let skip = if start.starts_with(&[0xef, 0xbb, 0xbf]) {
            3
        } else {
            0
        };
        let rest = start.get(skip..).unwrap_or(&[]).to_vec();
        let inner = std::mem::replace(&mut self.reader, Box::new(std::io::empty()));
        self.reader = Box::new(Cursor::new(rest).chain(inner));
        Ok(self)
    }
}

fn first_bytes(reader: &mut impl Read) -> std::io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(START);
    reader.take(START as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// The name of the compression whose mark a file starts with.
fn compression(start: &[u8]) -> Result<&'static str, &'static str> {
    const BLOCK: &[u8] = &[0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
    const END: &[u8] = &[0x17, 0x72, 0x45, 0x38, 0x50, 0x90];
    let bzip2 =
        start.starts_with(b"BZh") && start.get(4..10).is_some_and(|b| b == BLOCK || b == END);
    Ok(match start {
        [0x1f, 0x8b, ..] => "gzip",
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => "xz",
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => "zstd",
        [b'P', b'K', 3, 4, ..] => return Err("is a zip archive; unpack it first"),
        [0x04, 0x22, 0x4d, 0x18, ..] => {
            return Err("is lz4-compressed; unpack it, or use gzip, bzip2, xz or zstd");
        }
        _ if bzip2 => "bzip2",
        _ => "plain",
    })
}

type Raw = Chain<Cursor<Vec<u8>>, Hashed>;

fn decoder(kind: &str, raw: Raw) -> std::io::Result<Box<dyn Read + Send>> {
    Ok(match kind {
        "gzip" => Box::new(Members::new(BufReader::with_capacity(READ, raw))),
        "bzip2" => Box::new(bzip2::bufread::MultiBzDecoder::new(
            BufReader::with_capacity(READ, raw),
        )),
        "xz" => Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(
            BufReader::with_capacity(READ, raw),
        )),
        "zstd" => Box::new(zstd::stream::read::Decoder::with_buffer(
            BufReader::with_capacity(READ, raw),
        )?),
        _ => Box::new(raw),
    })
}

/// Up to `most` of a file's first decompressed bytes, without a byte-order mark.
///
/// # Errors
/// Where the file cannot be opened or its start is damaged.
pub fn read_start(path: &Path, name: &str, most: usize) -> Result<Vec<u8>, ReadError> {
    let mut source = Source::open_archive(path, name, true)?;
    let mut text = Vec::new();
    let read = source
        .fill(&mut text, 0, most)
        .map_err(|what| ReadError::new(name, None, what))?;
    text.truncate(read);
    Ok(text)
}

/// A file's decompressed bytes, and the fingerprint of its raw ones.
///
/// # Errors
/// Where it cannot be read to its end.
pub fn read_all(path: &Path, name: &str) -> Result<(Vec<u8>, u128), ReadError> {
    let mut source = Source::open_archive(path, name, true)?;
    let (mut text, mut filled) = (Vec::new(), 0);
    loop {
        let room = filled.clamp(1 << 16, READ_AT_ONCE);
        let read = source
            .fill(&mut text, filled, room)
            .map_err(|what| ReadError::new(name, None, what))?;
        filled += read;
        if read < room {
            text.truncate(filled);
            return Ok((text, source.fingerprint()));
        }
    }
}
