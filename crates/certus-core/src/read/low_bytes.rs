//! Where the blanks, line ends and other control bytes of a text stand: one bit a byte.

use wide::u8x16;

/// One bit for each of 64 bytes, the first in the lowest bit: whether it is at most 0x20.
#[inline(always)]
pub(crate) fn low_bytes(bytes: &[u8; 64]) -> u64 {
    let (blank, none) = (u8x16::splat(0x20), u8x16::splat(0));
    let parts = bytes.as_chunks::<16>().0;
    let low = |i: usize| {
        let part = u8x16::new(parts[i]);
        u64::from(part.saturating_sub(blank).simd_eq(none).to_bitmask())
    };
    (low(0) | low(1) << 16) | (low(2) | low(3) << 16) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_low_byte_has_its_bit_alone_and_among_others() {
        let naive =
            |bytes: &[u8; 64]| (0..64).fold(0, |mask, i| mask | u64::from(bytes[i] <= 0x20) << i);
        let mut state = 7_u64;
        for around in 0..=255_u8 {
            for value in 0..=255_u8 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let mut bytes = [around; 64];
                bytes[(state >> 58) as usize] = value;
                assert_eq!(low_bytes(&bytes), naive(&bytes));
            }
        }
        let mixed: [u8; 64] = std::array::from_fn(|i| (i * 37 % 256) as u8);
        assert_eq!(low_bytes(&mixed), naive(&mixed));
    }
}
