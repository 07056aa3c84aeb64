"""Rankings judged in part: every sample of small lists, plain metrics where all is judged, infAP as a special case."""

import itertools
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import certus
from certus import CertusError, DataError
from certus.audit.rankings import stat_ap, xinf_ap, xinf_ndcg
from certus.data.ranking import SampledList
from certus.io.prels import as_prels, as_sampled_qrels
from certus.metrics.ranking.sampled import inferred_ap, inferred_ndcg, sum_of_precisions
from certus.metrics.ranking.sampled import stat_ap as stat_ap_of

GRADES = [1, 0, 2, 0, 0, 1, 1, 0]
RANKS = [1, 2, 3, 4, 6, 7, 0, 9]
STRATA = [0, 0, 0, 1, 1, 1, 1, 1]


def sampled(grades: Sequence[int], judged: Sequence[int], inclusion: Sequence[float], strata: bool) -> SampledList:
    """The list of the constants above with only some documents judged."""
    seen = np.array([grade if i in judged else -1 for i, grade in enumerate(grades)])
    if strata:
        return SampledList("q", np.array(RANKS), seen, np.array(inclusion), np.array(STRATA))
    kept = np.array(judged, dtype=int)
    return SampledList("q", np.array(RANKS)[kept], seen[kept], np.array(inclusion)[kept])


def samples(first: int, second: int) -> Iterator[SampledList]:
    """Every sample of so many documents of either stratum."""
    inclusion = [first / 3] * 3 + [second / 5] * 5
    for top in itertools.combinations(range(3), first):
        for rest in itertools.combinations(range(3, 8), second):
            yield sampled(GRADES, [*top, *rest], inclusion, strata=True)


def sum_by_definition(rel: int) -> float:
    hits = sorted(rank for rank, grade in zip(RANKS, GRADES, strict=True) if grade >= rel and rank)
    return sum((i + 1) / rank for i, rank in enumerate(hits))


@pytest.mark.parametrize("drawn", [(1, 1), (2, 2), (2, 3), (3, 2), (3, 5)])
@pytest.mark.parametrize("rel", [1, 2])
def test_the_sum_of_precisions_is_unbiased_over_all_samples_of_fixed_size(drawn: tuple[int, int], rel: int) -> None:
    if 1 in drawn:
        # no pair within a stratum is ever seen, so that only strata of one relevant document can be estimated
        assert np.mean([sum_of_precisions(each, 2) for each in samples(*drawn)]) == pytest.approx(sum_by_definition(2))
        return
    assert np.mean([sum_of_precisions(each, rel) for each in samples(*drawn)]) == pytest.approx(sum_by_definition(rel))


def test_the_sum_of_precisions_is_unbiased_where_documents_are_drawn_independently() -> None:
    inclusion = [1, 0.5, 0.9, 0.5, 0.25, 0.3, 0.7, 0.1]
    mean = 0.0
    for drawn in itertools.product([False, True], repeat=8):
        chance = math.prod(p if yes else 1 - p for p, yes in zip(inclusion, drawn, strict=True))
        judged = [i for i, yes in enumerate(drawn) if yes]
        mean += chance * sum_of_precisions(sampled(GRADES, judged, inclusion, strata=False))
    assert mean == pytest.approx(sum_by_definition(1))


def test_the_gain_of_a_list_is_unbiased_over_all_samples() -> None:
    # the best list is the same for all samples if no document but one may be of positive grade
    grades = [0, 0, 0, 0, 2, 0, 0, 0]
    whole = inferred_ndcg(sampled(grades, range(8), [1.0] * 8, strata=True))
    inclusion = [1.0] * 3 + [2 / 5] * 5
    found = []
    for rest in itertools.combinations(range(3, 8), 2):
        each = sampled(grades, [0, 1, 2, *rest], inclusion, strata=True)
        best = 2 * (1 + 1 / math.log2(3) + 0.5 / math.log2(4))  # 2.5 documents of grade 2
        found.append(inferred_ndcg(each) * (best if 4 in rest else 0))
    assert np.mean(found) == pytest.approx(whole * 2)


@pytest.mark.parametrize("estimate", [inferred_ap, stat_ap_of])
def test_average_precision_is_estimated_with_little_bias(estimate: object) -> None:
    whole = sum_by_definition(1) / 4
    values = [estimate(each) for each in samples(2, 3)]  # type: ignore[operator]
    assert np.mean(values) == pytest.approx(whole, abs=0.05)
    assert np.std(values) > 0.05


