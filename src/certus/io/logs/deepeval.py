"""Test runs of DeepEval."""

from collections.abc import Iterator
from typing import Any

from certus.io.files import input_format
from certus.io.logs.content import Content, fields
from certus.io.scores import Scores

_RESULTS = {"success", "metricsData", "metrics_data"}
"""What a test case has of its results; a success of None, as where no metric decides it, is not written."""


def _cases(content: Content) -> Any:
    document = content.object
    run = document.get("testRunData", document)
    if isinstance(run, dict) and ("testCases" in run or "conversationalTestCases" in run):
        return [*(run.get("testCases") or ()), *(run.get("conversationalTestCases") or ())]
    return document.get("test_results")


def _matches(content: Content) -> bool:
    cases = _cases(content)
    return isinstance(cases, list) and any(_RESULTS & set(case) for case in cases if isinstance(case, dict))


@input_format(
    "deepeval",
    "DeepEval",
    results="JSON of a test run (`testCases` with `metricsData`) or of `evaluate()` (`test_results` with "
    "`metrics_data`)",
    matches=_matches,
)
def deepeval(content: Content) -> Iterator[Scores]:
    """The score of each metric, and the success of each test case."""
    run = content.object.get("testRunData", content.object)
    yield from content.parsed(_values(content), run.get("identifier") or content.stem)


def _values(content: Content) -> Iterator[tuple[None, str, str, Any]]:
    inputs: dict[str, Any] = {}
    for number, case in enumerate(_cases(content)):
        (name,) = fields(content, case, ("name",), f"test case {number}")
        question = case.get("input")
        if inputs.setdefault(name, question) != question:
            raise content.error(
                f"two test cases with different input are named {name!r}", "give each a name of its own"
            )
        content.about.append((name, case))
        yield None, name, "success", case.get("success")
        for data in case.get("metricsData") or case.get("metrics_data") or ():
            (metric,) = fields(content, data, ("name",), f"a metric of test case {number}")
            yield None, name, metric, data.get("score")
