"""The compact letter display."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus import DataError
from certus.inference import letters


def table(systems: int, pairs: Any) -> Any:
    found = np.zeros((systems, systems), dtype=np.bool_)
    for one, other in pairs:
        found[one, other] = found[other, one] = True
    return found


@st.composite
def decisions(draw: Any) -> Any:
    systems = draw(st.integers(1, 9))
    pairs = [pair for pair in itertools.combinations(range(systems), 2) if draw(st.booleans())]
    return table(systems, pairs)


@settings(deadline=None, max_examples=300)
@given(decisions(), st.randoms())
def test_two_systems_share_a_letter_just_if_they_do_not_differ(significant: Any, random: Any) -> None:
    order = list(range(len(significant)))
    random.shuffle(order)
    found = [set(each) for each in letters(significant, order)]
    for one, other in itertools.combinations(range(len(found)), 2):
        assert bool(found[one] & found[other]) == (not significant[one, other])
    assert all(found)
    assert "a" in found[order[0]]
    # Letters appear in the order of the systems.
    firsts = [letter for system in order for letter in sorted(found[system])]
    assert list(dict.fromkeys(firsts)) == sorted(set(firsts))


@settings(deadline=None, max_examples=200)
@given(decisions())
def test_no_letter_can_be_left_out(significant: Any) -> None:
    found = [set(each) for each in letters(significant)]

    def right(shown: list[set[str]]) -> bool:
        return all(shown) and all(
            bool(shown[one] & shown[other]) == (not significant[one, other])
            for one, other in itertools.combinations(range(len(shown)), 2)
        )

    for letter in set().union(*found):
        assert not right([each - {letter} for each in found])
        for system in range(len(found)):
            if letter in found[system]:
                assert not right([each - {letter} if i == system else each for i, each in enumerate(found)])


@settings(deadline=None, max_examples=100)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0.05, 0.9))
def test_systems_on_a_line_get_as_many_letters_as_there_are_longest_runs(values: list[float], width: float) -> None:
    ranked = np.sort(np.array(values))[::-1]
    found = letters(np.abs(np.subtract.outer(ranked, ranked)) > width)
    runs = {tuple(np.flatnonzero((ranked <= top) & (top - ranked <= width)).tolist()) for top in ranked.tolist()}
    longest = [run for run in runs if not any(set(run) < set(other) for other in runs)]
    assert len(set("".join(found))) <= len(longest)


def test_all_alike_and_all_apart() -> None:
    assert letters(np.zeros((3, 3), dtype=np.bool_)) == ("a", "a", "a")
    assert letters(~np.eye(3, dtype=np.bool_)) == ("a", "b", "c")
    assert letters(~np.eye(3, dtype=np.bool_), order=[2, 0, 1]) == ("b", "c", "a")
    assert letters(np.zeros((0, 0), dtype=np.bool_)) == ()


def test_the_example_of_a_chain() -> None:
    chain = table(4, [(0, 2), (0, 3), (1, 3)])
    assert letters(chain) == ("a", "ab", "bc", "c")


def test_more_systems_than_letters() -> None:
    found = letters(~np.eye(60, dtype=np.bool_))
    assert len(set(found)) == 60
    assert found[25:28] == ("z", "A", "B")
    assert found[51:54] == ("Z", "a1", "b1")


def test_bad_tables_are_refused() -> None:
    with pytest.raises(DataError, match=r"significant has shape \(2, 3\)"):
        letters(np.zeros((2, 3), dtype=np.bool_))
    with pytest.raises(DataError, match=r"significant holds float64; give decisions such as p <= 0\.05"):
        letters(np.zeros((2, 2)))
    with pytest.raises(DataError, match="separates system 1 from itself"):
        letters(np.diag([False, True]))
    with pytest.raises(DataError, match="says different things of systems 0 and 1"):
        letters(np.array([[False, True], [False, False]]))
    with pytest.raises(DataError, match=r"order is \[0, 0\]; it must hold each number from 0 to 1 once"):
        letters(np.zeros((2, 2), dtype=np.bool_), order=[0, 0])
