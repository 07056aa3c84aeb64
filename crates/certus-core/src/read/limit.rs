//! What a file may not do while it is read: grow beyond bounds as it is decompressed, or change.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{Error, Read, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Decompressed bytes that are read whatever the size of the file.
const ALWAYS: u64 = 64 << 20;
/// Decompressed bytes for each byte of the file beyond which it is refused, unless `VARIABLE` says otherwise.
const RATIO: u64 = 200;
const VARIABLE: &str = "CERTUS_MAX_RATIO";

/// Why a file is not read any further, in words of its own.
#[derive(Debug)]
pub(crate) struct Refused(String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

/// The ratio of decompressed to compressed bytes that is allowed; none where any is.
pub(crate) fn ratio() -> std::result::Result<Option<u64>, String> {
    match std::env::var(VARIABLE).as_deref() {
        Err(_) | Ok("") => Ok(Some(RATIO)),
        Ok("unlimited") => Ok(None),
        Ok(text) => match text.parse() {
            Ok(ratio @ 1..) => Ok(Some(ratio)),
            _ => Err(format!(
                "is compressed, and {VARIABLE} is '{text}'; it must be a whole number from 1, or 'unlimited'"
            )),
        },
    }
}

/// Decompressed bytes, as long as there are not too many for the `taken` bytes of the file.
pub(crate) struct Limited<R> {
    pub inner: R,
    pub taken: Arc<AtomicU64>,
    pub ratio: u64,
    pub made: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let n = self.inner.read(buffer)?;
        self.made += n as u64;
        let taken = self.taken.load(Ordering::Relaxed);
        if self.made > ALWAYS && self.made > taken.saturating_mul(self.ratio) {
            return Err(Error::other(Refused(format!(
                "decompresses to more than {} times its size; is it what it should be? If so, set \
                 {VARIABLE}=unlimited",
                self.ratio
            ))));
        }
        Ok(n)
    }
}

/// Refuses a regular file whose length or time of change is not what it was when it was opened.
pub(crate) fn check_unchanged(file: &File, opened: &Metadata) -> Result<()> {
    let now = file.metadata()?;
    let same = now.len() == opened.len() && now.modified().ok() == opened.modified().ok();
    if opened.is_file() && !same {
        return Err(Error::other(Refused(
            "was changed while it was read; read it again once it is complete".to_owned(),
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_decompressed_is_limited_by_the_size_of_the_file_once_it_is_large() {
        let read = |made: u64, taken: u64| {
            let inner = std::io::repeat(b'\n').take(made);
            let taken = Arc::new(AtomicU64::new(taken));
            let mut limited = Limited {
                inner,
                taken,
                ratio: 3,
                made: 0,
            };
            std::io::copy(&mut limited, &mut std::io::sink())
        };
        assert!(matches!(read(ALWAYS, 1), Ok(ALWAYS)));
        assert!(read(ALWAYS + 1, 1).is_err());
        assert!(read(ALWAYS + 2, 1 + ALWAYS / 3).is_ok());
        let error = read(ALWAYS + 4, ALWAYS / 3).map_err(|e| e.to_string());
        assert!(error.is_err_and(|e| e.contains("more than 3 times its size")));
    }
}