lists = st.lists(st.tuples(st.integers(-1, 2), st.booleans(), st.integers(0, 2)), min_size=1, max_size=12)


@given(lists)
@settings(max_examples=60, deadline=None)
def test_with_one_stratum_it_is_inferred_average_precision(documents: list[tuple[int, bool, int]]) -> None:
    qrels = {"q": {f"d{i}": grade for i, (grade, _, _) in enumerate(documents)}}
    run = {"q": {"other": 5.5, **{f"d{i}": float(i) for i, (_, found, _) in enumerate(documents) if found}}}
    judgments = {"q": {doc: ("pool", grade) for doc, grade in qrels["q"].items()}}
    expected = certus.ranking.inf_ap(qrels, run).value
    assert xinf_ap(judgments, run).value == pytest.approx(expected, abs=1e-12)


@given(lists)
@settings(max_examples=60, deadline=None)
def test_where_all_is_judged_they_are_the_plain_metrics(documents: list[tuple[int, bool, int]]) -> None:
    grades = {f"d{i}": max(grade, 0) for i, (grade, _, _) in enumerate(documents)}
    run = {"q": {"other": 5.5, **{f"d{i}": float(i) for i, (_, found, _) in enumerate(documents) if found}}}
    judgments = {"q": {f"d{i}": (stratum, grades[f"d{i}"]) for i, (_, _, stratum) in enumerate(documents)}}
    ap = certus.ranking.average_precision({"q": grades}, run).value
    assert xinf_ap(judgments, run).value == pytest.approx(ap, abs=1e-4)  # infAP's smoothing
    assert stat_ap({"q": {doc: (grade, 1) for doc, grade in grades.items()}}, run).value == pytest.approx(ap, abs=1e-12)
    assert stat_ap(as_sampled_qrels(judgments), run).value == pytest.approx(ap, abs=1e-12)
    for gain in ("linear", "exp"):
        for cutoff in (None, 3):
            expected = certus.ranking.ndcg({"q": grades}, run, gain=gain, cutoff=cutoff).value
            found = xinf_ndcg(judgments, run, gain=gain, cutoff=cutoff).value
            assert found == pytest.approx(expected, abs=1e-12)


def test_by_hand() -> None:
    judgments = {"q": {"a": (1, 1), "b": (1, 0), "c": (2, -1), "d": (2, 1), "e": (2, 0), "f": (2, -1)}}
    run = {"q": {"a": 9, "x": 8, "c": 7, "e": 6, "d": 5}}
    # a: 1/1. d at rank 5: itself, a of stratum 1, and of stratum 2 two above of which one is judged and not relevant.
    e = 1e-5
    at_d = (1 + (1 + e) / (1 + 2 * e) + 2 * e / (1 + 2 * e)) / 5
    assert xinf_ap(judgments, run).value == pytest.approx((1 + 2 * at_d) / 3, abs=1e-12)
    # chances 1 and 1/2: a alone, d alone, and both
    assert stat_ap(as_sampled_qrels(judgments), run).value == pytest.approx((1 + (2 + 2) / 5) / 3, abs=1e-12)


def test_a_stratum_without_judgments_counts_as_not_relevant() -> None:
    judgments = {"q": {"a": (1, 1), "b": (2, -1), "c": (2, -1), "d": (1, 1)}}
    run = {"q": {"b": 9, "a": 8, "c": 7, "d": 6}}
    assert xinf_ap(judgments, run).value == pytest.approx((1 / 2 + 2 / 4) / 2, abs=1e-4)
    assert 0 < xinf_ndcg(judgments, run).value < 1


def test_the_interval_is_over_queries_and_the_bounds_are_those_of_average_precision() -> None:
    judgments = {f"q{i}": {"a": (1, 1), "b": (1, i % 2), "c": (2, -1), "d": (2, 1)} for i in range(6)}
    run = {f"q{i}": {"c": 9.0, "b": 8.0, "a": 7.0, "d": 6.0 - 9 * (i % 3)} for i in range(6)}
    found = xinf_ap(judgments, run, bounds=True)
    assert (found.n, found.unit, found.interval().method) == (6, "query", "beta-moments")
    judged = {q: {doc: grade for doc, (_, grade) in docs.items() if grade >= 0} for q, docs in judgments.items()}
    assert found.range == certus.ranking.average_precision(judged, run, unjudged="bounds").range
    assert "over unjudged" in str(found)
    assert xinf_ndcg(judgments, run, cutoff=2, bounds=True).range == (
        certus.ranking.ndcg(judged, run, cutoff=2, unjudged="bounds").range
    )
    assert str(xinf_ndcg(judgments, run, cutoff=2, gain="exp").metric) == "xinfNDCG(gain='exp')@2"


