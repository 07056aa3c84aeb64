"""Shared files of results of evaluation tools, in the formats that they write."""

import json
from pathlib import Path
from typing import Any

from net.draw import Draw

__all__ = ["LOGS", "write_logs"]

LOGS = ("deep-0.json", "deep-1.json", "foo.json", "samples_0.jsonl", "samples_1.jsonl", "swe-0.json", "swe-1.json")


def write_logs(folder: Path, draw: Draw) -> None:
    """Write them: two systems each, on the same items."""
    for index in range(2):
        cases = [
            {
                "name": f"t{i}",
                "success": draw.chance(0.6),
                "metricsData": [{"name": "tone", "score": draw.random()}],
                "b": "xy"[i % 2],
                "g": i // 2,
            }
            for i in range(12)
        ]
        (folder / f"deep-{index}.json").write_text(json.dumps({"testCases": cases, "identifier": f"deep-{index}"}))
        (folder / f"samples_{index}.jsonl").write_text("".join(json.dumps(_sample(draw, i)) + "\n" for i in range(12)))
        ids = [f"a__a-{i}" for i in range(9)]
        right = [name for name in ids if draw.chance(0.5)]
        report = {
            "total_instances": 9,
            "resolved_instances": len(right),
            "completed_ids": ids,
            "incomplete_ids": [],
            "empty_patch_ids": [],
            "submitted_ids": ids,
            "resolved_ids": right,
            "unresolved_ids": [name for name in ids if name not in right],
            "error_ids": [],
            "schema_version": 2,
        }
        (folder / f"swe-{index}.json").write_text(json.dumps(report))
    results = [_case(draw, provider, test) for provider in ("a:x", "a:y") for test in range(10)]
    whole = {"evalId": "e", "results": {"version": 3, "results": results, "stats": {}}, "config": {}}
    (folder / "foo.json").write_text(json.dumps(whole))


def _sample(draw: Draw, index: int) -> dict[str, Any]:
    """A line of lm-evaluation-harness."""
    return {
        "doc_id": index,
        "doc": {"question": f"q{index}"},
        "target": "4",
        "arguments": {"gen_args_0": {"arg_0": "?"}},
        "resps": [["4"]],
        "filtered_resps": ["4"],
        "filter": "none",
        "metrics": ["exact_match"],
        "doc_hash": f"{index:02}" * 32,
        "prompt_hash": "p",
        "target_hash": "t",
        "exact_match": float(draw.chance(0.6)),
    }


def _case(draw: Draw, provider: str, test: int) -> dict[str, Any]:
    """A result of promptfoo."""
    right = draw.chance(0.6)
    return {
        "promptIdx": 0,
        "testIdx": test,
        "provider": {"id": provider, "label": ""},
        "prompt": {"raw": "Say {{x}}", "label": "Say {{x}}"},
        "vars": {"x": "ab"[test % 2]},
        "testCase": {"vars": {"x": "ab"[test % 2]}, "assert": [{"type": "contains"}]},
        "success": right,
        "score": round(draw.random(), 2),
        "namedScores": {"tone": 0.25},
        "failureReason": 0 if right else 1,
    }
