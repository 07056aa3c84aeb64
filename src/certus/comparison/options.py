"""Options of a comparison; groups and weights given by unit, column, name or file."""

import math
import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal

from certus.core.errors import CertusError, DataError, MetricNameError, keyword, mention
from certus.core.unmatched import cause_of, contrast
from certus.inference import Estimate
from certus.inference.clusters import Clusters, over_clusters
from certus.inference.interval import DEFAULT_REPLICATES, Request, check_alternative, checked_level
from certus.inference.many.adjust import CORRECTIONS, correction_named
from certus.inference.tests.equivalence import check_assume
from certus.inference.tests.result import Alternative, LimitsFor
from certus.statistic.common import plural

DEFAULT_PERMUTATIONS = 100_000
"""Random permutations of a joint correction."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of a comparison, checked; see `certus.compare`."""

    baseline: str | None = None
    test: str | None = None
    interval: str | None = None
    correction: str | None = None
    simultaneous: bool = False
    margin: float | None = None
    assume: Literal["symmetric"] | None = None
    level: float = 0.95
    seed: int = 0
    alternative: Alternative = "two-sided"
    replicates: int | None = None
    chance: bool = False
    bayesian: bool = False
    prior: float | None = None
    unnamed: bool = field(default=False, init=False)

    @classmethod
    def from_arguments(cls, arguments: Mapping[str, Any]) -> "Options":
        """Create from the arguments of a call that are options."""
        return cls(**{option.name: arguments[option.name] for option in fields(cls) if option.name in arguments})

    def __post_init__(self) -> None:
        check_alternative(self.alternative)
        if not isinstance(self.simultaneous, bool):
            raise CertusError(f"is {self.simultaneous!r}", "it must be True or False", argument="simultaneous")
        if self.correction is None:
            object.__setattr__(self, "correction", "max-t" if self.simultaneous else "holm")
            object.__setattr__(self, "unnamed", True)
        if not isinstance(self.correction, str):
            raise CertusError(
                f"is {self.correction!r}", "it must be a name, such as 'holm' or 'none'", argument="correction"
            )
        if self.prior is not None and not self.bayesian:
            raise MetricNameError(
                "is for posterior probabilities", f"ask for them with {keyword('bayesian', True)}", argument="prior"
            )
        if self.prior is not None:
            from certus.inference.tests.rope import check_prior

            check_prior(self.prior)
        chosen = correction_named(self.correction)
        object.__setattr__(self, "correction", chosen.name)
        if self.simultaneous and not chosen.single_step:
            single = sorted(CORRECTIONS.values(), key=lambda correction: not correction.joint)
            fitting = [repr(correction.name) for correction in single if correction.single_step]
            raise MetricNameError(
                f"no intervals that hold together belong to the p-values of {self.correction}",
                f"with {keyword('simultaneous', True)} take {' or '.join(fitting)}, or no {mention('correction')}",
            )
        if self.margin is not None:
            object.__setattr__(self, "margin", _checked_margin(self.margin))
        check_assume(self.assume)
        if self.assume is not None and (self.margin is None or self.test is not None):
            problem = "is for a margin" if self.margin is None else f"decides about the test, which is {self.test!r}"
            remedy = f"give {mention('margin')}" if self.margin is None else "leave one of them out"
            raise MetricNameError(problem, remedy, argument="assume")
        object.__setattr__(self, "level", checked_level(self.level))
        Request(self.level, replicates=self.draws, seed=self.seed)
        if self.margin is not None and self.alternative != "two-sided":
            raise MetricNameError(
                f"is {self.alternative!r}, but a margin has two sides",
                "take 'two-sided', whose table has the one-sided p-value of non-inferiority too",
                argument="alternative",
            )
        if self.margin is not None and self.level <= 0.5:
            raise CertusError(
                f"is {self.level:g}", "tests against a margin need one above 0.5, such as 0.95", argument="level"
            )

    @property
    def tail(self) -> float:
        """Significance level of a one-sided test against either end of the margin: ``(1 - level) / 2``."""
        return (1 - self.level) / 2

    @property
    def draws(self) -> int:
        """Number of bootstrap resamples, or of sign flips for simultaneous intervals."""
        return DEFAULT_REPLICATES if self.replicates is None else self.replicates

    @property
    def permutations(self) -> int:
        """Number of random permutations for a joint correction."""
        return DEFAULT_PERMUTATIONS if self.replicates is None else self.replicates

    @property
    def limits(self) -> LimitsFor | None:
        """Kind of limits for means: guaranteed ones with a margin, unless a test is named."""
        return None if self.margin is None or self.test is not None else self.assume or "guaranteed"

    @property
    def pair(self) -> dict[str, Any]:
        """Keywords for the comparison of two statistics."""
        return {
            "test": self.test,
            "limits": self.limits,
            "alternative": self.alternative,
            "interval": self.interval,
            "level": self.level,
            "replicates": self.draws,
            "seed": self.seed,
        }


