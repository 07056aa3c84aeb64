"""Write tests/reference/ranx.json: data, and what ranx computes from them.

ranx compiles for a minute, so the tests read what is stored. To write it anew, install the group bench of
pyproject.toml and run ``python tools/make_ranx_cases.py``.
"""

import importlib.metadata
import json
import random
import tempfile
from pathlib import Path
from typing import Any

import ranx

TARGET = Path(__file__).parents[1] / "tests" / "reference" / "ranx.json"
METRICS = (
    *("hits", "hits@5", "hit_rate@5", "hit_rate", "precision", "precision@5", "precision@100", "recall", "recall@5"),
    *("f1", "f1@5", "r-precision", "mrr", "mrr@5", "map", "map@10", "dcg", "dcg@5", "dcg_burges@10", "ndcg", "ndcg@5"),
    *("ndcg@100", "ndcg_burges@10", "bpref", "hits@10-l2", "precision@5-l2", "recall-l2", "f1@5-l2", "mrr-l3"),
    *("map-l2", "map@10-l3", "ndcg@10-l2", "dcg_burges-l2", "r-precision-l2", "bpref-l2", "hit_rate@1-l2"),
    *("map-l0", "map@5-l0", "map@0", "hits-l0", "hit_rate@1-l0", "precision@5-l0", "recall-l0", "f1@5-l0", "mrr-l0"),
    *("r-precision-l0", "dcg@5-l0", "ndcg-l0", "ndcg_burges@10-l0", "recall@0-l2"),
)
BINARY = (*METRICS[:24], "rbp.95", "rbp.5", "rbp.8")
TIED = {f"d{i:02}": 1.0 for i in range(20)}


def graded(seed: int, grades: tuple[int, ...], queries: int = 8) -> tuple[dict[str, Any], dict[str, Any]]:
    """Judgments with a relevant and a nonrelevant document for each query, and a run without ties."""
    chosen = random.Random(seed)
    qrels, run = {}, {}
    for query in (f"q{i}" for i in range(queries)):
        docs = [f"d{i}" for i in chosen.sample(range(40), 18)]
        scores = chosen.sample(range(100), 14)
        qrels[query] = {doc: chosen.choice(grades) for doc in docs[:9]} | {docs[0]: max(grades), docs[1]: 0}
        run[query] = {doc: score / 8 for doc, score in zip(docs[4:], scores, strict=True)}
    return qrels, run


def values(qrels: dict[str, Any], run: dict[str, Any], metrics: tuple[str, ...]) -> dict[str, list[float]]:
    """Values of queries, by metric."""
    found = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), list(metrics), return_mean=False)
    return {metric: list(map(float, column)) for metric, column in found.items()}


def mean(qrels: dict[str, Any], run: dict[str, Any], metric: str, plain: bool = False) -> float:
    """The mean of a metric, of objects or of plain dicts."""
    return float(
        ranx.evaluate(qrels, run, metric) if plain else ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), metric)
    )


def wrong() -> dict[str, Any]:
    """Numbers of ranx that are not right."""
    one, two = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q2": {"b": 1.0}, "q1": {"a": 1.0}}
    tied = {"q": {"d03": 1}}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.trec")
        path.write_text("q Q0 a 1 3 r\nq Q0 b 2 2 r\nq Q0 a 3 1 r\n")
        twice = ranx.Run.from_file(str(path)).to_dict()["q"]
    better = ranx.Run({f"q{i:02}": {"a": 2.0, "b": 1.0} for i in range(40)}, name="better")
    worse = ranx.Run({f"q{i:02}": {"a": 1.0, "b": 2.0} for i in range(40)}, name="worse")
    same = ranx.Run({f"q{i:02}": {"a": 1.0, "b": 2.0} for i in range(40)}, name="same")
    qrels = ranx.Qrels({f"q{i:02}": {"a": 1, "b": 0} for i in range(40)})
    fisher = ranx.compare(qrels, [better, worse], "map", stat_test="fisher").to_dict()
    student = ranx.compare(qrels, [same, worse], "map").to_dict()
    return {
        "graded rank-biased precision": mean({"q": {"a": 3}}, {"q": {"a": 1.0}}, "rbp.5"),
        "dicts in different orders": mean(one, two, "map", plain=True),
        "bpref without nonrelevant": str(mean({"q": {"a": 1}}, {"q": {"a": 1.0}}, "bpref")),
        "bpref with a negative grade": mean({"q": {"a": 1, "b": -1}}, {"q": {"b": 2.0, "a": 1.0}}, "bpref"),
        "tied, ids rising": mean(tied, {"q": TIED}, "mrr"),
        "tied, ids falling": mean(tied, {"q": dict(reversed(TIED.items()))}, "mrr"),
        "a document twice in a file": {doc: float(score) for doc, score in twice.items()},
        "p of 40 wins of 40": float(fisher["better"]["comparisons"]["worse"]["map"]),
        "p of equal runs": str(float(student["same"]["comparisons"]["worse"]["map"])),
    }


def compared() -> dict[str, Any]:
    """Three runs and what the paired t-test says of them."""
    qrels, first = graded(5, (0, 1, 2), 12)
    second, third = (graded(seed, (0, 1), 12)[1] for seed in (6, 7))
    blended = {  # scores are eighths: a sixteenth more, and nothing is tied
        query: {**second[query], **{doc: score + 1 / 16 for doc, score in list(found.items())[:7]}}
        for query, found in first.items()
    }
    runs = {"first": first, "blended": blended, "third": third}
    metrics = ["map", "ndcg@5", "precision@3"]
    found = ranx.compare(
        ranx.Qrels(qrels), [ranx.Run(run, name=name) for name, run in runs.items()], metrics, max_p=0.05
    )
    fisher = ranx.compare(
        ranx.Qrels(qrels),
        [ranx.Run(run, name=name) for name, run in runs.items()],
        metrics,
        stat_test="fisher",
        n_permutations=100_000,
    )
    return {
        "qrels": qrels,
        "runs": runs,
        "student": found.to_dict(),
        "fisher": fisher.to_dict(),
        "table": found.to_table(),
    }


def main() -> None:
    """Write the file."""
    cases = []
    for seed, grades, metrics in ((1, (0, 1, 2, 3), METRICS), (2, (0, 0, 1, 4), METRICS), (3, (0, 1), BINARY)):
        qrels, run = graded(seed, grades)
        cases.append({"qrels": qrels, "run": run, "values": values(qrels, run, metrics)})
    made = {
        "ranx": importlib.metadata.version("ranx"),
        "cases": cases,
        "wrong": wrong(),
        "compared": compared(),
    }
    TARGET.write_text(json.dumps(made, indent=None, separators=(",", ":"), ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
