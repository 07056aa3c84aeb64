//! gzip files of any number of members, which may end in zeros, as tapes and block devices pad them.

use std::io::{BufRead, Error, ErrorKind, Read, Result};

use flate2::bufread::GzDecoder;

/// Decompresses all members; zeros behind the last one are passed over, as `gzip -t` does.
pub(crate) struct Members<R: BufRead>(Option<GzDecoder<R>>);

impl<R: BufRead> Members<R> {
    pub fn new(raw: R) -> Self {
        Self(Some(GzDecoder::new(raw)))
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        while let Some(member) = &mut self.0 {
            let n = member.read(buffer)?;
            if n > 0 || buffer.is_empty() {
                return Ok(n);
            }
            self.0 = match self.0.take() {
                Some(member) => next(member.into_inner())?,
                None => None,
            };
        }
        Ok(0)
    }
}

/// The member that follows, if there is one.
fn next<R: BufRead>(mut raw: R) -> Result<Option<GzDecoder<R>>> {
    let mut padded = false;
    loop {
        let bytes = raw.fill_buf()?;
        match bytes.iter().position(|b| *b != 0) {
            Some(0) if !padded => return Ok(Some(GzDecoder::new(raw))),
            Some(_) => return Err(Error::new(ErrorKind::InvalidData, "other data follow")),
            None if bytes.is_empty() => return Ok(None),
            None => {
                padded = true;
                let all = bytes.len();
                raw.consume(all);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::Compression;
    use flate2::bufread::GzEncoder;

    use super::Members;

    fn member(text: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        let taken = GzEncoder::new(text, Compression::fast()).read_to_end(&mut packed);
        assert!(taken.is_ok());
        packed
    }

    fn read(bytes: &[u8]) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        // a buffer of few bytes, so that members and zeros are met in pieces
        Members::new(std::io::BufReader::with_capacity(7, bytes))
            .read_to_end(&mut text)
            .ok()?;
        Some(text)
    }

    #[test]
    fn zeros_behind_the_last_member_are_passed_over_and_nothing_but_zeros() {
        let two = [member(b"one\n"), member(b""), member(b"two\n")].concat();
        let text = Some(b"one\ntwo\n".to_vec());
        assert_eq!(read(&two), text);
        for zeros in [1, 6, 7, 512] {
            let padded = [two.clone(), vec![0; zeros]].concat();
            assert_eq!(read(&padded), text, "{zeros} zeros");
            assert_eq!(read(&[padded.clone(), vec![1]].concat()), None);
            assert_eq!(read(&[padded, member(b"three\n")].concat()), None);
        }
        assert_eq!(read(&[two.clone(), vec![1]].concat()), None);
        assert_eq!(read(&two[..two.len() - 1]), None);
    }
}
