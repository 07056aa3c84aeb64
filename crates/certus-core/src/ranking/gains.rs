//! What a grade is worth.

use super::lists::List;

/// The gain of a document by its grade. Documents not judged, negative grades included, gain nothing.
///
/// The ideal ranking is in order of gain. (trec_eval compares gains cut down to whole numbers, so with gains less than
/// 1 apart its ideal ranking may not be the best one.)
#[derive(Clone, Debug, PartialEq)]
pub struct Gains {
    exponential: bool,
    /// Grades with a gain of their own, and that gain.
    levels: Vec<(i32, f64)>,
}

/// Grades above this make exponential gains overflow when summed.
const SAFE_EXPONENT: i32 = 900;

impl Gains {
    /// Gains of that name, `linear` (the grade) or `exp` (2^grade - 1), with `levels` replacing single grades' gains.
    ///
    /// ```
    /// use certus_core::ranking::Gains;
    ///
    /// let gains = Gains::new("exp", &[(1, 0.5)]).unwrap();
    /// assert_eq!([-1, 0, 1, 2].map(|grade| gains.of(grade)), [0.0, 0.0, 0.5, 3.0]);
    /// assert!(Gains::new("log", &[]).is_err());
    /// ```
    pub fn new(name: &str, levels: &[(i32, f64)]) -> Result<Self, String> {
        let exponential = match name {
            "linear" => false,
            "exp" => true,
            _ => return Err(format!("no gain is named '{name}'; use 'linear' or 'exp'")),
        };
        match levels.iter().find(|(_, gain)| !gain.is_finite()) {
            Some((grade, gain)) => Err(format!(
                "the gain of grade {grade} is {gain}; it must be finite"
            )),
            None => Ok(Gains {
                exponential,
                levels: levels.to_vec(),
            }),
        }
    }

    /// The gain of `grade`; infinite for an exponential gain above grade 1023.
    pub fn of(&self, grade: i32) -> f64 {
        self.scaled(grade, 0)
    }

    /// The gain divided by 2^scale, exact as long as it is neither infinite nor denormal.
    pub(super) fn scaled(&self, grade: i32, scale: i32) -> f64 {
        if grade < 0 {
            return 0.0;
        }
        if let Some((_, gain)) = self.levels.iter().find(|(level, _)| *level == grade) {
            return gain * power_of_two(-scale);
        }
        if self.exponential {
            power_of_two(grade - scale) - power_of_two(-scale)
        } else {
            f64::from(grade)
        }
    }

    /// A scale that keeps sums of this list's gains finite, so that ratios of them stay defined.
    pub(super) fn scale(&self, list: &List) -> i32 {
        match list.judged.first() {
            Some(&top) if self.exponential && top > SAFE_EXPONENT => top,
            _ => 0,
        }
    }

    /// The positive gains of all judged documents, decreasing: the ideal ranking.
    pub(super) fn ideal(&self, list: &List, scale: i32) -> Vec<f64> {
        self.with_ideal(list, scale, |best| best.collect())
    }

    /// What `read` makes of the ideal ranking. Without gains of their own the grades are in order already.
    pub(super) fn with_ideal<T>(
        &self,
        list: &List,
        scale: i32,
        read: impl Fn(&mut dyn Iterator<Item = f64>) -> T,
    ) -> T {
        let gains = list.judged.iter().map(|&grade| self.scaled(grade, scale));
        if self.levels.is_empty() {
            return read(&mut gains.take_while(|&gain| gain > 0.0));
        }
        let mut gains: Vec<f64> = gains.filter(|&gain| gain > 0.0).collect();
        gains.sort_unstable_by(|a, b| b.total_cmp(a));
        read(&mut gains.into_iter())
    }
}

/// 2^exponent, 0 or infinite far outside the range of a double.
pub(super) fn power_of_two(exponent: i32) -> f64 {
    f64::powi(2.0, exponent.clamp(-1100, 1100))
}
