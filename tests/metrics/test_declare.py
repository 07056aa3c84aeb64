"""Declarations of metrics: their results and refusals."""

import inspect
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import pytest
from insides import forget_tasks
from untyped import untyped

import certus
from certus import DataError, MetricNameError
from certus.core import registry
from certus.data import Ranking
from certus.metrics import declared, metric, parse
from certus.metrics.orders import extremes
from certus.statistic import Mean, Statistic
from certus.tasks import Argument, Task

Make = Callable[..., Ranking]

# Another task, so that these metrics are not among the ranking metrics that other tests walk through.
TASK = "toy"


@metric("FirstHit", task=TASK, aliases=("FH",), better="lower", bounds=(1, float("inf")))
def first_hit(ranking: Ranking, *, rel: int = 1, how: Literal["rank", "log"] = "rank") -> list[float]:
    """Rank of the first relevant document; NaN without one."""
    ranks = [float(min(each.ranks[each.grades >= rel], default=np.nan)) for each in ranking.lists()]
    return ranks if how == "rank" else [float(np.log(rank)) for rank in ranks]


@metric("Depth", task=TASK, bounds=(0, float("inf")))
def depth(ranking: Ranking, *, cutoff: int | None = None) -> Mean:
    """Documents looked at."""
    return Mean([each.first(cutoff).retrieved for each in ranking.lists()], unit="query", total=True)


def test_a_metric_is_a_value() -> None:
    ndcg = certus.ranking.ndcg
    ten = ndcg.using(cutoff=10)
    assert ten == certus.parse("nDCG@10") == untyped(ndcg).using(cutoff=np.int64(10))
    assert ten != ndcg
    assert ten != "nDCG@10"
    assert {ten: "same"}[ndcg.using(cutoff=10)] == "same"
    assert str(ndcg) == "nDCG"
    assert ndcg.using(cutoff=10).using(cutoff=None) == ndcg


def test_a_metric_does_not_change() -> None:
    with pytest.raises(AttributeError, match=r"use nDCG\.using\(cutoff=\.\.\.\)"):
        certus.ranking.ndcg.cutoff = 5
    with pytest.raises(AttributeError, match="does not change"):
        del certus.ranking.ndcg.name
    with pytest.raises(TypeError):
        certus.ranking.ndcg.conventions["cutoff"] = 5  # type: ignore[index]


