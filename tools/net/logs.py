"""Results of evaluation tools, in the formats that they write."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from net.draw import Draw

__all__ = ["TOOLS", "write_logs"]

Rows = list[dict[str, Any]]


def write_logs(folder: Path, draw: Draw) -> None:
    """Shared files of six tools: of four of them two systems each, on the same items."""
    import pyarrow as pa
    from pyarrow import parquet

    for index in range(2):
        run = {**_deepeval(draw, 12), "identifier": f"deep-{index}"}
        (folder / f"deep-{index}.json").write_text(json.dumps(run))
        lines = "".join(json.dumps(row) + "\n" for row in _lm_eval(draw, 12))
        (folder / f"samples_{index}.jsonl").write_text(lines)
        (folder / f"swe-{index}.json").write_text(json.dumps(_swe_bench(draw, 9)))
    (folder / "foo.json").write_text(json.dumps(_promptfoo(draw, 10)))
    log = {**_inspect(draw), "status": "success"}
    samples = log.pop("samples")
    with zipfile.ZipFile(folder / "log.eval", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(log))
        archive.writestr("summaries.json", json.dumps(samples), zipfile.ZIP_STORED)
        for sample in samples:
            archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
    rows = [
        {"doc": {"id": str(i), "query": f"q{i}"}, "metric": {"em": float(i % 2), "f1": draw.random()}} for i in range(6)
    ]
    parquet.write_table(pa.Table.from_pylist(rows), folder / "details.parquet")


def _deepeval(draw: Draw, n: int = 4) -> dict[str, Any]:
    cases = [
        {
            "name": f"t{i}",
            "success": draw.chance(0.6),
            "metricsData": [{"name": "tone", "score": draw.random()}],
            "b": "xy"[i % 2],
            "g": i // 2,
        }
        for i in range(n)
    ]
    return {"testCases": cases, "identifier": "deep"}


def _lm_eval(draw: Draw, n: int = 4) -> Rows:
    filters = ["none"] if n > 4 or draw.chance(0.6) else ["strict", "flexible"]
    return [
        {
            "doc_id": index,
            "doc": {"question": f"q{index}"},
            "target": "4",
            "arguments": {"gen_args_0": {"arg_0": "?"}},
            "resps": [["4"]],
            "filtered_resps": ["4"],
            "filter": name,
            "metrics": ["exact_match"],
            "doc_hash": f"{index:02}" * 32,
            "prompt_hash": "p",
            "target_hash": "t",
            "exact_match": float(draw.chance(0.6)),
        }
        for name in filters
        for index in range(n)
    ]


def _swe_bench(draw: Draw, n: int = 4) -> dict[str, Any]:
    ids = [f"a__a-{i}" for i in range(n)]
    right = [name for name in ids if draw.chance(0.5)]
    wrong = [name for name in ids if name not in right]
    spare = wrong[:1] if n < 9 and draw.chance(0.5) else []
    return {
        "total_instances": n,
        "resolved_instances": len(right),
        "completed_ids": ids,
        "incomplete_ids": [],
        "empty_patch_ids": [],
        "submitted_ids": [*ids, *(["b__b-1"] if n < 9 and draw.chance(0.3) else [])],
        "resolved_ids": right,
        "unresolved_ids": [name for name in wrong if name not in spare],
        "error_ids": spare,
        "schema_version": 2,
    }


def _promptfoo(draw: Draw, n: int = 4) -> dict[str, Any]:
    prompts = 1 if n > 4 or draw.chance(0.7) else 2
    results = [
        _case(draw, provider, prompt, test)
        for provider in ("a:x", "a:y")
        for prompt in range(prompts)
        for test in range(n)
    ]
    right = sum(each["success"] for each in results)
    stats = {"successes": right, "failures": len(results) - right + draw.choice((0, 0, 0, -1, 1)), "errors": 0}
    return {
        "evalId": "e",
        "results": {"version": 3, "results": results, "stats": stats if n < 10 and draw.chance(0.7) else {}},
        "config": {},
    }


def _case(draw: Draw, provider: str, prompt: int, test: int) -> dict[str, Any]:
    right = draw.chance(0.6)
    return {
        "promptIdx": prompt,
        "testIdx": test,
        "provider": {"id": provider, "label": ""},
        "prompt": {"raw": f"Say {{{{x}}}} {prompt}", "label": f"Say {{{{x}}}} {prompt}"},
        "vars": {"x": "ab"[test % 2]},
        "testCase": {"vars": {"x": "ab"[test % 2]}, "assert": [{"type": "contains"}]},
        "success": right,
        "score": round(draw.random(), 2),
        "namedScores": {"tone": 0.25},
        "failureReason": 0 if right else draw.choice((1, 1, 2)),
    }


def _inspect(draw: Draw) -> dict[str, Any]:
    epochs = draw.choice((1, 1, 2))
    samples = [
        {
            "id": i,
            "epoch": epoch,
            "b": "xy"[i % 2],
            "scores": {"match": {"value": draw.choice("CCINP")}, "size": {"value": {"a": i, "c": 0.5}}},
        }
        for i in range(4)
        for epoch in range(1, epochs + 1)
    ]
    if draw.chance(0.3):
        samples[0] |= {"scores": {}, "error": {"message": "late"}}
    return {
        "version": 2,
        "status": draw.choice(("success",) * 6 + ("error", "cancelled")),
        "eval": {
            "task": "t",
            "model": "m",
            "config": {"epochs": epochs, "epochs_reducer": draw.choice((["mean"], ["mode"]))},
        },
        "plan": {},
        "results": {"total_samples": len(samples), "completed_samples": len(samples)},
        "samples": samples,
    }


def _langsmith(draw: Draw) -> Rows:
    return [
        {
            "example_id": f"e{i % 5}",
            "inputs.x": "ab"[i % 2],
            "feedback.right": draw.randint(0, 1),
            "feedback.tone": draw.choice((0.5, 0.25, None)),
        }
        for i in range(6)
    ]


def _phoenix(draw: Draw) -> Rows:
    return [
        {
            "example_id": f"e{i // 2}",
            "repetition_number": i % 2 + 1,
            "annotation_tone_score": round(draw.random(), 2),
            "x": "ab"[i % 2],
        }
        for i in range(6)
    ]


def _langfuse(draw: Draw) -> Rows:
    return [
        {
            "name": draw.choice(("tone", "right")),
            "value": round(draw.random(), 2),
            "source": "API",
            "traceId": f"t{i}" if draw.chance(0.9) else "",
            "dataType": draw.choice(("NUMERIC", "NUMERIC", "BOOLEAN", "CATEGORICAL")),
            "datasetRunId": "r" if draw.chance(0.3) else "",
        }
        for i in range(6)
    ]


def _ragas(draw: Draw) -> Rows:
    return [
        {"user_input": f"q{i % 5}", "response": "a", "tone": round(draw.random(), 2), "kind": draw.choice("ab")}
        for i in range(6)
    ]


def _mlflow(draw: Draw) -> dict[str, Any]:
    rows = [[f"q{i}", "a", draw.choice((True, False, "yes", "unknown")), draw.choice((0.5, None, 1))] for i in range(5)]
    return {"columns": [draw.choice(("inputs", "other")), "outputs", "right/score", "tone/v1/score"], "data": rows}


def _certus(draw: Draw) -> dict[str, Any]:
    values = [round(draw.random(), 2) for _ in range(5)]
    rows: Rows = [{"run": "m", "metric": "AP", "value": sum(values) / 5}]
    rows += [{"run": "m", "metric": "AP", "value": value, "query": f"q{i}"} for i, value in enumerate(values)]
    signature = {"certus": "0.1.0", "task": "ranking", "queries": "judged", "inputs": {"qrels": "x"}}
    return {"signature": signature, "rows": rows}


TOOLS: dict[str, tuple[str, Callable[[Draw], Any]]] = {
    "certus": (".json", _certus),
    "deepeval": (".json", _deepeval),
    "inspect": (".json", _inspect),
    "langfuse": (".csv", _langfuse),
    "langsmith": (".csv", _langsmith),
    "lm_eval": (".jsonl", _lm_eval),
    "mlflow": (".json", _mlflow),
    "phoenix": (".csv", _phoenix),
    "promptfoo": (".json", _promptfoo),
    "ragas": (".csv", _ragas),
    "swe_bench": (".json", _swe_bench),
}
"""By tool the suffix of its files, and what is in one."""
