import itertools
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus import DataError, MetricNameError
from certus.agreement import rbo

TIES = Path(__file__).resolve().parents[1] / "reference" / "rbo" / "ties.csv"


def parsed(text: str) -> list[Any]:
    """From ``"x (y z)"`` to ``["x", ["y", "z"]]``."""
    groups: list[Any] = []
    for part in text.replace("(", "|(").replace(")", "|").split("|"):
        words = part.strip("( ").split()
        groups += [words] if part.startswith("(") else words
    return groups


@pytest.mark.parametrize("line", TIES.read_text().splitlines()[1:])
def test_values_are_those_of_the_papers_program(line: Any) -> None:
    a, b, p, *expected = line.split(",")
    found = [rbo(parsed(a), parsed(b), float(p), ties=ties) for ties in ("w", "a", "b")]
    assert [x for r in found for x in (r.ext, r.min, r.max)] == pytest.approx([float(x) for x in expected], abs=1e-12)


def test_two_lists_by_hand() -> None:
    # Overlaps 1/1 and 1/2; beyond, none, or a third and fourth match at each rank.
    found = rbo(["x", "y"], ["x", "z"], 0.5)
    assert found.ext == pytest.approx(0.5 * 1 + 0.25 * 0.5 + 0.25 * 0.5, abs=1e-15)
    assert found.min == pytest.approx(0.5 + 0.125 + math.log(2) - 0.5 - 0.125, abs=1e-15)
    assert found.max == pytest.approx(0.5 + 0.125 + 0.125 * 1 + 0.125, abs=1e-15)
    assert found.residual == found.max - found.min
    assert float(found) == found.ext


def webber_ext(a: Any, b: Any, p: Any) -> Any:
    """Equation 32 of Webber, Moffat & Zobel (2010)."""
    short, long = sorted((a, b), key=len)
    s, n = len(short), len(long)
    x = [len(set(short[:d]) & set(long[:d])) for d in range(n + 1)]
    seen = sum(x[d] / d * p**d for d in range(1, n + 1))
    filled = sum(x[s] * (d - s) / (s * d) * p**d for d in range(s + 1, n + 1))
    return (1 - p) / p * (seen + filled) + ((x[n] - x[s]) / n + x[s] / s) * p**n


lists = st.lists(st.integers(0, 12), min_size=1, max_size=9, unique=True)


@given(lists, lists, st.floats(0.05, 0.98))
def test_without_ties_all_treatments_are_webbers(a: Any, b: Any, p: Any) -> None:
    found = [rbo(a, b, p, ties=ties) for ties in ("a", "b", "w")]
    for each in found:
        assert each.ext == pytest.approx(webber_ext(a, b, p), abs=1e-12)
        assert (each.min, each.max) == pytest.approx((found[0].min, found[0].max), abs=1e-12)
        assert each.min <= each.ext + 1e-12
        assert each.ext <= each.max + 1e-12
    assert rbo(b, a, p).ext == pytest.approx(found[0].ext, abs=1e-14)


def overlap_to(a: Any, b: Any, p: Any, depth: Any) -> Any:
    """The sum down to a depth, in rationals, of lists without ties that reach it."""
    return sum((1 - p) * p ** (d - 1) * Fraction(len(set(a[:d]) & set(b[:d])), d) for d in range(1, depth + 1))


def tied(items: Any, sizes: Any) -> Any:
    groups, rest = [], list(items)
    for size in sizes:
        if rest:
            groups.append(rest[:size])
            rest = rest[size:]
    return groups + [[item] for item in rest]


def orders_of(groups: Any) -> Any:
    for choice in itertools.product(*(itertools.permutations(group) for group in groups)):
        yield [item for group in choice for item in group]


small = st.tuples(st.permutations(range(6)).map(lambda x: x[:4]), st.lists(st.integers(1, 3), max_size=3))


@settings(max_examples=40)
@given(small, small)
def test_a_is_the_mean_over_all_orders_of_tied_items(one: Any, other: Any) -> None:
    first, second = tied(*one), tied(*other)
    pairs = list(itertools.product(orders_of(first), orders_of(second)))
    p = Fraction(4, 5)
    # Lists of one length: the seen part in rationals, and the same tail for every order.
    seen = sum(overlap_to(a, b, p, 4) for a, b in pairs) / len(pairs)
    common = len(set(pairs[0][0]) & set(pairs[0][1]))
    found = rbo(first, second, 0.8, ties="a")
    assert found.ext == pytest.approx(float(seen + Fraction(common, 4) * p**4), abs=1e-13)
    means = [np.mean([getattr(rbo(a, b, 0.8), end) for a, b in pairs]) for end in ("min", "max")]
    assert (found.min, found.max) == pytest.approx(means, abs=1e-12)