def test_a_metric_keeps_its_facts_and_its_help() -> None:
    ndcg = certus.ranking.ndcg.using(cutoff=10)
    assert (ndcg.name, ndcg.aliases, ndcg.task, ndcg.better, ndcg.bounds) == (
        "nDCG",
        ("NDCG",),
        "ranking",
        "higher",
        (0.0, 1.0),
    )
    assert dict(ndcg.conventions) == {
        "cutoff": 10,
        "gain": "linear",
        "gains": (),
        "discount": "log2",
        "rel": 1,
        "judged_only": False,
    }
    assert ndcg.summary == "Discounted gain of the ranking, as a fraction of the best possible ranking's."
    assert "DCG  = sum over ranks" in (ndcg.__doc__ or "")
    assert inspect.signature(ndcg).parameters["cutoff"].default == 10
    assert inspect.signature(ndcg).parameters["gain"].annotation == Literal["linear", "exp"]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"cutoff": 0}, r"cutoff of nDCG is 0; it must be a whole number of at least 1 or None"),
        ({"cutoff": 2.0}, r"cutoff of nDCG is 2\.0"),
        ({"cutoff": True}, r"cutoff of nDCG is True"),
        ({"cutoff": "10"}, r"cutoff of nDCG is '10'"),
        ({"gain": "expo"}, r"gain of nDCG is 'expo'; it must be 'linear' or 'exp'; did you mean 'exp'\?"),
        ({"gains": {1: -1}}, r"gains of nDCG is \{1: -1\}; it must be a gain of at least 0"),
        ({"gian": "exp"}, r"nDCG has no parameter 'gian'; did you mean 'gain'\?"),
        ({"zzz": 1}, r"nDCG has no parameter 'zzz'; it has cutoff, gain, gains, discount, rel and judged_only"),
    ],
)
def test_a_wrong_parameter_is_named_with_what_is_allowed(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(MetricNameError, match=message):
        certus.ranking.ndcg.using(**parameters)


def test_a_name_is_declared_once() -> None:
    def other(_: Ranking) -> list[float]:
        return []

    for names in ({"name": "FirstHit"}, {"name": "New", "aliases": ["FH"]}, {"name": "New", "spellings": ["FirstHit"]}):
        with pytest.raises(MetricNameError, match="already names the toy metric FirstHit"):
            metric(**names, task=TASK)(other)
    assert "New" not in {each.name for each in declared(TASK)}


def test_a_notebook_cell_can_be_run_again() -> None:
    def cell(default: int) -> None:
        @metric("Again", task=TASK)
        def again(ranking: Ranking, *, rel: int = default) -> list[float]:
            """Nothing much."""
            return [float(rel)] * len(ranking)

    cell(1)
    cell(2)
    assert parse("Again", task=TASK).conventions["rel"] == 2


@pytest.mark.parametrize("name", ["", "a b", "f(x)", "k=1", "it's", "a\nb", "\u202eAP"])
def test_a_name_that_could_not_be_written_is_refused(name: str) -> None:
    with pytest.raises(MetricNameError, match="cannot name a metric"):
        metric(name, task=TASK)(lambda ranking: [0.0] * len(ranking))


def test_a_function_must_keep_its_parameters_keyword_only() -> None:
    def positional(ranking: Ranking, rel: int) -> list[float]:
        return [float(rel)] * len(ranking)

    with pytest.raises(TypeError, match="parameter rel of metric Positional must be keyword-only"):
        metric("Positional", task=TASK)(positional)

    def strange(ranking: Ranking, *, rel: bytes = b"") -> list[float]:
        return [float(len(rel))] * len(ranking)

    with pytest.raises(TypeError, match="parameter rel is annotated <class 'bytes'>"):
        metric("Strange", task=TASK)(strange)


def test_a_metric_outside_the_package_says_its_task() -> None:
    with pytest.raises(MetricNameError, match="has no task; say task='ranking'"):
        metric("Taskless")(lambda ranking: [0.0] * len(ranking))


def test_an_array_of_one_value_per_unit_becomes_their_mean(ranking_of: Make) -> None:
    statistic = first_hit.compute(ranking_of(([[None], [1]], []), ([[None], [None], [None], [2]], [])))
    assert isinstance(statistic, Mean)
    assert statistic.values.tolist() == [2.0, 4.0]
    assert statistic.unit == "sample"  # of any task but ranking


def test_an_array_of_another_length_is_refused(ranking_of: Make) -> None:
    @metric("Wrong", task=TASK)
    def wrong(_: Ranking) -> list[float]:
        return [1.0, 2.0]

    with pytest.raises(TypeError, match=r"Wrong returned an array of shape \(2,\) for 1 sample"):
        wrong.compute(ranking_of(([[1]], [])))


def test_a_user_metric_is_averaged_over_all_orders_of_ties(ranking_of: Make) -> None:
    # The one relevant document is anywhere in a group of three at ranks 2 to 4; the unjudged ones are alike.
    ranking = ranking_of(([[None], [None, 1, None]], []), ([[1]], []))
    averaged = Ranking(ranking.queries, ranking.columns, "average")
    assert first_hit.compute(averaged).value == ((2 + 3 + 4) / 3 + 1) / 2
    low, high = extremes(first_hit, ranking)
    assert (low.value, high.value) == ((2 + 1) / 2, (4 + 1) / 2)


def test_a_total_stays_a_total_when_ties_are_averaged(ranking_of: Make) -> None:
    ranking = ranking_of(([[None, 1]], []), ([[1]], []))
    assert depth.compute(Ranking(ranking.queries, ranking.columns, "average")).value == 3


def test_too_many_orders_to_try_are_an_error(ranking_of: Make) -> None:
    ranking = ranking_of(([[None] * 20 + [1, 1, 2, 2]], []))
    averaged = Ranking(ranking.queries, ranking.columns, "average")
    with pytest.raises(DataError, match=r"query 'q000' has 63756 orders of tied documents and FirstHit tries each"):
        first_hit.compute(averaged)
    assert certus.ranking.average_precision.compute(averaged).value > 0


def test_calling_a_metric_hands_its_task_the_parameters_and_the_conventions(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, tuple[Any, ...], str]] = []

    def estimate(metric: certus.Metric, *data: Any, ties: str = "trec") -> Any:
        seen.append((str(metric), data, ties))

    ties = Argument("ties", "ties", choices=("trec", "average"))
    forget_tasks(monkeypatch)
    registry.register(Task(name=TASK, data=(), conventions=(ties,), needs=(), usual=(), call=lambda: estimate))
    first_hit("qrels", "run", rel=2, ties="average")
    assert seen == [("FirstHit(rel=2)", ("qrels", "run"), "average")]
    with pytest.raises(MetricNameError, match=r"FirstHit has no parameter 'tie'; did you mean 'ties'\?"):
        first_hit("qrels", "run", tie="average")


