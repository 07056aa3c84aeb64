//! Hashing of ids, and a table that finds an id among those of one query.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

/// The first eight bytes of an id as a little-endian word; the bytes of a shorter one at its top, zeros below.
#[inline]
pub(crate) fn head(id: &[u8]) -> u64 {
    match id.first_chunk() {
        Some(&bytes) => u64::from_le_bytes(bytes),
        None => id
            .iter()
            .fold(0, |word, &byte| word >> 8 | u64::from(byte) << 56),
    }
}

/// Hash of an id.
#[inline]
pub(crate) fn hash(id: &[u8]) -> u64 {
    Seed::get().hash(id, head(id))
}

/// Drawn once per process, so that no file can be made to collide; results never depend on it.
#[derive(Clone, Copy)]
pub(crate) struct Seed([u64; 2]);

impl Seed {
    pub fn get() -> Self {
        static SEED: OnceLock<[u64; 2]> = OnceLock::new();
        let draw = |of: u64| RandomState::new().hash_one(of) | 1;
        Self(*SEED.get_or_init(|| [draw(1), draw(2)]))
    }

    /// The hash of an id whose `head` is known.
    #[inline]
    pub fn hash(self, id: &[u8], head: u64) -> u64 {
        if id.len() <= 8 {
            self.short(head, id.len())
        } else {
            self.long(id, head)
        }
    }

    /// The hash of an id of up to 8 bytes.
    #[inline(always)]
    pub fn short(self, head: u64, len: usize) -> u64 {
        let Self([a, b]) = self;
        fold(a ^ head, b.wrapping_add(len as u64))
    }

    /// The hash of an id of more than 8 bytes.
    #[inline]
    pub fn long(self, id: &[u8], head: u64) -> u64 {
        let Self([a, b]) = self;
        let n = id.len();
        // The length tells ids apart whose last words, overlapping the words before, look alike.
        let last = b.wrapping_add(n as u64);
        let mut state = fold(a ^ head, b);
        let mut at = 8;
        while at + 8 < n {
            state = fold(state ^ word(id, at), b);
            at += 8;
        }
        fold(state ^ word(id, n - 8), last)
    }
}

#[inline]
fn word(bytes: &[u8], at: usize) -> u64 {
    bytes
        .get(at..at + 8)
        .and_then(|w| w.try_into().ok())
        .map_or(0, u64::from_le_bytes)
}

#[inline]
fn fold(x: u64, y: u64) -> u64 {
    let product = u128::from(x) * u128::from(y);
    (product as u64) ^ ((product >> 64) as u64)
}

/// Maps keyed by ids, hashed as in [`hash`].
pub(crate) type IdMap<T> =
    std::collections::HashMap<Vec<u8>, T, std::hash::BuildHasherDefault<IdHasher>>;

#[derive(Default)]
pub(crate) struct IdHasher(u64);

impl std::hash::Hasher for IdHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = self.0.rotate_left(32) ^ hash(bytes);
    }

    fn write_usize(&mut self, _: usize) {
        // The length of the id, which its hash has in it already.
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Open-addressing table of the positions of ids in a list, by their hashes. Cleared and reused for each query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// Slots of a list of usual length; of any other.
    short: Vec<u16>,
    long: Vec<u32>,
}

/// A position counted from 1, 0 where a slot is empty.
trait Slot: Copy + Default {
    fn of(place: usize) -> Self;
    fn place(self) -> usize;
}

impl Slot for u16 {
    fn of(place: usize) -> Self {
        place as Self
    }

    fn place(self) -> usize {
        self.into()
    }
}

impl Slot for u32 {
    fn of(place: usize) -> Self {
        place as Self
    }

    fn place(self) -> usize {
        self as usize
    }
}

/// Bytes of slots for each id: so many that most ids find their first slot empty, and no more than stay in a core's cache.
const ROOM: usize = 16;