def test_queries_that_the_run_lacks_count_0_if_asked() -> None:
    prels = {"q1": {"a": (1, 1.0)}, "q2": {"b": (1, 0.5)}}
    run = {"q1": {"a": 1.0}}
    assert stat_ap(prels, run).value == 1
    assert stat_ap(prels, run, queries="judged").value == 0.5
    assert stat_ap({"q1": {"a": (0, 1.0)}}, run).value == 0  # no relevant document


def test_files_are_read_as_trec_writes_them(tmp_path: Path) -> None:
    prels = tmp_path / "prels"
    prels.write_bytes(b"1 d1 1 0 1.0\r\n1 d2 0 1 0.5\n\n1\td3 2 2 0.25\n")
    run = {"1": {"d1": 3.0, "x": 2.0, "d3": 1.0}}
    assert stat_ap(prels, run).value == stat_ap({"1": {"d1": (1, 1), "d2": (0, 0.5), "d3": (2, 0.25)}}, run).value
    qrels = tmp_path / "qrels"
    qrels.write_text("1 0 d1 1 1\n1 0 d2 2 -1\n1 0 d3 2 1\n")
    rows = {"1": {"d1": ("1", 1), "d2": ("2", -1), "d3": ("2", 1)}}
    assert xinf_ap(qrels, run).value == xinf_ap(rows, run).value


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "holds no judgments"),
        ("1 d1 1 0\n", "prels:1: has 4 columns; judgments of a sample have 5"),
        ("1 d1 1 0 1\n1 d1 1 0 1\n", "prels:2: document 'd1' appears twice for query '1'"),
        ("1 d1 x 0 1\n", "prels:1: the grade is 'x'; it must be a whole number"),
        (
            f"1 d1 {2**31} 0 1\n",
            "prels:1: the grade is '2147483648'; it must be a whole number from -2147483648 to 2147483647",
        ),
        ("1 d1 1_0 0 1\n", "prels:1: the grade is '1_0'"),
        ("1 d1 1 0 x\n", "prels:1: the inclusion probability is 'x', which is not a number"),
        ("1 d1 1 0 0\n", "prels:1: the inclusion probability is 0; it must be above 0 and at most 1"),
        ("1 d1 1 0 nan\n", "prels:1: the inclusion probability is nan"),
        ("1 d1 1 0 1.5\n", "prels:1: the inclusion probability is 1.5"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(tmp_path: Path, text: str, match: str) -> None:
    path = tmp_path / "prels"
    path.write_text(text)
    with pytest.raises(DataError, match=match):
        as_prels(path)


def test_wrong_arguments_are_refused() -> None:
    prels = {"q": {"a": (1, 1.0)}}
    run = {"q": {"a": 1.0}}
    with pytest.raises(CertusError, match="rel is 0"):
        stat_ap(prels, run, rel=0)
    with pytest.raises(CertusError, match="queries is 'all'; it must be"):
        stat_ap(prels, run, queries="all")  # type: ignore[arg-type]
    with pytest.raises(CertusError, match="cutoff is 0"):
        xinf_ndcg(prels, run, cutoff=0)
    with pytest.raises(CertusError, match="gain is '2'"):
        xinf_ndcg(prels, run, gain="2")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="holds chances but no strata"):
        xinf_ap(as_prels(prels), run)
    with pytest.raises(DataError, match="document 'a' of query 'q': the inclusion probability is -1"):
        stat_ap({"q": {"a": (1, -1)}}, run)
    for grade in (1.5, float("inf"), 1e300):
        with pytest.raises(DataError, match="document 'a' of query 'q': the grade is"):
            stat_ap({"q": {"a": (grade, 1.0)}}, run)
    with pytest.raises(DataError, match="no query in common"):
        stat_ap(prels, {"r": {"a": 1.0}})
