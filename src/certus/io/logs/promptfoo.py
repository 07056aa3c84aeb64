"""Results of promptfoo, as ``promptfoo eval -o results.json`` writes them."""

from collections.abc import Iterator
from typing import Any

from certus.io.files import input_format
from certus.io.logs.content import Content, fields, legible, number_of
from certus.io.scores import Scores, of_records

_ERROR = 2
"""The reason of a failure that is not a failed assertion."""


def _matches(content: Content) -> bool:
    results = content.object.get("results")
    return isinstance(results, dict) and isinstance(results.get("results"), list) and "config" in content.object


@input_format(
    "promptfoo", "promptfoo", results="JSON of `promptfoo eval -o`: `results.results` and `config`", matches=_matches
)
def promptfoo(content: Content) -> Iterator[Scores]:
    """Success and score of each test, and the scores that have names; tests with the same variables are repeats."""
    results = content.object["results"]["results"]
    stats = content.object["results"].get("stats") or {}
    counts_given = [stats.get(name) for name in ("successes", "failures", "errors")]
    counts = [each for each in counts_given if isinstance(each, int)]
    # they are sums over the prompts that ended, so that an evaluation that was interrupted or resumed counts fewer
    if len(counts) == len(counts_given) and sum(counts) > len(results):
        raise content.error(
            f"has {len(results)} results, but its stats count {sum(counts)}", "export the evaluation again, as a whole"
        )
    if len(counts) == len(counts_given) and sum(counts) < len(results):
        text = f"the stats count {sum(counts)} of its {len(results)} results; all are read"
        content.notice("counts", text)
    keys = ("promptIdx", "testIdx")
    content.check_unique(
        (
            (None, (str(each.get("provider")), *(each[key] for key in keys)))
            for each in results
            if isinstance(each, dict) and all(key in each for key in keys)
        ),
        "the provider, prompt and test",
    )
    prompts = {_prompt(result) for result in results}
    records: list[tuple[str, str, str, float]] = []
    errors: list[str] = []
    for number, result in enumerate(results):
        provider, success, score = fields(content, result, ("provider", "success", "score"), f"result {number}")
        variables = result.get("vars") or (result.get("testCase") or {}).get("vars") or {}
        test = result.get("testCase") or {}
        about = test.get("description") or ", ".join(f"{name}={value}" for name, value in variables.items())
        item = legible(str(about), [variables, test.get("assert"), test.get("description")])
        content.about.append((item, {**result, "vars": variables}))
        name = (provider.get("label") or provider.get("id")) if isinstance(provider, dict) else provider
        system = str(name) if len(prompts) == 1 else f"{name} {_prompt(result)}"
        if result.get("failureReason") == _ERROR or (result.get("error") and not result.get("gradingResult")):
            errors.append(item)
        values: dict[str, Any] = {"success": success, "score": score, **(result.get("namedScores") or {})}
        for metric, value in values.items():
            parsed = number_of(value)
            if parsed is None:
                raise content.error(f"result {number} has {metric} {value!r}, which is not a number")
            records.append((system, metric, item, parsed))
    if errors:
        text = f"{len(errors)} of {len(results)} results are errors; they count as promptfoo counts them, as failures"
        content.notice("errors", text, errors)
    content.lacking((system, metric, item) for system, metric, item, _ in records)
    yield from of_records(records)


def _prompt(result: Any) -> str:
    prompt = result.get("prompt") if isinstance(result, dict) else None
    return str(prompt.get("label") or prompt.get("raw") or "") if isinstance(prompt, dict) else ""
