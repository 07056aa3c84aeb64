"""The compiled module. Import it through `certus.core.kernels`."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

_Columns: TypeAlias = tuple[
    NDArray[np.int64],
    NDArray[np.uint32],
    NDArray[np.int32],
    NDArray[np.uint32],
    NDArray[np.uint32],
    NDArray[np.uint32],
    NDArray[np.int64],
    NDArray[np.int32],
]
_Values: TypeAlias = NDArray[np.float64]
_Scores: TypeAlias = NDArray[np.floating[Any]]
"""The scores of one class, ascending, float32 or float64; both classes in one width."""
_Marks: TypeAlias = NDArray[np.uint8]
_Codes: TypeAlias = NDArray[np.uint32]
_Gains: TypeAlias = Sequence[tuple[int, float]]

__version__: str

def average_precision(
    columns: _Columns,
    *,
    rel: int,
    cutoff: int | None,
    denominator: Literal["relevant", "min", "hits"],
    average: bool,
) -> _Values: ...
def precision(columns: _Columns, *, rel: int, cutoff: int | None, average: bool) -> _Values: ...
def recall(columns: _Columns, *, rel: int, cutoff: int | None, average: bool) -> _Values: ...
def f_measure(columns: _Columns, *, rel: int, cutoff: int | None, beta: float, average: bool) -> _Values: ...
def success(columns: _Columns, *, rel: int, cutoff: int | None, average: bool) -> _Values: ...
def relative_precision(columns: _Columns, *, rel: int, cutoff: int | None, average: bool) -> _Values: ...
def set_map(columns: _Columns, *, rel: int) -> _Values: ...
def reciprocal_rank(columns: _Columns, *, rel: int, cutoff: int | None, average: bool) -> _Values: ...
def r_precision(columns: _Columns, *, rel: int, multiple: float, average: bool) -> _Values: ...
def bpref(columns: _Columns, *, rel: int, average: bool) -> _Values: ...
def inf_ap(columns: _Columns, *, rel: int, average: bool) -> _Values: ...
def interpolated_precision(
    columns: _Columns, *, rel: int, recall: float, rounding: Literal["trec9", "trec10", "exact"], average: bool
) -> _Values: ...
def eleven_point(
    columns: _Columns, *, rel: int, rounding: Literal["trec9", "trec10", "exact"], average: bool
) -> _Values: ...
def dcg(
    columns: _Columns, *, cutoff: int | None, gain: Literal["linear", "exp"], average: bool, gains: _Gains = ...
) -> _Values: ...
def ndcg(
    columns: _Columns, *, cutoff: int | None, gain: Literal["linear", "exp"], average: bool, gains: _Gains = ...
) -> _Values: ...
def ndcg_rel(columns: _Columns, *, average: bool, gains: _Gains = ...) -> _Values: ...
def rndcg(columns: _Columns, *, rel: int, average: bool, gains: _Gains = ...) -> _Values: ...
def g(columns: _Columns, *, average: bool, gains: _Gains = ...) -> _Values: ...
def bin_g(columns: _Columns, *, rel: int, average: bool) -> _Values: ...
def err(columns: _Columns, *, cutoff: int | None, max_grade: int, average: bool) -> _Values: ...
def nerr(columns: _Columns, *, cutoff: int | None, max_grade: int, average: bool) -> _Values: ...
def rbp(columns: _Columns, *, p: float, rel: int, cutoff: int | None, average: bool) -> _Values: ...
def rbp_residual(columns: _Columns, *, p: float, cutoff: int | None, average: bool) -> _Values: ...
def judged(columns: _Columns, *, cutoff: int | None, average: bool) -> _Values: ...
def k_at_recall(columns: _Columns, *, rel: int, recall: float, average: bool) -> _Values: ...
def precision_at_recall(columns: _Columns, *, rel: int, recall: float, average: bool) -> _Values: ...
def num_retrieved(columns: _Columns) -> _Values: ...
def num_relevant(columns: _Columns, *, rel: int) -> _Values: ...
def num_relevant_retrieved(columns: _Columns, *, rel: int) -> _Values: ...
def num_nonrelevant_judged_retrieved(columns: _Columns, *, rel: int) -> _Values: ...
def utility(columns: _Columns, *, rel: int, a: float, b: float, c: float, d: float, collection: int) -> _Values: ...
def order_ties(columns: _Columns, *, best: bool) -> _Columns: ...
def condense(columns: _Columns) -> _Columns: ...
def assume_relevant(columns: _Columns) -> _Columns: ...
def truncate(columns: _Columns, n: int) -> _Columns: ...
def shuffled(
    items: int,
    shown: int,
    *,
    grades: NDArray[np.int32],
    judged: NDArray[np.int32],
    ties: NDArray[np.uint32] | None,
    first: int,
    replicates: int,
    seed: int,
) -> _Columns:
    """Random rankings number `first` and following of one query, each as a query of its own."""

def relevance_string(columns: _Columns, *, length: int) -> list[str]: ...
def resample_sums(rows: NDArray[np.float64], *, replicates: int, seed: int) -> NDArray[np.float64]:
    """The column sums of `rows`, one row per unit, over resamples of the units, one row per replicate."""

def sum_absolute_error(truth: NDArray[np.float64], predicted: NDArray[np.float64]) -> float: ...
def sum_squared_error(truth: NDArray[np.float64], predicted: NDArray[np.float64]) -> float: ...

_Moments: TypeAlias = tuple[float, float, float, float, float, float]
"""The mean, the sums of the second to fourth powers of the distances from it, the least and the greatest number."""

def exact_sum(values: NDArray[np.float64], *, over: int = 0) -> float:
    """The sum as the nearest float, whatever the order; over 2 to the power `over`."""

def exact_dot(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """The sum of the products as the nearest float, whatever the order."""

def exact_sum_by_code(codes: NDArray[np.int64], values: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """The sum of the values of each code from 0 to `size` - 1 as the nearest float, whatever the order."""

@final
class ExactSums:
    """Exact sums that grow by batches and are merged; all start at 0."""

    def __new__(cls, size: int) -> ExactSums: ...
    def __len__(self) -> int: ...
    def add(self, place: int, values: NDArray[np.float64]) -> None:
        """Add numbers to one of the sums."""

    def add_products(self, place: int, a: NDArray[np.float64], b: NDArray[np.float64]) -> None:
        """Add the products of pairs of numbers to one of the sums."""

    def add_powers(self, place: int, values: NDArray[np.float64]) -> None:
        """Add the first to fourth powers of numbers to four of the sums."""

    def add_terms(
        self,
        truth: NDArray[np.float64],
        predicted: NDArray[np.float64],
        names: list[str],
        numbers: tuple[float, float, float, float, float],
    ) -> list[tuple[float, float]]:
        """Add a term of pairs of numbers to each of the first sums; the least and the greatest number of each term.

        Of squares and products the least number is infinite and the greatest minus infinite: they are not looked for.

        The terms are ``"true"``, ``"predicted"`` and ``"error"``, each less one of the first three numbers; their
        squares, such as ``"true^2"`` (the fourth number is the greatest distance from the first one); ``"product"``, of
        truth and prediction; and ``"R2"``, the gain of ``1 - squares / total`` without the pair, where the numbers are
        the mean of the truth, what rounding left of it, both sums, and n / (n - 1).
        """

    def add_powers_about(
        self,
        truth: NDArray[np.float64],
        predicted: NDArray[np.float64],
        name: str,
        numbers: tuple[float, float, float, float, float],
        mean: float,
        farthest: float,
    ) -> None:
        """Add the second to fourth powers of distances of a term from a mean, at most `farthest`, to three sums."""

    def merge(self, other: ExactSums) -> None:
        """Add what as many other sums hold."""

    def rounded(self) -> list[float]:
        """Each sum as the nearest float."""

    def parts(self) -> NDArray[np.int64]:
        """Of each sum 67 chunks of 32 bits from 2**-1074 upwards, the last with the sign, and marks of infinities."""

    @staticmethod
    def of_parts(parts: NDArray[np.int64]) -> ExactSums:
        """The sums of these parts."""

def moments_of(values: NDArray[np.float64]) -> _Moments:
    """The moments of some numbers; of none the extremes are infinite."""

def moments_of_absolute_error(truth: NDArray[np.float64], predicted: NDArray[np.float64]) -> _Moments:
    """The same of the absolute differences."""

def moments_of_squared_error(truth: NDArray[np.float64], predicted: NDArray[np.float64]) -> _Moments:
    """The same of the squared differences."""

def log_losses(
    probabilities: _Scores, hits: NDArray[np.bool_], *, least: float, greatest: float
) -> NDArray[np.float64]:
    """Minus the logarithm of the probability, or of 1 less it without a hit, kept between two limits."""

def log_loss(
    probabilities: _Scores, hits: NDArray[np.bool_], *, least: float, greatest: float
) -> tuple[float, _Moments]:
    """The sum of these, rounded once, and their moments."""

def uniform_bins(
    probabilities: NDArray[np.float64], outcomes: NDArray[np.bool_], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """In `size` equal parts of [0, 1]: samples, those that came true, and sums of probabilities, rounded once."""

def resample_counts(units: int, *, first: int, replicates: int, seed: int) -> NDArray[np.uint32]:
    """How often each unit stands in the resamples from number `first` on, one row per replicate."""

def flip_signs(
    rows: _Values,
    thresholds: _Values,
    *,
    absolute: bool,
    free: int | None,
    replicates: int,
    seed: int,
    pairs: NDArray[np.uint32] | None = None,
    factors: _Values | None = None,
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]:
    """How many joint sign flips reach each threshold: by the column alone, by the single-step and step-down maximum.

    All flips of the first `free` units are taken, or random ones where that is None. With `pairs` of columns their
    differences times the factors are counted instead of the columns.
    """

def shuffled_ranges(rows: _Values, *, replicates: int, seed: int) -> _Values:
    """The largest less the smallest column sum, for each random shuffle of the values within each row."""

def chosen_sum_at_least(steps: NDArray[np.uint32], target: int) -> float:
    """The probability that a random choice among the steps, each with probability 1/2, sums to at least the target."""

def signed_sum_listed(values: _Values, *, observed: float, most: int) -> float | None:
    """The probability that positive values with random signs have a sum of at least `observed`.

    None where more than `most` sums of a half of the values would have to be listed.
    """

def signed_sum_inverted(
    values: _Values, *, x: float, wanted: float, least: int, most: int, span: float = 0.0
) -> tuple[float, float] | None:
    """P(S > x) + P(S = x) / 2 for the sum of positive values with random signs, and its error; x is not below 0.

    None where `most` frequencies would leave a part of more than `wanted`; at least `least` are summed. `span` is the
    distance of the points of a lattice on which the sums lie, `x` half-way between two of them; 0 without a lattice.
    """

# The functions of distributions have None for arguments that they do not take, or that would take long.
def beta_tails(a: float, b: float, x: float) -> tuple[float, float] | None:
    """The probabilities below and above `x`."""

def beta_quantile(a: float, b: float, p: float, upper: bool) -> float | None:
    """The point below which the probability `p` lies, or above which."""

def gamma_quantile(shape: float, p: float) -> float | None: ...
def normal_cdf(x: float) -> float | None: ...
def normal_quantile(p: float) -> float | None: ...
def t_quantile(freedom: float, p: float) -> float | None: ...
def t_tails(freedom: float, t: float) -> tuple[float, float] | None:
    """The probabilities below and above `t`."""

@final
class ScoreMetric:
    """A metric of scores that is one number."""

    @staticmethod
    def auc() -> ScoreMetric: ...
    @staticmethod
    def auc_to_fpr(limit: float) -> ScoreMetric:
        """The area under the ROC curve up to a false positive rate, as a share of the largest possible one."""
    @staticmethod
    def auc_from_tpr(limit: float) -> ScoreMetric:
        """The area under the ROC curve from a true positive rate on, as a share of the largest possible one."""
    @staticmethod
    def ks(either_side: bool) -> ScoreMetric: ...
    @staticmethod
    def average_precision() -> ScoreMetric: ...
    @staticmethod
    def trapezoid_precision() -> ScoreMetric: ...
    @staticmethod
    def curved_precision() -> ScoreMetric: ...
    @staticmethod
    def eleven_point_precision() -> ScoreMetric: ...
    @staticmethod
    def break_even() -> ScoreMetric: ...
    @staticmethod
    def precision_at_recall(recall: float) -> ScoreMetric: ...
    @staticmethod
    def recall_at_precision(precision: float) -> ScoreMetric: ...
    @staticmethod
    def gain_at(depth: float) -> ScoreMetric: ...
    @staticmethod
    def positives() -> ScoreMetric:
        """The number of positives, or the sum of their weights."""
    @staticmethod
    def samples() -> ScoreMetric:
        """The number of samples, or the sum of their weights."""
    def recipe(self) -> tuple[str, tuple[float | bool, ...]]:
        """The name of the method above that makes it, and what that takes."""

def code_numbers(values: NDArray[np.integer[Any]]) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """The distinct numbers of a column, increasing, and for each sample which of them it has."""

def correlation_of_two(tp: _Values, fp: _Values, fn: _Values, tn: _Values) -> _Values:
    """The correlation of true and predicted label of tables of two classes, from the four cells of both; 0/0 is NaN."""

def correlation_slopes_of_two(tp: _Values, fp: _Values, fn: _Values, tn: _Values) -> _Values | None:
    """Its derivatives by the four cells of both classes of one table; None where it is 0/0."""

def mean_of_shares(
    tp: _Values,
    fp: _Values,
    fn: _Values,
    tn: _Values,
    above: tuple[float, float, float, float],
    below: tuple[float, float, float, float],
    *,
    weighted: bool,
    skip: bool,
    undefined: float | None,
) -> _Values:
    """For each table the mean of a share over its classes, which are summed in their order."""

def count_pairs(
    first: NDArray[np.integer[Any]], second: NDArray[np.integer[Any]], *, most: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The distinct numbers of two columns, increasing, and how many samples have which pair of them."""

