"""Test runs of DeepEval."""

from collections.abc import Iterator
from typing import Any

from certus.io._format import input_format
from certus.io._log import Content, fields, number_of
from certus.io.scores import Scores, of_records

__all__ = ["deepeval"]


def _cases(content: Content) -> Any:
    plain = content.object
    run = plain.get("testRunData", plain)
    if isinstance(run, dict) and ("testCases" in run or "conversationalTestCases" in run):
        return [*(run.get("testCases") or ()), *(run.get("conversationalTestCases") or ())]
    return plain.get("test_results")


def _told(content: Content) -> bool:
    cases = _cases(content)
    return isinstance(cases, list) and all(isinstance(case, dict) and "success" in case for case in cases[:1])


@input_format(
    "deepeval",
    "DeepEval",
    results="JSON of a test run (`testCases` with `metricsData`) or of `evaluate()` (`test_results` with "
    "`metrics_data`)",
    told=_told,
)
def deepeval(content: Content) -> Iterator[Scores]:
    """The score of each metric, and the success of each test case."""
    run = content.object.get("testRunData", content.object)
    system = run.get("identifier") or content.stem
    found: list[tuple[str, str, str, float]] = []
    empty: dict[str, list[str]] = {}
    inputs: dict[str, Any] = {}
    for number, case in enumerate(_cases(content)):
        name, success = fields(content, case, ("name", "success"), f"test case {number}")
        given = case.get("input")
        if inputs.setdefault(name, given) != given:
            raise content.error(
                f"two test cases with different input are named {name!r}", "give each a name of its own"
            )
        content.about.append((name, case))
        values: list[tuple[str, Any]] = [("success", success)]
        for data in case.get("metricsData") or case.get("metrics_data") or ():
            (metric,) = fields(content, data, ("name",), f"a metric of test case {number}")
            values.append((metric, data.get("score")))
        for metric, value in values:
            number_found = number_of(value)
            if number_found is None:
                empty.setdefault(metric, []).append(name)
            else:
                found.append((system, metric, name, number_found))
    for metric, items in empty.items():
        content.left_out(metric, items, "as they are not numbers")
    yield from of_records(found)
