"""Docstrings of metrics: their own text, and the paragraphs that belong to types."""

from typing import Annotated, Any

import pytest
from in_a_row import in_a_row
from insides import forget_metrics

from certus import tasks
from certus.data import Ranking
from certus.metrics import Cutoff, Grade, declared, metric
from certus.metrics.check import Doc, Range
from certus.statistic import Mean

Depth = Annotated[int, Range(1), Doc("How deep.", raises="It is too deep.")]
JUDGED_ONLY = (
    "judged_only\n    Take documents without a judgment out of the ranking first, "
    'as ``unjudged="remove"`` does for all metrics.'
)
PerQuery = Annotated[Mean, Doc("One value per query, in {bounds}.")]


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_metrics(monkeypatch, "ranking")


def sections(text: str | None) -> dict[str, str]:
    """The sections of a docstring by their titles."""
    parts = (text or "").split("\n\n")
    return {part.partition("\n")[0]: part.split("\n", 2)[2] for part in parts if "\n---" in part}


def test_what_a_docstring_does_not_describe_is_described_by_the_type() -> None:
    @metric("Own", task="ranking", bounds=(0, float("inf")))
    def own(ranking: Ranking, *, depth: Depth, cutoff: Cutoff = None, rel: Grade = 1) -> PerQuery:
        """Own metric.

        Parameters
        ----------
        cutoff
            Own words
            in two lines.

        Examples
        --------
        None.
        """
        raise NotImplementedError

    found = sections(own.__doc__)
    assert list(found) == ["Parameters", "Returns", "Raises", "Examples"]
    assert found["Parameters"] == (
        "depth\n    How deep.\ncutoff\n    Own words\n    in two lines.\nrel\n    Least relevant grade.\n" + JUDGED_ONLY
    )
    assert found["Returns"] == "Mean\n    One value per query, in [0, ∞)."
    assert found["Raises"] == "DataError\n    It is too deep."
    assert own.summary == "Own metric."


def test_parameters_that_are_described_together_stay_together() -> None:
    @metric("Both", task="ranking")
    def both(ranking: Ranking, *, rel: Grade = 1, cutoff: Cutoff = None, depth: Depth = 1) -> Any:
        """Two of three together.

        Parameters
        ----------
        cutoff, depth
            As elsewhere.
        """

    described = "rel\n    Least relevant grade.\ncutoff, depth\n    As elsewhere.\n"
    assert sections(both.__doc__)["Parameters"] == described + JUDGED_ONLY


def test_a_metric_without_docstring_has_none() -> None:
    @metric("Bare", task="ranking")
    def bare(ranking: Ranking, *, cutoff: Cutoff = None) -> Any: ...

    assert not bare.__doc__


@in_a_row("each", (each for task in tasks.names() for each in declared(task)), group=lambda each: each.task)
def test_every_parameter_is_described_in_the_order_of_the_signature(each: Any) -> None:
    found = sections(each.__doc__)
    names = [name for line in found.get("Parameters", "").splitlines() if line[:1] != " " for name in line.split(", ")]
    assert [name for name in names if name] == list(each.parameters)
    assert found["Returns"]
    assert "{" not in found["Returns"]
