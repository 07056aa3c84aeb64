//! One step down the ranking, and what it adds.

/// A group of equal scores in which hits fall at random.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Items in the group.
    pub size: usize,
    /// What each hit adds, whatever its number.
    pub(super) flat: f64,
    pub(super) lead: f64,
    pub(super) inner: f64,
}

impl Block {
    /// What the group adds when `k` of its members are hits and `r` hits stand above it.
    ///
    /// By average, each of the group's ranks holds a hit with chance k/b, and then (j-1)(k-1)/(b-1) others of the group
    /// stand above the j-th rank.
    #[must_use]
    pub fn gain(&self, r: usize, k: usize) -> f64 {
        let others = k.saturating_sub(1) as f64;
        k as f64 * (self.flat + (r + 1) as f64 * self.lead + others * self.inner)
    }
}

/// One step down the ranking.
pub(super) enum Step<'a> {
    /// A rank whose hit adds the weight times its number.
    Times(f64),
    /// A rank whose hit adds the weight.
    Rank(f64),
    /// A rank whose hit adds the weight if it is the first.
    First(f64),
    /// A rank whose hit adds an entry of the table; so many ranks lie above.
    Above(&'a [f64], usize),
    /// A group of ranks.
    Block(Block),
}

impl Step<'_> {
    /// What the step adds when it takes the number of hits from `r - 1` to `r`; not for groups.
    #[inline]
    pub(super) fn gain(&self, r: usize) -> f64 {
        match *self {
            Step::Times(weight) => weight * r as f64,
            Step::Rank(weight) => weight,
            Step::First(weight) => {
                if r == 1 {
                    weight
                } else {
                    0.0
                }
            }
            // Impossible when more hits than ranks; the state then has no weight.
            Step::Above(table, above) => table
                .get((above + 1).saturating_sub(r))
                .copied()
                .unwrap_or(0.0),
            Step::Block(block) => block.gain(r.saturating_sub(1), 1),
        }
    }
}

/// exp(tilt gain - shift) for fewer and fewer hits: by one multiplication each where gains grow evenly.
pub(super) struct Tilts<'a, 'b> {
    step: &'a Step<'b>,
    tilt: f64,
    shift: f64,
    next: f64,
    ratio: Option<f64>,
}

impl<'a, 'b> Tilts<'a, 'b> {
    pub(super) fn new(step: &'a Step<'b>, tilt: f64, shift: f64, most: usize) -> Self {
        let next = (tilt * step.gain(most) - shift).exp();
        let ratio = match *step {
            Step::Times(weight) => Some((-tilt * weight).exp()),
            Step::Rank(_) => Some(1.0),
            _ => None,
        };
        // Not from a number that has lost its digits.
        let ratio = ratio.filter(|ratio| next > 1e-250 && ratio.is_finite());
        Self {
            step,
            tilt,
            shift,
            next,
            ratio,
        }
    }

    /// The one for `r`, which is one less at each call.
    #[inline]
    pub(super) fn next(&mut self, r: usize) -> f64 {
        match self.ratio {
            Some(ratio) => {
                let now = self.next;
                self.next *= ratio;
                now
            }
            None => (self.tilt * self.step.gain(r) - self.shift).exp(),
        }
    }
}
