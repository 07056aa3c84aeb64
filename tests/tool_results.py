"""Results of evaluation tools, written as their published writers write them."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from certus.io.logs import read_log
from certus.io.scores import Log, Scores

INSPECT = Path(__file__).parent / "reference" / "inspect"


def read(name: str) -> Log:
    log = read_log(name)
    assert log is not None
    return log


def values(scores: Scores) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for item, value in zip(scores.items, scores.values.tolist(), strict=True):
        found.setdefault(item, []).append(value)
    return found


def write(name: str, content: Any) -> str:
    text = "".join(json.dumps(each) + "\n" for each in content) if name.endswith("jsonl") else json.dumps(content)
    Path(name).write_text(text)
    return name


def archive(change: Callable[[dict[str, Any]], object] | None = None, **members: Any) -> bytes:
    """A log of Inspect as a zip archive, with a changed header and members in folders named by a double underscore."""
    header = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "plan": {}, "results": None}
    if change is not None:
        change(header)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("header.json", json.dumps(header))
        for name, content in members.items():
            file.writestr(name.replace("__", "/") + ".json", json.dumps(content))
    return target.getvalue()


SUMMARIES = [{"id": i, "epoch": 1, "scores": {"s": {"value": {"a": "C", "b": i}}}} for i in range(2)]
LM_EVAL = [
    {
        "doc_id": i,
        "doc": {"question": f"q{i}"},
        "target": "4",
        "arguments": {"gen_args_0": {"arg_0": "?"}},
        "resps": [["4"]],
        "filtered_resps": ["4"],
        "filter": applied,
        "metrics": ["exact_match", "byte_perplexity"],
        "doc_hash": f"{i}" * 64,
        "prompt_hash": "p",
        "target_hash": "t",
        "exact_match": float(i % 2 == position),
        "byte_perplexity": [-3.5, 4],
    }
    for position, applied in enumerate(("strict-match", "flexible-extract"))
    for i in range(3)
]
PROMPTFOO: dict[str, Any] = {
    "evalId": "eval-1",
    "results": {
        "version": 3,
        "results": [
            {
                "promptIdx": 0,
                "testIdx": test,
                "provider": {"id": provider, "label": ""},
                "prompt": {"raw": "Say {{x}}", "label": "Say {{x}}"},
                "vars": {"x": "ab"[test % 2]},
                "testCase": {"vars": {"x": "ab"[test % 2]}, "assert": [{"type": "contains"}]},
                "success": right,
                "score": 0.5 + right / 2,
                "namedScores": {"tone": 0.25},
                "failureReason": 0 if right else 1,
            }
            for provider in ("openai:x", "openai:y")
            for test, right in enumerate((True, False, provider == "openai:x", False))
        ],
        "stats": {"successes": 3, "failures": 5, "errors": 0},
    },
    "config": {},
}
DEEPEVAL: dict[str, Any] = {
    "testCases": [
        {
            "name": f"test_case_{i}",
            "input": f"q{i}",
            "success": i > 0,
            "metricsData": [{"name": "Faithfulness", "score": 0.5 * i, "success": i > 0}],
        }
        for i in range(3)
    ],
    "conversationalTestCases": [],
    "metricsScores": [],
    "identifier": "nightly",
}
SWE = {
    "total_instances": 5,
    "resolved_instances": 2,
    "completed_ids": ["a__a-1", "a__a-2", "b__b-1"],
    "incomplete_ids": ["b__b-2"],
    "empty_patch_ids": [],
    "submitted_ids": ["a__a-1", "a__a-2", "b__b-1", "c__c-1"],
    "resolved_ids": ["a__a-1", "b__b-1"],
    "unresolved_ids": ["a__a-2"],
    "error_ids": ["c__c-1"],
    "schema_version": 2,
}
MLFLOW = {
    "columns": [
        "inputs",
        "ground_truth",
        "outputs",
        "exact_match/score",
        "toxicity/v1/score",
        "toxicity/v1/justification",
    ],
    "data": [["q0", "a", "a", True, 0.5, "x"], ["q1", "b", "c", False, None, "y"]],
}
