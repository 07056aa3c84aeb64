import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus.agreement import rbo
from certus.errors import DataError, MetricNameError

# Corsi & Urbano's own program (github.com/julian-urbano/sigir2024-rbo, rbo/test.csv): rankings, p, then ext, min and max
# for ties "w", "a" and "b".
CORSI_URBANO = """
(i5 i9 i13 i15 i16 i19 i20) (i3 i8),i6 (i4 i18) i2 i7 i8 i17 i14 (i11 i12) i1,0.958074765324023,0.0816485573277354,0.0370062754797617,0.59493569657566,0.0808189832771587,0.0354671825076603,0.593396603603558,0.0813693619867344,0.0356267307324464,0.593556151828344
i13 (i1 i4 i5 i6),i3 i14 i11 (i10 i15) i12 (i6 i9) i4 i2,0.92238320668128,0.117578490431637,0.0763135264223449,0.53999366118093,0.114619469221414,0.0733545052121218,0.537945108035391,0.11474835409049,0.0734833900811979,0.538589532380772
(i4 i7 i15) (i2 i11) i8 i18,i4 i8 i17 i11 (i2 i3 i5 i7 i9 i13 i14),0.955836875418683,0.601671359995661,0.310498723372055,0.820912519608734,0.584235464666522,0.295503371358027,0.805839323150565,0.632087129618464,0.322093781902212,0.833840285843908
(i3 i6) (i2 i7) i10,(i3 i6 i7 i10) (i1 i2),0.965413635276732,0.946064537517568,0.343706790399566,0.958770957517067,0.92051534467649,0.319428239558438,0.934492406675939,0.956844651806714,0.348953051936765,0.964017219054266
i9 (i7 i10 i11 i20) i17 i4 (i2 i15),(i12 i24) i8 (i13 i18) (i14 i21) i3 (i15 i16) (i4 i23) i1 i5 i17,0.925042675826437,0.112815118647638,0.0706978593698327,0.371480074655074,0.101033507362676,0.0674088329351841,0.368462905669962,0.101491625769712,0.0675839203187042,0.368785136040247
i4 (i2 i14) i7 i5 i3,(i9 i13) (i6 i8) i1 i5 i10 i15 i11,0.986650551181127,0.155835200392091,0.02839705430193,0.89085092447296,0.155835200392091,0.02839705430193,0.89085092447296,0.155835200392091,0.02839705430193,0.89085092447296
(i4 i14) i10 i9 i16 i1 (i11 i21) i7,(i4 i7 i9 i10 i14 i16) i21 (i1 i11) (i3 i6 i17 i18),0.980350757903177,0.95731778452095,0.350742506261885,0.95731778452095,0.939619367902257,0.336112285552834,0.939619367902257,0.96333114711547,0.35963910728389,0.96333114711547
(i1 i3 i6 i11 i15) i17 (i5 i8),(i1 i2 i3 i4 i5 i6 i7 i8 i9 i10 i11 i12),0.966485585840186,0.647993254615828,0.307897712904381,0.853885398258049,0.56593642947334,0.250532359019861,0.795583602856033,0.658581961799868,0.315458973083789,0.861496368240528
i21 i20 (i1 i16 i19) (i5 i10) i4,(i12 i17) (i2 i3 i8 i11) (i15 i18) (i6 i13) (i7 i14) i9,0.930074017489188,0,0,0.389142712252727,0,0,0.38977330351866,0,0,0.390116806797613
"""


def parsed(text):
    groups, inside = [], None
    for word in text.split():
        item = word.strip("()")
        if word.startswith("("):
            inside = []
        if inside is None:
            groups.append(item)
        else:
            inside.append(item)
        if word.endswith(")"):
            groups.append(inside)
            inside = None
    return groups


@pytest.mark.parametrize("line", CORSI_URBANO.strip().splitlines())
def test_values_are_those_of_the_papers_program(line):
    a, b, p, *expected = line.split(",")
    found = [rbo(parsed(a), parsed(b), float(p), ties=ties) for ties in "wab"]
    assert [x for r in found for x in (r.ext, r.min, r.max)] == pytest.approx([float(x) for x in expected], abs=1e-12)


def test_two_lists_by_hand():
    # Overlaps 1/1 and 1/2; beyond, none, or a third and fourth match at each rank.
    found = rbo(["x", "y"], ["x", "z"], 0.5)
    assert found.ext == pytest.approx(0.5 * 1 + 0.25 * 0.5 + 0.25 * 0.5, abs=1e-15)
    assert found.min == pytest.approx(0.5 + 0.125 + math.log(2) - 0.5 - 0.125, abs=1e-15)
    assert found.max == pytest.approx(0.5 + 0.125 + 0.125 * 1 + 0.125, abs=1e-15)
    assert found.residual == found.max - found.min
    assert float(found) == found.ext


