//! Loops compiled several times, for the widths of registers there are, and run as the processor allows.
//!
//! No version contracts or reorders operations, so all give the same bits.

use std::sync::LazyLock;

use pulp::{Arch, WithSimd};

static ARCH: LazyLock<Arch> = LazyLock::new(Arch::new);

/// Runs work in its widest version.
#[inline]
pub(crate) fn run<W: WithSimd>(work: W) -> W::Output {
    ARCH.dispatch(work)
}

/// Declares a function whose loops are compiled for each width; what it calls must be `#[inline(always)]`.
macro_rules! widest {
    ($(#[$about:meta])* $visible:vis fn $name:ident($($given:ident: $kind:ty),* $(,)?) -> $found:ty $body:block) => {
        $(#[$about])*
        $visible fn $name($($given: $kind),*) -> $found {
            #[allow(non_camel_case_types)]
            struct Work<$($given),*>($($given),*);
            impl pulp::WithSimd for Work<$($kind),*> {
                type Output = $found;
                #[inline(always)]
                fn with_simd<S: pulp::Simd>(self, _: S) -> $found {
                    let Work($($given),*) = self;
                    $body
                }
            }
            $crate::simd::run(Work($($given),*))
        }
    };
}
pub(crate) use widest;
