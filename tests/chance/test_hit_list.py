"""Hit lists: what is read and refused, the measures, the order and the number of all."""

import math
import pickle
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import certus
from certus import DataError, MetricNameError
from certus.chance import HitList

RANKS = st.sets(st.integers(1, 60), min_size=1, max_size=30)


def oracle_score(text: str, m: Fraction) -> Fraction:
    p, k = len(text), text.count("x")
    misses = sum(rank for rank in range(1, p + 1) if text[rank - 1] == "-")
    return Fraction(k, p) + (Fraction(2 * misses, p * (p - 1)) / m if p > 1 else Fraction(0))


def oracle_average_precision(text: str, top: int | None = None) -> Fraction:
    """The sum of precisions at the hits of the first ranks; over all hits without `top`."""
    shown = text if top is None else text[:top]
    hits = [rank for rank in range(1, len(shown) + 1) if shown[rank - 1] == "x"]
    total = sum((Fraction(shown[:rank].count("x"), rank) for rank in hits), Fraction())
    return total / text.count("x") if top is None else total


# Reading


def test_text_and_ranks_in_any_order_are_one_hit_list() -> None:
    for where in ([1, 3, 5, 7], [3, 7, 5, 1], np.array([3, 7, 5, 1]), (7, 5, 3, 1), {1, 3, 5, 7}, iter([7, 5, 3, 1])):
        made = HitList(where)
        assert made == HitList("x-x-x-x")
        assert hash(made) == hash(HitList("x-x-x-x"))
        assert (made.length, made.hits, made.ranks) == (7, 4, (1, 3, 5, 7))
        assert all(type(rank) is int for rank in made.ranks)


@given(RANKS)
def test_every_way_to_write_a_hit_list_reads_back(ranks: set[int]) -> None:
    made = HitList(ranks)
    assert HitList(str(made)) == HitList(f"{made:u}") == HitList(made.ranks) == made
    assert eval(repr(made), {"HitList": HitList}) == made
    assert pickle.loads(pickle.dumps(made)) == made
    assert set(np.flatnonzero(made.hit_list()) + 1) == ranks


def test_formats_take_a_width_and_bullets() -> None:
    r = HitList("xx--x")
    assert (str(r), repr(r), f"{r}", f"{r:u}") == ("xx--x", "HitList('xx--x')", "xx--x", "••◦◦•")
    assert (f"{r:>7}", f"{r:^7u}") == ("  xx--x", " ••◦◦• ")
    assert repr(HitList([1, 100])) == "HitList([1, 100])"


