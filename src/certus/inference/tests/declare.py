"""Tests of a difference, each declared beside its function.

Names, labels, other spellings, errors and the tables of docs/compare.md are made from the declarations.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from certus.core.errors import MetricNameError
from certus.core.registry import Registry
from certus.inference.declare import Guarantee
from certus.inference.declare import label as label_interval

Declared = TypeVar("Declared", bound=Callable[..., Any])


MEANS = "means"
RATIOS = "ratios of sums"
INFLUENCES = "values with influence functions"
PLUGINS = "functions of weighted units"
TABLES = "functions of a confusion matrix"
INDEPENDENT = "independent samples"
"""The kinds of pairs, as errors and the guide name them."""

TESTS: dict[str, str] = {}
"""Names of the tests as a text prints them."""
TESTS_BY_KIND: dict[str, Registry["DeclaredTest"]] = {}
"""The tests of every kind of pair, in the order in which they were declared."""


@dataclass(frozen=True, slots=True)
class DeclaredTest:
    """Name, function, interval, assumptions, aliases and source of a test for one kind of pair."""

    name: str
    function: Callable[..., Any]
    interval: str
    """The name of its interval."""
    limits: Callable[..., Any] | None = None
    """From the pair to the interval that belongs to the test, where the test itself does not give it."""
    note: str = ""
    clusters: bool = False
    """The test takes groups and weights, too."""
    null: str = ""
    assumes: str = ""
    guarantee: Guarantee = "approximate"
    aliases: Collection[str] = ()
    source: str = ""
    any_number: bool = False
    """Test and limits hold for any number of units, even where all differences are 0."""

    @property
    def label(self) -> str:
        """Name of the test in printed text."""
        return TESTS[self.name]


def difference_test(
    name: str, *kinds: str, label: str | None = None, interval_label: str | None = None, **facts: Any
) -> Callable[[Declared], Declared]:
    """Declare a test for kinds of pairs, by the facts of `DeclaredTest`; the function itself stays as it is."""
    if label is not None and TESTS.setdefault(name, label) != label:
        raise ValueError(f"{name!r} is labelled {TESTS[name]!r} already, not {label!r}")
    if interval_label is not None:
        label_interval(facts["interval"], interval_label)

    def declare(function: Declared) -> Declared:
        declared = DeclaredTest(name, function, **facts)
        for kind in kinds:
            TESTS_BY_KIND.setdefault(kind, Registry("test")).add(name, declared, declared.aliases)
        return function

    return declare


def resolve_test(kind: str, spelling: str, unavailable: Mapping[str, str] | None = None) -> str:
    """Name of the test for a user's spelling; tests that are not for this pair are refused."""
    tests, unavailable = TESTS_BY_KIND[kind], unavailable or {}
    offered = [name for name in tests if name not in unavailable]
    name = tests.find(spelling)
    if name in offered:
        return name
    if name is None and Registry("test", TESTS).find(spelling) is None:
        return tests.resolve(spelling, offered, argument="test")
    reason = f"is not for {kind}" if name is None else unavailable[name]
    remedy, subject = f"there are {', '.join(offered)}", f"the test {spelling!r}"
    raise MetricNameError(reason, remedy, argument="test", subject=subject)