def correction_of_margins(correction: str) -> str:
    """Correction for p-values against a margin: joint corrections do not apply to them."""
    return "holm" if CORRECTIONS[correction].joint else correction


def _checked_margin(margin: object) -> float:
    """Return the margin as a float; refuse all but finite numbers above 0."""
    if isinstance(margin, bool) or not isinstance(margin, numbers.Real) or not 0 < float(margin) < math.inf:
        remedy = "it must be a finite number above 0, the greatest difference that does not matter"
        raise DataError(f"is {margin!r}", remedy, argument="margin")
    return float(margin)


def by_unit(values: Any, units: Sequence[Any], name: str, noun: str, file: str | None = None) -> Any:
    """Labels or weights in the order of the units, if they are given by unit name."""
    if not isinstance(values, Mapping):
        return values
    if not units:
        raise DataError(f"is given by {noun}, but the values are columns", "give one per row", argument=name)
    if lacking := [unit for unit in units if unit not in values]:
        compared_units = set(units)
        other_units = [unit for unit in values if unit not in compared_units]
        is_disjoint = len(lacking) == len(units) and bool(other_units)
        has_cause = is_disjoint or cause_of(other_units, lacking)
        example = contrast(other_units, lacking, ("it has", "compared is")) if has_cause else ""
        problem = f"has no {noun} that is compared" if is_disjoint else f"lacks the {noun} {lacking[0]!r}"
        remedy = f"do the names mean the same? {example}" if example else "give each one that is compared"
        raise DataError(problem, remedy, argument=name, subject="" if file else None, location=file)
    return [values[unit] for unit in units]


def query_groups(groups: Any, queries: Sequence[str]) -> Any:
    """Group of each query, from ``{query: group}`` or from a file with a query and its group on each line."""
    file = str(groups) if isinstance(groups, str | Path) else None
    if isinstance(groups, str | Path):
        groups = _read(groups)
    if not isinstance(groups, Mapping):
        raise DataError(
            f"is {type(groups).__name__}",
            "give {query: group}, or a file of lines with a query and its group",
            argument="groups",
        )
    return by_unit(groups, queries, "groups", "query", file)


def _read(path: str | Path) -> dict[str, str]:
    """Read a file with a query and its group on each line."""
    file = Path(path)
    if not file.is_file():
        raise DataError(
            f"{str(path).strip() or repr(path)} is not a file",
            "groups are {query: group}, or a file with a query and its group on each line",
        )
    groups: dict[str, str] = {}
    try:
        lines = file.read_text(encoding="utf-8-sig").encode().split(b"\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot be read: {error}", argument="groups", subject=str(file)) from error
    for number, line in enumerate(lines, 1):
        fields = [field.decode() for field in line.split()]  # at ASCII blanks only, as in qrels and runs
        if not fields:
            continue
        if len(fields) != 2:
            raise DataError(
                plural(len(fields), "field"),
                "give a query and its group, separated by blanks",
                location=f"{file}:{number}",
            )
        query, group = fields
        if groups.setdefault(query, group) != group:
            raise DataError(
                f"query {query!r} is in group {group!r}, but in {groups[query]!r} above", location=f"{file}:{number}"
            )
    return groups


def clustered(estimate: Estimate, clusters: Clusters) -> Estimate:
    """Estimate with clusters as its units."""
    statistic = over_clusters(estimate.statistic, clusters)
    if statistic is None:
        unit = estimate.statistic.unit
        raise MetricNameError(f"{estimate.metric} is not a mean over {unit} units, so groups are not for it")
    return replace(estimate, statistic=statistic)