def test_a_hit_list_is_frozen_and_a_value() -> None:
    r = HitList("x-x")
    with pytest.raises(AttributeError):
        r.ranks = (1,)  # type: ignore[misc]
    assert len({r, HitList([1, 3]), HitList("xx")}) == 2
    text: Any = "x-x"
    assert r != text


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("", "a hit list has at least one rank; the text is empty"),
        ("---", "a hit list has at least one hit, written x; '---' has none"),
        ("xX-x", "character 2 of the hit list is 'X'; a hit is written x or •, and a rank without one - or ◦"),
        ("x x", "character 2 of the hit list is ' '"),
        ([], "there are no ranks"),
        (np.array([], dtype=int), "there are no ranks"),
        ([3, 7, 3, 1], "rank 3 is given twice"),
        ([5, 7, 3, 1.5], "found 1.5 among the ranks; a rank is a whole number"),
        ([1.0, 2.0], "found 1.0 among the ranks; a rank is a whole number"),
        (np.array([1.0, 2.5]), "found 1.0 among the ranks; a rank is a whole number"),
        ([5, -7, 3, 1], "found -7 among the ranks; ranks are from 1 to 1,000,000,000"),
        ([0, 1, 2], "found 0 among the ranks; ranks are from 1"),
        ([10**9 + 1], "found 1000000001 among the ranks"),
        ([10**5000], "found a huge number among the ranks"),
        ([True, 3], "found True among the ranks; a mask has 0 and 1 alone, or False and True"),
        (["x", "-"], "found 'x' among the ranks"),
        ([None], "found None among the ranks"),
        ([math.nan], "found nan among the ranks"),
        (np.array([[1, 2]]), r"a mask or ranks have one dimension; found an array of shape \(1, 2\)"),
        (5, r"a hit list is text such as 'xx--x', a mask such as .* or the ranks of the hits such as .*; found 5"),
        (None, "found None"),
        (b"xx", "found b'xx'"),
        ({1: 2}, "found {1: 2}"),
    ],
)
def test_what_is_no_hit_list_is_refused_with_the_reason(where: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        HitList(where)


def test_a_long_text_is_not_printed_whole_in_an_error() -> None:
    with pytest.raises(DataError) as caught:
        HitList("-" * 1000)
    assert len(str(caught.value)) < 250


# Measures


def test_a_list_of_hits_only_is_perfect_exactly() -> None:
    for length in (1, 2, 7, 49, 1000):
        r = HitList(range(1, length + 1))
        assert r.average_precision() == r.score() == r.score(m=2.5) == 1.0
        assert set(r.precision()) == {1.0}


@given(RANKS, st.integers(1, 70))
def test_average_precision_is_the_definition_in_rationals(ranks: set[int], k: int) -> None:
    r = HitList(ranks)
    assert r.average_precision() == pytest.approx(float(oracle_average_precision(str(r))), rel=1e-15)
    total, found = oracle_average_precision(str(r), k), str(r)[:k].count("x")
    by = {"relevant": r.hits, "min": min(k, r.hits), "hits": found}
    for name, share in by.items():
        expected = float(total / share) if found else 0.0
        assert r.average_precision_at(k, name) == pytest.approx(expected, rel=1e-15)  # type: ignore[arg-type]


@given(RANKS)
def test_a_recall_that_is_reached_is_reached_where_it_is(ranks: set[int]) -> None:
    r = HitList(ranks)
    for i, rank in enumerate(r.ranks, start=1):
        # as a fraction, as the float nearest to it, and as the number in the array
        assert r.k_at_recall(Fraction(i, r.hits)) == r.k_at_recall(i / r.hits) == rank
        assert r.k_at_recall(r.recall()[rank - 1]) == rank
        assert r.precision_at_recall(i / r.hits) == i / rank == r.precision()[rank - 1]
        just_above = Fraction(i, r.hits) + Fraction(1, 10**30)
        if i < r.hits:
            assert r.k_at_recall(just_above) == r.ranks[i]


def test_a_float_stands_for_the_quotient_that_rounds_to_it() -> None:
    r: Any = HitList("x" * 10)
    assert Fraction(0.1) > Fraction(1, 10)
    assert r.k_at_recall(0.1) == r.k_at_recall(Fraction(1, 10)) == r.k_at_recall(np.float32(0.1)) == 1
    assert r.k_at_recall(Fraction(0.1)) == 2
    assert (r.k_at_recall(0), r.k_at_recall(1), r.k_at_recall(np.int64(1))) == (0, 10, 10)


@settings(max_examples=40)
@given(RANKS, st.integers(1, 70))
def test_the_metrics_of_rankings_agree(ranks: set[int], k: int) -> None:
    r = HitList(ranks)
    documents = [f"d{rank:02}" for rank in range(1, r.length + 1)]
    qrels = {"q": {documents[rank - 1]: 1 for rank in r.ranks}}
    run = {"q": {document: 100.0 - position for position, document in enumerate(documents)}}
    face: Any = certus.ranking
    assert face.average_precision(qrels, run).value == pytest.approx(r.average_precision(), rel=1e-14)
    for name in ("relevant", "min", "hits"):
        value = face.average_precision(qrels, run, cutoff=k, denominator=name).value
        assert value == pytest.approx(r.average_precision_at(k, name), rel=1e-14)
    for recall in (0.0, 0.1, 1 / 3, 0.5, 2 / 3, 1.0):
        assert face.k_at_recall(qrels, run, recall=recall).value == r.k_at_recall(recall)
        assert face.precision_at_recall(qrels, run, recall=recall).value == r.precision_at_recall(recall)


@pytest.mark.parametrize("m", [10, 5, Fraction(5, 2), 2.5])
def test_the_score_of_every_list_of_length_8_is_the_definition(m: Any) -> None:
    lists = list(HitList.all(8))
    assert len(lists) == 2**7
    for r in lists:
        assert r.score(m) == float(oracle_score(str(r), Fraction(m)))
        assert (r.score(m) == 1) == (r.hits == r.length)


def test_the_score_of_one_rank_is_1_not_0_over_0() -> None:
    assert HitList("x").score() == 1.0


def test_the_best_list_with_a_miss_stays_below_1_for_every_m_above_2() -> None:
    for p in range(2, 40):
        best = HitList("x" * (p - 2) + "-x")
        assert best.score(m=math.nextafter(2, 3)) <= 1
        assert best.score(m=2.001) < 1


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda r: r.score(2), "m is 2; it must be a finite number above 2"),
        (lambda r: r.score(math.nan), "m is nan"),
        (lambda r: r.score(math.inf), "m is inf"),
        (lambda r: r.score("10"), "m is '10'"),
        (lambda r: r.score(True), "m is True"),
        (lambda r: r.average_precision_at(0), "k is 0; it must be a whole number of at least 1"),
        (lambda r: r.average_precision_at(1.5), "k is 1.5"),
        (lambda r: r.average_precision_at(1, "all"), "denominator is 'all'; it must be 'relevant', 'min', 'hits'"),
        (lambda r: r.k_at_recall(1.1), r"r is 1.1; recall lies in \[0, 1\]"),
        (lambda r: r.k_at_recall(-0.1), "r is -0.1"),
        (lambda r: r.k_at_recall(math.nan), "r is nan"),
        (lambda r: r.k_at_recall("1/2"), "r is '1/2'"),
        (lambda r: r.precision_at_recall(True), "r is True"),
        (lambda r: r.contingency(4), "population is 4; it must be a whole number of at least 5"),
        (lambda r: r.count(0), "p is 0; it must be a whole number of at least 1"),
        (lambda r: r.count(5, 0), "k is 0"),
        (lambda r: r.all(5, 1.5), "k is 1.5"),
        (lambda r: r.table(40), "a table of all hit lists of 40 ranks has 549,755,813,888 rows; take them one by one"),
        (lambda r: r.table(20_000), "a table of all hit lists of 20000 ranks has about 10.6020 rows"),
        (lambda r: r.table(3, scores=("score", "score")), "two columns are named 'score'"),
        (lambda r: r.table(3, scores={"hits": "score"}), "two columns are named 'hits'"),
        (lambda r: r.table(3, scores=(lambda _: None,)), "is None; a score must be a number"),
    ],
)
def test_wrong_arguments_are_refused(ask: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        ask(HitList("xx--x"))


# All of a kind


def test_counts_are_those_of_the_lists_and_exact() -> None:
    for p in range(1, 9):
        assert HitList.count(p) == sum(1 for _ in HitList.all(p)) == 2 ** (p - 1)
        for k in range(1, 11):
            lists = list(HitList.all(p, k))
            assert HitList.count(p, k) == len(lists) == len(set(lists))
            assert all((r.length, r.hits) == (p, k) for r in lists)
            assert all(r == HitList(r.ranks) for r in lists)
    assert [HitList.count(30, k) for k in (2, 5, 10)] == [29, 23751, 10015005]
    assert HitList.count(1001, 501) == math.comb(1000, 500)


def test_all_makes_lists_only_when_they_are_asked_for() -> None:
    assert str(next(HitList.all(200, 100))) == "x" * 99 + "-" * 100 + "x"
    assert [r.hits for r in islice(HitList.all(1000), 3)] == [1, 2, 2]


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_table_has_all_lists_and_scores(backend: str) -> None:
    pytest.importorskip(backend)
    scores: dict[str, Any] = {"s": "score", "AP": "average_precision", "m = 5": lambda r: r.score(m=5)}
    frame = getattr(HitList.table(5, 3, scores=scores), f"to_{backend.removeprefix('py')}")()
    assert type(frame).__module__.split(".")[0] == backend
    import narwhals as nw

    columns = nw.from_native(frame, eager_only=True).to_dict(as_series=False)
    lists = list(HitList.all(5, 3))
    assert columns["hit_list"] == [str(r) for r in lists]
    assert (columns["hits"], columns["length"]) == ([3] * 6, [5] * 6)
    assert columns["s"] == [r.score() for r in lists]
    assert columns["AP"] == [r.average_precision() for r in lists]
    assert columns["m = 5"] == [r.score(5) for r in lists]


def test_a_table_names_its_columns_by_the_scores() -> None:
    def depth(r: HitList) -> int:
        return r.length

    frame = HitList.table(4, scores=("score", depth)).to_polars()
    assert frame.columns == ["hit_list", "hits", "length", "score", "depth"]
    assert len(frame) == 8
    with pytest.raises(MetricNameError, match="score is 'ap'; it must be 'average_precision' or 'score'"):
        HitList.table(3, scores=("ap",))


def test_the_class_is_a_name_of_certus_too() -> None:
    assert certus.HitList is HitList


@pytest.mark.parametrize("backend", ["pandas", "polars"])
def test_a_table_holds_the_lists_themselves_on_request(backend: str) -> None:
    listing = HitList.table(5, 3, objects=True)
    table = getattr(listing, f"to_{backend}")()
    assert list(table["object"]) == list(HitList.all(5, 3))
    assert [str(hit_list) for hit_list in table["object"]] == list(table["hit_list"])
    with pytest.raises(ValueError, match="pyarrow has no columns of objects"):
        listing.to_arrow()
    assert "xx--x" in listing.to_json()
    with pytest.raises(DataError, match="two columns are named 'object'"):
        HitList.table(5, 3, {"object": "score"}, objects=True)