impl Table {
    /// Fills the table with the positions of the ids with these hashes. `same(i, j)` is whether two are equal.
    ///
    /// # Errors
    /// The first position whose id is that of an earlier one.
    pub fn build(
        &mut self,
        hashes: impl ExactSizeIterator<Item = u64>,
        same: impl Fn(usize, usize) -> bool,
    ) -> Result<(), usize> {
        self.short.clear();
        self.long.clear();
        if hashes.len() < usize::from(u16::MAX) {
            fill(&mut self.short, hashes, same)
        } else {
            fill(&mut self.long, hashes, same)
        }
    }

    /// The position of the id with this hash for which `is(position)` holds.
    #[inline]
    pub fn find(&self, hash: u64, is: impl Fn(usize) -> bool) -> Option<usize> {
        if self.long.is_empty() {
            find(&self.short, hash, is)
        } else {
            find(&self.long, hash, is)
        }
    }
}

#[inline]
fn fill<T: Slot>(
    slots: &mut Vec<T>,
    hashes: impl ExactSizeIterator<Item = u64>,
    same: impl Fn(usize, usize) -> bool,
) -> Result<(), usize> {
    let size = (hashes.len() * (ROOM / size_of::<T>())).next_power_of_two();
    slots.resize(size, T::default());
    let mask = size - 1;
    let slots = slots.as_mut_slice();
    for (i, hash) in hashes.enumerate() {
        let mut at = hash as usize & mask;
        while let Some(slot) = slots.get_mut(at) {
            let Some(j) = slot.place().checked_sub(1) else {
                *slot = T::of(i + 1);
                break;
            };
            if same(j, i) {
                return Err(i);
            }
            at = (at + 1) & mask;
        }
    }
    Ok(())
}

#[inline]
fn find<T: Slot>(slots: &[T], hash: u64, is: impl Fn(usize) -> bool) -> Option<usize> {
    let mask = slots.len().wrapping_sub(1);
    let mut at = hash as usize & mask;
    loop {
        let i = slots.get(at)?.place().checked_sub(1)?;
        if is(i) {
            return Some(i);
        }
        at = (at + 1) & mask;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_and_repeats_refused_even_when_all_hashes_collide() {
        let ids = ["a", "bb", "ccccccccc", "d"];
        for hashes in [ids.map(|id| hash(id.as_bytes())), [7; 4]] {
            let mut table = Table::default();
            assert_eq!(
                table.build(hashes.into_iter(), |i, j| ids[i] == ids[j]),
                Ok(())
            );
            for (i, id) in ids.iter().enumerate() {
                assert_eq!(table.find(hashes[i], |j| ids[j] == *id), Some(i));
            }
            assert_eq!(table.find(hashes[0], |_| false), None);
        }
        let twice = ["a", "b", "a"];
        let hashes = twice.map(|id| hash(id.as_bytes()));
        assert_eq!(
            Table::default().build(hashes.into_iter(), |i, j| twice[i] == twice[j]),
            Err(2)
        );
    }

    #[test]
    fn lists_of_any_length_are_found_again_to_the_last_id() {
        let mut table = Table::default();
        for n in [0, 1, 65_533, 65_534, 65_535, 65_536, 3] {
            let hashes: Vec<u64> = (0..n as u64).map(|i| hash(&i.to_le_bytes())).collect();
            assert_eq!(
                table.build(hashes.iter().copied(), |i, j| hashes[i] == hashes[j]),
                Ok(())
            );
            for (i, hash) in hashes.iter().enumerate() {
                assert_eq!(table.find(*hash, |j| hashes[j] == *hash), Some(i), "{n}");
            }
            let other = hash(b"another one");
            assert_eq!(table.find(other, |j| hashes[j] == other), None, "{n}");
            let twice: Vec<u64> = hashes.iter().chain(hashes.last()).copied().collect();
            let found = table.build(twice.iter().copied(), |i, j| twice[i] == twice[j]);
            assert_eq!(found, if n == 0 { Ok(()) } else { Err(n) });
        }
    }

    #[test]
    fn every_byte_and_the_length_change_the_hash() {
        let mut seen = std::collections::HashSet::new();
        for n in 0..40 {
            assert!(seen.insert(hash(&vec![0; n])));
            for i in 0..n {
                let mut id = vec![0; n];
                id[i] = 1;
                assert!(seen.insert(hash(&id)), "{n} {i}");
            }
        }
    }
}