def test_a_metric_that_lacks_a_parameter_says_so(ranking_of: Make) -> None:
    with pytest.raises(MetricNameError, match=r"IPrec needs recall, a number from 0 to 1, as in IPrec@0\.5"):
        certus.ranking.interpolated_precision.compute(ranking_of(([[1]], [])))


def test_a_statistic_of_any_form_passes_through(ranking_of: Make) -> None:
    statistic: Statistic = certus.ranking.micro_precision.compute(ranking_of(([[1], [None]], [])))
    assert statistic.value == 0.5


def test_lists_shows_each_query(ranking_of: Make) -> None:
    first, second = ranking_of(([[1], [None], [2]], [0]), ([], [3])).lists()
    assert (first.query, first.ranks.tolist(), first.grades.tolist(), first.retrieved) == ("q000", [1, 3], [1, 2], 3)
    assert first.judged.tolist() == [2, 1, 0]
    assert (second.ranks.tolist(), second.retrieved, second.judged.tolist()) == ([], 0, [3])
    cut = first.first(2)
    assert (cut.ranks.tolist(), cut.retrieved, cut.judged.tolist()) == ([1], 2, [2, 1, 0])
    assert first.first(None) is first


def test_every_name_of_the_face_is_a_metric_and_every_metric_has_one() -> None:
    face: Sequence[str] = certus.ranking.__all__
    own = {each for each in declared("ranking") if each.__module__.startswith("certus.")}
    curves = {"MetricCurve", "metric_curve", "precision_recall_curve"}
    assert {getattr(certus.ranking, name) for name in face if name not in curves} == own
    assert all(getattr(certus.ranking, name).__name__ == name for name in face)


def test_a_name_of_certus_is_refused_to_somebody_elses_metric_before_any_metric_was_asked_for() -> None:
    code = (
        "import certus\n"
        "def declare(name, **facts):\n"
        "    @certus.metric(name, task='ranking', **facts)\n"
        "    def somebody_elses(ranking):\n"
        "        return [0.0] * len(ranking)\n"
        "try:\n"
        "    declare('Own', aliases=['nDCG'])\n"
        "except certus.MetricNameError as error:\n"
        "    print(error)\n"
        "declare('Own')\n"
        "print(certus.parse('Own'), certus.parse('AP@10'))\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "'nDCG' already names the ranking metric nDCG; choose another name\nOwn AP@10\n"
