"""Many cases in one test: all are tried, and a failure names its own."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_a_row import in_a_row


def test_each_case_is_tried_and_a_failure_names_its_own() -> None:
    seen = []

    @in_a_row("number, text", [(1, "a"), (2, "b"), (3, "c")])
    def claim(number: int, text: str, more: int) -> None:
        seen.append((number, text, more))
        assert number != 3

    with pytest.raises(AssertionError) as failure:
        claim(more=7)
    assert seen == [(1, "a", 7), (2, "b", 7), (3, "c", 7)]
    assert failure.value.__notes__ == ["where number is 3, text is c"]


def test_a_case_cannot_skip_those_after_it() -> None:
    @in_a_row("number", [1, 2])
    def claim(number: int) -> None:
        pytest.skip("no number")

    with pytest.raises(TypeError, match="a skip would leave out the cases after it"):
        claim()


def test_a_group_is_a_test_whose_cases_see_the_same_examples() -> None:
    seen: dict[int, list[int]] = {}

    @settings(max_examples=4)
    @given(drawn=st.integers())
    @in_a_row("number", range(5), group=lambda number: "even" if number % 2 == 0 else "odd")
    def claim(number: int, drawn: int) -> None:
        seen.setdefault(number, []).append(drawn)

    (mark,) = claim.pytestmark  # type: ignore[attr-defined]
    assert mark.kwargs["ids"] == {
        "even": [{"number": 0}, {"number": 2}, {"number": 4}],
        "odd": [{"number": 1}, {"number": 3}],
    }
    for group in mark.args[1]:
        claim(number=group)
    assert seen[0] == seen[2] == seen[4]
    assert seen[1] == seen[3]
    assert len(set(seen[0])) >= 2