def intern_rows(rows: NDArray[np.uint8]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """For each row the number of its bytes, in the order of their first occurrence, and where each first occurs."""

def intern_strings(objects: NDArray[np.object_]) -> tuple[NDArray[np.uint32], list[str]] | None:
    """For each string its number, in the order of their first occurrence, and the strings; None if one is not a str."""

def sum_pairs(
    first: NDArray[np.integer[Any]], second: NDArray[np.integer[Any]], weights: NDArray[np.float64], *, most: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """The same as `count_pairs` with sums of weights, and of their squares."""

def score_auc(positives: _Scores, negatives: _Scores) -> tuple[int, int, int]:
    """Twice the pairs in the right order, and the spreads of the placements: see `certus_core::scores::Auc`."""

def order_of_codes(codes: NDArray[np.uint32], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The places of the samples of each code, in their order, one code after another, and where each code ends."""

def score_auc_influence(marks: _Marks, weights: _Values) -> tuple[float, _Values]:
    """The value, and what each sample adds to it to first order; they sum to 0."""

def score_auc_of_marks(marks: _Marks) -> tuple[int, int, int]:
    """The same as `score_auc` of samples by decreasing score."""

def score_auc_of_parts(
    scores: _Scores, truth: NDArray[np.bool_], codes: NDArray[np.uint32], size: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], list[tuple[int, int, int, int]]]:
    """Of each part of the samples its positives and negatives with what `score_auc` gives, and what both classes lose.

    See `certus_core::scores::Losses`. Last the parts whose counts float64 does not hold, with what `score_auc` gives.
    """

def score_average_precision(
    positives: _Scores, negatives: _Scores
) -> tuple[float, float, float, float, tuple[tuple[float, float, float, float, float], ...]]:
    """The value, the variances of the influence values in the two classes, the derivative by the log odds.

    Last the moments of the positives and of the negatives in one stratum, see `certus_core::scores::Moments`.
    """

def score_average_precision_influence(marks: _Marks, weights: _Values) -> tuple[float, _Values]:
    """The value, and what each sample adds to it to first order; they sum to 0."""

def score_average_precision_of_marks(
    marks: _Marks,
) -> tuple[float, float, float, float, tuple[tuple[float, float, float, float, float], ...]]:
    """The same as `score_average_precision` of samples by decreasing score."""

def score_bootstrap(
    metric: ScoreMetric,
    marks: _Marks,
    *,
    weights: _Values | None,
    units: _Codes | None,
    size: int,
    strata: _Codes | None,
    replicates: int,
    seed: int,
) -> _Values:
    """The metric of each resample of `size` units, NaN where it is undefined; `strata` keep their sizes."""

def score_bootstrap_hulls(
    marks: _Marks,
    *,
    weights: _Values | None,
    units: _Codes | None,
    size: int,
    strata: _Codes | None,
    replicates: int,
    seed: int,
) -> tuple[_Values, NDArray[np.int64]]:
    """The hulls of the same resamples, see `score_hull`, one after the other, and how many corners each has."""

def score_hull(marks: _Marks, masses: _Values) -> _Values:
    """The corners of the ROC curve's convex hull: rows of negatives and positives passed."""

def score_limits(
    area: float,
    sizes: tuple[float, float],
    variances: tuple[float, float],
    freedoms: tuple[float, float],
    losses: Sequence[tuple[float, float, float]] | None,
    tail: float,
) -> tuple[float, float, bool] | None:
    """The score limits of an area, and whether they may be farther off than those of pairs without common units.

    None says that the losses are needed; an empty sequence that there are none.
    """

def score_limits_of_parts(
    areas: _Values, sizes: _Values, variances: _Values, losses: _Values, tail: float
) -> tuple[_Values, _Values, NDArray[np.bool_]]:
    """The same of many areas: of each two sizes, two variances and six losses."""

def score_losses(positives: _Scores, negatives: _Scores) -> list[tuple[float, float, float]]:
    """What the samples of both classes lose, from their ascending scores: see `certus_core::scores::Losses`."""

def score_marks(positives: _Scores, negatives: _Scores) -> _Marks:
    """The samples by decreasing score: 1 for a positive, plus 2 for the last sample of its score."""

def score_marks_into(
    marks: _Marks, positives: tuple[_Scores, NDArray[np.int64]], negatives: tuple[_Scores, NDArray[np.int64]]
) -> None:
    """Write the same of sides of which each score comes once with its count; there is a place for each sample."""

def score_metric_of_masses(metric: ScoreMetric, marks: _Marks, masses: _Values) -> float:
    """The metric where each sample counts as often as its mass says."""

def score_metric_of_rows(metric: ScoreMetric, truth: NDArray[np.bool_], scores: _Scores) -> _Values:
    """The metric of each row of two tables."""

def score_points(
    positives: _Scores, negatives: _Scores
) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64], int]:
    """Thresholds from infinity down, and how many positives and negatives have at least each; and how many points."""

def score_ranked(scores: _Scores, truth: NDArray[np.bool_]) -> tuple[NDArray[np.int64], _Marks]:
    """Indices of the samples by decreasing score, those of one score in their order, and their marks."""

def score_sides(scores: _Scores, truth: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The scores of the positives and of the negatives, ascending."""

def score_steps(positives: _Scores, negatives: _Scores) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]:
    """The distinct scores in decreasing order, and how many positives and negatives have each."""

def score_sums(marks: _Marks, weights: _Values) -> tuple[_Values, _Values]:
    """The weights of the positives and of the negatives of each distinct score, in decreasing order."""

def score_weighted_auc(
    scores: _Scores, truth: NDArray[np.bool_], weights: _Values
) -> tuple[float, tuple[tuple[float, float, float, float], tuple[float, float, float, float]], int, _Values]:
    """The area, both `SideError`s, the number of positives, and the weights, those of the positives first."""

@final
class Qrels:
    """Relevance judgments, grouped by query."""

    @staticmethod
    def read(path: str | PathLike[str], name: str, *, lenient: bool = False, comments: bool = False) -> Qrels: ...
    @staticmethod
    def from_nested(data: dict[Any, Any], name: str) -> Qrels | None:
        """From a dict of dicts, lists or sets; None where it is not plain, which is for Python to read or refuse."""
    @staticmethod
    def from_cells(
        name: str,
        queries: list[Any],
        docs: list[Any],
        grades: list[Any],
        fingerprint: str | None = None,
    ) -> Qrels | None:
        """From lists of cells; None where one is not plain, which is for Python to read or refuse."""
    @staticmethod
    def from_columns(
        name: str, queries: bytes, docs: bytes, grades: NDArray[np.int32], fingerprint: str | None = None
    ) -> Qrels:
        """Judgments from columns: ids as one text each, separated by NUL bytes."""
    @property
    def name(self) -> str: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def negative(self) -> int:
        """Judgments of negative grade."""
    @property
    def normalised(self) -> int:
        """Judged ids that differ from another one of their query only by Unicode normalisation."""
    def queries(self) -> list[bytes]: ...
    def rows(self) -> list[tuple[bytes, bytes, int]]: ...
    def __len__(self) -> int: ...

@final
class Run:
    """A run held in memory."""

    @staticmethod
    def read(path: str | PathLike[str], name: str, *, lenient: bool = False, comments: bool = False) -> Run: ...
    @staticmethod
    def from_nested(data: dict[Any, Any], name: str) -> Run | None:
        """From a dict of dicts, lists or sets; None where it is not plain, which is for Python to read or refuse."""
    @staticmethod
    def from_cells(
        name: str,
        queries: list[Any],
        docs: list[Any],
        scores: list[Any],
        fingerprint: str | None = None,
        empty: list[bytes] | None = None,
    ) -> Run | None:
        """From lists of cells; None where one is not plain, which is for Python to read or refuse."""
    @staticmethod
    def from_columns(
        name: str,
        queries: bytes,
        docs: bytes,
        scores: NDArray[np.float64],
        ranks: NDArray[np.uint32] | None = None,
        fingerprint: str | None = None,
    ) -> Run:
        """A run from columns: ids as one text each, separated by NUL bytes, and the ranks stated, if any."""
    @property
    def name(self) -> str: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def tag(self) -> bytes: ...
    def queries(self) -> list[bytes]: ...
    def rows(self) -> list[tuple[bytes, bytes, float]]: ...
    def __len__(self) -> int: ...

@final
class Ranked:
    """A run reduced to the ranks and grades of its judged documents."""

    @property
    def queries(self) -> list[str]: ...
    @property
    def columns(self) -> _Columns: ...
    @property
    def all_equal(self) -> list[bool]:
        """Per query: whether all scores (of two or more) are equal."""
    @property
    def short(self) -> list[bool]:
        """Per query: whether fewer than two documents were retrieved."""
    @property
    def rounded(self) -> list[int]:
        """Per query: documents whose scores differ in the file and are equal as doubles."""
    @property
    def discordant(self) -> list[int]:
        """Per query: neighbouring lines whose ranks and scores disagree."""
    @property
    def concordant(self) -> list[int]:
        """Per query: neighbouring lines whose ranks and scores agree."""
    @property
    def normalised(self) -> list[int]:
        """Per query: ids that differ from another only by Unicode normalisation."""
    @property
    def self_ranks(self) -> list[int]:
        """Per query: rank of the document that has the id of the query; 0 where none has."""
    @property
    def only_in_run(self) -> list[str]: ...
    @property
    def unmatched(self) -> tuple[list[str], list[str]] | None:
        """Where no retrieved document of any query is judged: retrieved and judged ids of the first query."""
    @property
    def missing(self) -> list[str]: ...
    @property
    def tag(self) -> bytes: ...
    @property
    def tags(self) -> list[bytes]:
        """Two tags of the file that differ, or none."""
    @property
    def fingerprint(self) -> str: ...

def load_array_api() -> None:
    """Load NumPy's C interface, which kernels need that take or give arrays."""

def rank_file(
    qrels: Qrels,
    path: str | PathLike[str],
    name: str,
    *,
    ties: str = "trec",
    float32: bool = False,
    lenient: bool = False,
    comments: bool = False,
    all: bool = False,
) -> Ranked: ...
def rank_run(qrels: Qrels, run: Run, *, ties: str = "trec", float32: bool = False, all: bool = False) -> Ranked: ...
def read_bytes(path: str | PathLike[str], name: str) -> tuple[bytes, str]: ...
def read_start(path: str | PathLike[str], name: str, most: int) -> bytes:
    """Up to `most` of the first decompressed bytes of a file, without a byte-order mark."""

def show(id: bytes) -> str: ...
def joined_numbers(numbers: NDArray[np.int64]) -> bytes:
    """Whole numbers as ids in one text, with NUL bytes between them."""

_Cumulants: TypeAlias = tuple[float, float, float, float, float]
"""Log of the generating function; mean, variance, third and fourth central moment."""

@final
class HitLaw:
    """The law of a sum over the hits of a random ranking."""

    @staticmethod
    def times(items: int, hits: int, weights: _Values) -> HitLaw:
        """The r-th hit, at rank t, adds ``weights[t - 1] * r``."""
    @staticmethod
    def rank(items: int, hits: int, weights: _Values) -> HitLaw:
        """A hit at rank t adds ``weights[t - 1]``."""
    @staticmethod
    def first(items: int, hits: int, weights: _Values) -> HitLaw:
        """The first hit, at rank t, adds ``weights[t - 1]``."""
    @staticmethod
    def above(items: int, hits: int, table: _Values) -> HitLaw:
        """A hit below v others adds ``table[v]``."""
    @staticmethod
    def tied(items: int, hits: int, weights: _Values, sizes: Sequence[int], kind: str) -> HitLaw:
        """Groups of equal scores: `times` by the average over their orders, or together at the last rank; or `rank`."""
    def range(self) -> tuple[float, float]: ...
    def few_above(self, x: float, limit: int) -> tuple[float, float] | None: ...
    def halves(self, limit: int) -> HitHalves: ...

@final
class HitHalves:
    """The sums of the upper and the lower ranks, with their chances."""

    def count(self, x: float) -> tuple[float, float, float]:
        """P(S < x), P(S = x), P(S > x)."""
    def least_from(self, x: float) -> float | None: ...
    def atoms(self, limit: int) -> tuple[_Values, _Values] | None: ...

@final
class HitSource:
    """Where one part of a sum comes from."""

    @staticmethod
    def hits(law: HitLaw) -> HitSource: ...
    @staticmethod
    def atoms(values: _Values, logs: _Values) -> HitSource: ...
    @staticmethod
    def mixture(terms: Sequence[tuple[float, float, HitSource]]) -> HitSource: ...

@final
class HitSum:
    """A sum of independent parts: source, factor, number of such parts."""

    def __new__(cls, parts: Sequence[tuple[HitSource, float, int]]) -> HitSum: ...
    def range(self) -> tuple[float, float]: ...
    def cumulants(self, tilt: float, rough: bool = False) -> _Cumulants: ...
    def tilted(self, tilt: float) -> HitTilted: ...

@final
class HitTilted:
    """A sum of independent parts under a tilt."""

    @property
    def log(self) -> float: ...
    @property
    def cells(self) -> int: ...
    def characteristic(self, step: float, first: int, count: int) -> tuple[_Values, _Values]:
        """Real and imaginary parts at the frequencies step * j, j from `first` on."""

def conditional_transform(
    chances: NDArray[np.float64],
    sizes: NDArray[np.float64],
    *,
    u: NDArray[np.float64],
    angles: NDArray[np.float64],
    back_re: NDArray[np.float64],
    back_im: NDArray[np.float64],
    edge: NDArray[np.bool_],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]: ...
def counted_transform(
    chances: NDArray[np.float64],
    sizes: NDArray[np.float64],
    *,
    u: NDArray[np.float64],
    counts: list[int],
    ends: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def pairs_at_least(
    rests: NDArray[np.float64], low: NDArray[np.uint32], high: NDArray[np.uint32], *, last: int
) -> int: ...
def sums_at_least(first: _Values, second: _Values, goals: _Values) -> NDArray[np.uint64]: ...
def label_measure(
    measure: Literal["precision", "loss", "coverage", "one_error"],
    truth: NDArray[np.bool_],
    scores: _Scores,
    *,
    ties: Literal["last", "average", "best", "worst", "whole", "half", "none"],
) -> _Values: ...
def label_dcg(
    grades: _Scores, scores: _Scores, *, cutoff: int | None, exponential: bool, average: bool, normalised: bool
) -> _Values: ...
def count_cells(first: _Codes, second: _Codes, most_rows: int) -> tuple[_Codes, _Codes, NDArray[np.int64]]: ...
def expected_information(
    rows: NDArray[np.uint64], row_times: _Values, columns: NDArray[np.uint64], column_times: _Values, n: int
) -> float: ...
def cluster_order(values: _Values, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """The samples by their clusters, and those of a cluster by their coordinates."""

def centroids(values: _Values, labels: NDArray[np.int64], clusters: int) -> tuple[_Values, _Values]:
    """Flat, the means of each cluster and, last, of all, as floats and what is left: no order of rows counts."""

def centroid_distances(means: _Values, rests: _Values, values: _Values, labels: NDArray[np.int64]) -> _Values:
    """The squared distance of each sample from the centroid of its cluster."""

def mean_distances(values: _Values, ends: NDArray[np.uint64]) -> tuple[_Values, _Values, NDArray[np.uint64]]: ...
def weighted_distances(
    values: _Values,
    ends: NDArray[np.uint64],
    within: _Values,
    nearest: _Values,
    neighbour: NDArray[np.uint64],
) -> _Values: ...
def extreme_distances(values: _Values, ends: NDArray[np.uint64]) -> tuple[float, float]: ...