@settings(max_examples=40)
@given(small, small, st.sampled_from("wb"))
def test_w_and_b_are_their_definitions(one: Any, other: Any, ties: Any) -> None:
    first, second = tied(*one), tied(*other)

    def parts(groups: Any, d: Any) -> Any:
        found, rank = {}, 0
        for group in groups:
            within = min(max(d - rank, 0), len(group)) / len(group)
            found.update(dict.fromkeys(group, float(within > 0) if ties == "w" else within))
            rank += len(group)
        return found

    expected = 0.0
    for d in range(1, 5):
        a, b = parts(first, d), parts(second, d)
        both = sum(a[item] * b.get(item, 0.0) for item in a)
        whole = (
            (sum(a.values()) + sum(b.values())) / 2
            if ties == "w"
            else math.sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values()))
        )
        expected += 0.2 * 0.8 ** (d - 1) * both / whole
    common = len({i for g in first for i in g} & {i for g in second for i in g})
    assert rbo(first, second, 0.8, ties=ties).ext == pytest.approx(expected + common / 4 * 0.8**4, abs=1e-13)


def test_min_and_max_are_reached_by_continuing_the_lists() -> None:
    a, b, p, deep = [1, 2, 3], [3, 4, 1, 5, 6], 0.7, 60
    found = rbo(a, b, p)
    apart = overlap_to(a + list(range(100, 200)), b + list(range(200, 300)), p, deep)
    # The shorter is filled with the longer's own; then each takes what the other has alone; then the same new items.
    shared = list(range(300, 400))
    close = overlap_to([*a, 4, 5, 6, *shared], [*b, 2, *shared], p, deep)
    assert found.min == pytest.approx(float(apart), abs=1e-8)
    assert found.max >= float(close) - 1e-8
    best = max(
        float(overlap_to(a + list(x), b + list(y), p, 8) + (1 if set(a + list(x)) == set(b + list(y)) else 0) * p**8)
        for x in itertools.permutations([4, 5, 6, 7, 8])
        for y in itertools.permutations([2, 7, 8])
    )
    assert found.max == pytest.approx(best, abs=1e-12)


def test_equal_lists_with_ties_overlap_wholly_but_for_the_order_not_known() -> None:
    ranking = ["x", {"y", "z"}, "w"]
    assert rbo(ranking, ranking, ties="w").ext == pytest.approx(1.0, abs=1e-15)
    assert rbo(ranking, ranking, ties="b").ext == pytest.approx(1.0, abs=1e-15)
    assert rbo(ranking, ranking, ties="a").ext < 1.0


def test_scores_by_item_give_the_same_as_the_list() -> None:
    by_score = rbo({"x": 3.0, "y": 1.0, "z": 1.0}, {"z": 2.0, "x": 1.5}, ties="w")
    assert by_score == rbo(["x", {"y", "z"}], ["z", "x"], ties="w")


def test_depth_looks_at_the_top_and_keeps_groups_whole() -> None:
    assert rbo([1, 2, 3, 4], [1, 3, 2, 5], depth=2) == rbo([1, 2], [1, 3])
    assert rbo([1, (2, 3), 4], [1, 3], depth=2) == rbo([1, (2, 3)], [1, 3])


def test_long_lists_with_one_great_tie_are_quick_and_right() -> None:
    n = 3000
    found = rbo([list(range(n))], list(range(n)), 0.99)
    # Every rank of the tied list holds each item with the same probability: the overlap at d is d / n.
    d = np.arange(1, n + 1)
    assert found.ext == pytest.approx(float((0.01 * 0.99 ** (d - 1) * d / n).sum() + 0.99**n), abs=1e-12)


def test_what_is_no_ranking_is_refused() -> None:
    with pytest.raises(DataError, match="a holds 'x' twice; an item has one place in a ranking"):
        rbo(["x", {"y"}, "x"], ["x"])
    with pytest.raises(DataError, match="b is empty; a ranking needs at least one item"):
        rbo(["x"], [])
    with pytest.raises(DataError, match="a is a set; give a list of items from the top"):
        rbo({"x"}, ["x"])  # type: ignore[arg-type]
    with pytest.raises(DataError, match="a is a str; give a list"):
        rbo("xyz", ["x"])
    with pytest.raises(DataError, match="b holds an empty group of ties at rank 2"):
        rbo(["x"], ["x", []])
    with pytest.raises(DataError, match="a has score NaN for 'x'"):
        rbo({"x": math.nan}, ["x"])
    with pytest.raises(DataError, match="a holds NaN"):
        rbo([math.nan, 1.0], [1.0])
    for p in (0.0, 1.0, math.nan, 2.0):
        with pytest.raises(DataError, match="it must lie strictly between 0 and 1"):
            rbo(["x"], ["x"], p)
    with pytest.raises(DataError, match="depth is 0; it must be at least 1"):
        rbo(["x"], ["x"], depth=0)
    with pytest.raises(MetricNameError, match="ties is 'c'"):
        rbo(["x"], ["x"], ties="c")  # type: ignore[arg-type]