def webber_ext(a, b, p):
    """Equation 32 of Webber, Moffat & Zobel (2010)."""
    short, long = sorted((a, b), key=len)
    s, n = len(short), len(long)
    x = [len(set(short[:d]) & set(long[:d])) for d in range(n + 1)]
    seen = sum(x[d] / d * p**d for d in range(1, n + 1))
    filled = sum(x[s] * (d - s) / (s * d) * p**d for d in range(s + 1, n + 1))
    return (1 - p) / p * (seen + filled) + ((x[n] - x[s]) / n + x[s] / s) * p**n


lists = st.lists(st.integers(0, 12), min_size=1, max_size=9, unique=True)


@given(lists, lists, st.floats(0.05, 0.98))
def test_without_ties_all_treatments_are_webbers(a, b, p):
    found = [rbo(a, b, p, ties=ties) for ties in "abw"]
    for each in found:
        assert each.ext == pytest.approx(webber_ext(a, b, p), abs=1e-12)
        assert (each.min, each.max) == pytest.approx((found[0].min, found[0].max), abs=1e-12)
        assert each.min <= each.ext + 1e-12
        assert each.ext <= each.max + 1e-12
    assert rbo(b, a, p).ext == pytest.approx(found[0].ext, abs=1e-14)


def overlap_to(a, b, p, depth):
    """The sum down to a depth, in rationals, of lists without ties that reach it."""
    return sum((1 - p) * p ** (d - 1) * Fraction(len(set(a[:d]) & set(b[:d])), d) for d in range(1, depth + 1))


def tied(items, sizes):
    groups, rest = [], list(items)
    for size in sizes:
        if rest:
            groups.append(rest[:size])
            rest = rest[size:]
    return groups + [[item] for item in rest]


def orders_of(groups):
    for choice in itertools.product(*(itertools.permutations(group) for group in groups)):
        yield [item for group in choice for item in group]


small = st.tuples(st.permutations(range(6)).map(lambda x: x[:4]), st.lists(st.integers(1, 3), max_size=3))


@settings(max_examples=40)
@given(small, small)
def test_a_is_the_mean_over_all_orders_of_tied_items(one, other):
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
def test_w_and_b_are_their_definitions(one, other, ties):
    first, second = tied(*one), tied(*other)

    def parts(groups, d):
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


def test_min_and_max_are_reached_by_continuing_the_lists():
    a, b, p, deep = [1, 2, 3], [3, 4, 1, 5, 6], 0.7, 60
    found = rbo(a, b, p)
    apart = overlap_to(a + list(range(100, 200)), b + list(range(200, 300)), p, deep)
    # The shorter is filled with the longer's own; then each takes what the other has alone; then the same new items.
    shared = list(range(300, 400))
    close = overlap_to(a + [4, 5, 6, *shared], b + [2, *shared], p, deep)
    assert found.min == pytest.approx(float(apart), abs=1e-8)
    assert found.max >= float(close) - 1e-8
    best = max(
        float(overlap_to(a + list(x), b + list(y), p, 8) + (1 if set(a + list(x)) == set(b + list(y)) else 0) * p**8)
        for x in itertools.permutations([4, 5, 6, 7, 8])
        for y in itertools.permutations([2, 7, 8])
    )
    assert found.max == pytest.approx(best, abs=1e-12)


def test_equal_lists_with_ties_overlap_wholly_but_for_the_order_not_known():
    ranking = ["x", {"y", "z"}, "w"]
    assert rbo(ranking, ranking, ties="w").ext == pytest.approx(1.0, abs=1e-15)
    assert rbo(ranking, ranking, ties="b").ext == pytest.approx(1.0, abs=1e-15)
    assert rbo(ranking, ranking, ties="a").ext < 1.0


def test_scores_by_item_give_the_same_as_the_list():
    by_score = rbo({"x": 3.0, "y": 1.0, "z": 1.0}, {"z": 2.0, "x": 1.5}, ties="w")
    assert by_score == rbo(["x", {"y", "z"}], ["z", "x"], ties="w")


def test_depth_looks_at_the_top_and_keeps_groups_whole():
    assert rbo([1, 2, 3, 4], [1, 3, 2, 5], depth=2) == rbo([1, 2], [1, 3])
    assert rbo([1, (2, 3), 4], [1, 3], depth=2) == rbo([1, (2, 3)], [1, 3])


def test_long_lists_with_one_great_tie_are_quick_and_right():
    n = 3000
    found = rbo([list(range(n))], list(range(n)), 0.99)
    # Every rank of the tied list holds each item with the same probability: the overlap at d is d / n.
    d = np.arange(1, n + 1)
    assert found.ext == pytest.approx(float((0.01 * 0.99 ** (d - 1) * d / n).sum() + 0.99**n), abs=1e-12)


def test_what_is_no_ranking_is_refused():
    with pytest.raises(DataError, match="a holds 'x' twice; an item has one place in a ranking"):
        rbo(["x", {"y"}, "x"], ["x"])
    with pytest.raises(DataError, match="b is empty; a ranking needs at least one item"):
        rbo(["x"], [])
    with pytest.raises(DataError, match="a is a set; give a list of items from the top"):
        rbo({"x"}, ["x"])
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
        rbo(["x"], ["x"], ties="c")
