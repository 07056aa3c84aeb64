"""trec_eval's measures in its output order: name, parameters, kernel and how queries are summarised.

Source: the sources of trec_eval, https://github.com/usnistgov/trec_eval (facts only: names, orders, defaults).

Those that version 10.0 adds stand last: rank-biased precision, its residual, shares of unjudged documents; yaap.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.compat import _trec_arrays
from certus.data.ranking import Columns

Persistence = tuple[float, tuple[tuple[int, float], ...]]
"""The persistence p, and the gains of some grades; the gain of another grade is the grade itself."""


Values: TypeAlias = Floats | list[str]
MIN_GEOMETRIC = 0.00001
"""A geometric mean takes no value below this."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Facts that measures need besides the ranking."""

    rel: int = 1
    """Least relevant grade (``-l``)."""
    collection: int = 0
    """Documents in the collection (``-N``)."""
    rounding: Literal["trec9", "trec10"] = "trec9"
    """Rounding of a recall level to a number of documents."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure name of trec_eval."""

    name: str
    values: Callable[[Columns, Setting, Any], Values]
    """Columns, setting and one parameter give a value for each query."""
    parameter_kind: Literal["nothing", "cutoffs", "levels", "numbers", "gains", "persistence"] = "nothing"
    """``cutoffs`` and ``levels`` print one line for each parameter; of the others all parameters are one."""
    default: tuple[Any, ...] = (None,)
    """The parameters where none are given."""
    summary: Literal["mean", "sum", "geometric mean", "queries", "run id", "none"] = "mean"
    ten: bool = False
    """True if only version 10 has it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return measure, (self.name,)


def _eleven_point(columns: Columns, setting: Setting, levels: tuple[float, ...] | None) -> Values:
    if levels is None:
        return kernels.eleven_point(columns, rel=setting.rel, rounding=setting.rounding, average=False)
    total = np.zeros(len(columns.retrieved))
    for level in reversed(levels):
        total += _interpolated(columns, setting, level)
    return total / len(levels)


def _interpolated(columns: Columns, setting: Setting, level: float) -> Floats:
    return kernels.interpolated_precision(
        columns, rel=setting.rel, recall=level, rounding=setting.rounding, average=False
    )


def _set_f(columns: Columns, setting: Setting, importance: tuple[float, ...]) -> Values:
    """trec_eval weighs with x = beta squared, and computes from precision and recall as they are rounded."""
    (x,) = importance
    precision = kernels.precision(columns, rel=setting.rel, cutoff=None, average=False)
    recall = kernels.recall(columns, rel=setting.rel, cutoff=None, average=False)
    with np.errstate(all="ignore"):  # x may be negative or huge
        return np.where(precision > 0, (x + 1.0) * precision * recall / (x * precision + recall), 0.0)


def _utility(columns: Columns, setting: Setting, weights: tuple[float, ...]) -> Values:
    a, b, c, d = weights
    return kernels.utility(columns, rel=setting.rel, a=a, b=b, c=c, d=d, collection=setting.collection)


def _relevance_string(columns: Columns, _: Setting, length: tuple[float, ...]) -> Values:
    return kernels.relevance_string(columns, length=max(0, int(length[0])))


def _bpref(columns: Columns, setting: Setting, _: object) -> Values:
    return kernels.bpref(columns, rel=setting.rel, average=False)


def _map(columns: Columns, setting: Setting, cutoff: int | None) -> Values:
    return kernels.average_precision(columns, rel=setting.rel, cutoff=cutoff, denominator="relevant", average=False)


def _nothing(columns: Columns, _: Setting, __: object) -> Values:
    return np.ones(len(columns.retrieved))


PERSISTENCE: Persistence = (0.9, ())
_DEPTHS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_TENTHS = tuple(i / 10 for i in range(11))
_MULTIPLES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)

_ORDER = (
    Measure("runid", _nothing, summary="run id"),
    Measure("num_q", _nothing, summary="queries"),
    Measure("num_ret", lambda c, _, __: kernels.num_retrieved(c), summary="sum"),
    Measure("num_rel", lambda c, s, _: kernels.num_relevant(c, rel=s.rel), summary="sum"),
    Measure("num_rel_ret", lambda c, s, _: kernels.num_relevant_retrieved(c, rel=s.rel), summary="sum"),
    Measure("map", _map),
    Measure("gm_map", _map, summary="geometric mean"),
    Measure("Rprec", lambda c, s, _: kernels.r_precision(c, rel=s.rel, multiple=1.0, average=False)),
    Measure("bpref", _bpref),
    Measure("recip_rank", lambda c, s, _: kernels.reciprocal_rank(c, rel=s.rel, cutoff=None, average=False)),
    Measure("iprec_at_recall", _interpolated, "levels", _TENTHS),
    Measure("P", lambda c, s, k: kernels.precision(c, rel=s.rel, cutoff=k, average=False), "cutoffs", _DEPTHS),
    Measure("relstring", _relevance_string, "numbers", ((10.0,),), summary="none"),
    Measure("recall", lambda c, s, k: kernels.recall(c, rel=s.rel, cutoff=k, average=False), "cutoffs", _DEPTHS),
    Measure("infAP", lambda c, s, _: kernels.inf_ap(c, rel=s.rel, average=False)),
    Measure("gm_bpref", _bpref, summary="geometric mean"),
    Measure(
        "Rprec_mult",
        lambda c, s, m: kernels.r_precision(c, rel=s.rel, multiple=m, average=False),
        "levels",
        _MULTIPLES,
    ),
    Measure("utility", _utility, "numbers", ((1.0, -1.0, 0.0, 0.0),)),
    Measure("11pt_avg", _eleven_point, "numbers"),
    Measure("binG", lambda c, s, _: kernels.bin_g(c, rel=s.rel, average=False)),
    Measure("G", lambda c, _, gains: kernels.g(c, average=False, gains=gains), "gains", ((),)),
    Measure(
        "ndcg",
        lambda c, _, gains: kernels.ndcg(c, cutoff=None, gain="linear", average=False, gains=gains),
        "gains",
        ((),),
    ),
    Measure("ndcg_rel", lambda c, _, gains: kernels.ndcg_rel(c, average=False, gains=gains), "gains", ((),)),
    Measure("Rndcg", lambda c, s, gains: kernels.rndcg(c, rel=s.rel, average=False, gains=gains), "gains", ((),)),
    Measure(
        "ndcg_cut",
        lambda c, _, k: kernels.ndcg(c, cutoff=k, gain="linear", average=False),
        "cutoffs",
        _DEPTHS,
    ),
    Measure("map_cut", _map, "cutoffs", _DEPTHS),
    Measure(
        "relative_P",
        lambda c, s, k: kernels.relative_precision(c, rel=s.rel, cutoff=k, average=False),
        "cutoffs",
        _DEPTHS,
    ),
    Measure("success", lambda c, s, k: kernels.success(c, rel=s.rel, cutoff=k, average=False), "cutoffs", (1, 5, 10)),
    Measure("set_P", lambda c, s, _: kernels.precision(c, rel=s.rel, cutoff=None, average=False)),
    Measure("set_relative_P", lambda c, s, _: kernels.relative_precision(c, rel=s.rel, cutoff=None, average=False)),
    Measure("set_recall", lambda c, s, _: kernels.recall(c, rel=s.rel, cutoff=None, average=False)),
    Measure("set_map", lambda c, s, _: kernels.set_map(c, rel=s.rel)),
    Measure("set_F", _set_f, "numbers", ((1.0,),)),
    Measure(
        "num_nonrel_judged_ret", lambda c, s, _: kernels.num_nonrelevant_judged_retrieved(c, rel=s.rel), summary="sum"
    ),
    Measure("yaap", lambda c, s, _: _trec_arrays.yaap(c, s.rel)),
    Measure("rbp", lambda c, _, parameters: _trec_arrays.rbp(c, parameters), "persistence", (PERSISTENCE,), ten=True),
    Measure(
        "rbp_resid",
        lambda c, _, parameters: _trec_arrays.rbp_residual(c, parameters),
        "persistence",
        (PERSISTENCE,),
        ten=True,
    ),
    Measure("unj", lambda c, _, k: _trec_arrays.unjudged(c, k), "cutoffs", (5, 10, 20), ten=True),
)

MEASURES = {each.name: each for each in _ORDER}
"""Every measure, in the order in which trec_eval prints them."""


def measure(name: str) -> Measure:
    """The measure of a name."""
    return MEASURES[name]


BY_GRADE = ("ndcg", "ndcg_cut", "ndcg_rel", "G")
"""Measures to which the least relevant grade (``-l``) makes no difference."""

_COUNTS = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret")
NICKNAMES = {
    "official": (*_COUNTS, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"),
    "set": (*_COUNTS, "utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F"),
    "all_trec": tuple(name for name in MEASURES if name != "yaap"),
}
"""Names for groups of measures."""

_PREFERENCES = ("runid", "num_q", "prefs_simp", "prefs_pair", "prefs_avgjg")
_POSSIBLE = ("prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret")
PREFERENCE_NICKNAMES = {
    "prefs": (*_PREFERENCES, *_POSSIBLE),
    "all_prefs": (
        *_PREFERENCES,
        *_POSSIBLE,
        *("prefs_simp_ret", "prefs_simp_imp", "prefs_pair_ret", "prefs_pair_imp"),
        *("prefs_avgjg_ret", "prefs_avgjg_imp", "prefs_avgjg_Rnonrel", "prefs_avgjg_Rnonrel_ret"),
    ),
    "qrels_jg": ("runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}
"""trec_eval's groups of measures of preferences and of several judgment groups, which are not computed here."""
