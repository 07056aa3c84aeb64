//! Where the blanks, line ends and other control bytes of a text stand: one bit a byte.

use wide::u8x16;

/// One bit for each of 64 bytes, the first in the lowest bit: whether it is at most 0x20.
#[inline(always)]
pub(crate) fn low_bytes(bytes: &[u8; 64]) -> u64 {
    let (halves, _) = bytes.as_chunks();
    u64::from(low_bytes_of_half(&halves[0])) | u64::from(low_bytes_of_half(&halves[1])) << 32
}

/// One bit for each of 32 bytes.
#[inline(always)]
pub(crate) fn low_bytes_of_half(bytes: &[u8; 32]) -> u32 {
    let (blank, none) = (u8x16::splat(0x20), u8x16::splat(0));
    let (parts, _) = bytes.as_chunks::<16>();
    let low = |i: usize| {
        let part = u8x16::new(parts[i]);
        part.saturating_sub(blank).simd_eq(none).to_bitmask()
    };
    low(0) | low(1) << 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_low_byte_has_its_bit_alone_and_among_others() {
        let naive =
            |bytes: &[u8; 64]| (0..64).fold(0, |mask, i| mask | u64::from(bytes[i] <= 0x20) << i);
        let mut random = crate::fuzz::Random::new(7);
        for around in 0..=255_u8 {
            for value in 0..=255_u8 {
                let mut bytes = [around; 64];
                bytes[random.upto(63)] = value;
                assert_eq!(low_bytes(&bytes), naive(&bytes));
            }
        }
        let mixed: [u8; 64] = std::array::from_fn(|i| (i * 37 % 256) as u8);
        assert_eq!(low_bytes(&mixed), naive(&mixed));
    }
}
