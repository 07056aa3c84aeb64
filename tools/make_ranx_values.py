"""Write tests/reference/ranx/values.json: ranx's own values of all its metrics on small generated runs.

ranx needs numba, so it is not a tool of the tests. In an environment of its own::

    python -m venv ranx-env && ranx-env/bin/pip install ranx==0.3.21
    ranx-env/bin/python tools/make_ranx_values.py
"""

import json
import random
from importlib.metadata import version
from pathlib import Path

FILE = Path(__file__).resolve().parents[1] / "tests" / "reference" / "ranx" / "values.json"
WITH_CUTOFF = (
    "hits",
    "hit_rate",
    "precision",
    "recall",
    "f1",
    "mrr",
    "map",
    "dcg",
    "dcg_burges",
    "ndcg",
    "ndcg_burges",
)
NAMES = [
    *(f"{name}{at}" for name in WITH_CUTOFF for at in ("", "@3", "@10")),
    "r-precision",
    "bpref",
    "rbp.95",
    "rbp.5",
]
LEVELS = [f"{name}-l2" for name in ("precision@3", "map", "mrr", "f1", "ndcg@3", "ndcg_burges", "dcg", "hits@3")]


def generated(seed: int, highest: int, *, tied: bool) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Judgments up to a highest grade, and a run, of which some queries lack judged or relevant documents."""
    draw = random.Random(seed)
    qrels, run = {}, {}
    for query in range(12):
        documents = [f"d{index:02}" for index in range(draw.randint(2, 20))]
        judged = draw.sample(documents, draw.randint(1, len(documents)))
        qrels[f"q{query:02}"] = {document: draw.randint(0, highest) for document in judged}
        found = draw.sample(documents, draw.randint(1, len(documents)))
        scores = [float(draw.randint(0, 3)) for _ in found] if tied else draw.sample(range(100), len(found))
        run[f"q{query:02}"] = {document: float(score) for document, score in zip(found, scores, strict=True)}
    return qrels, run


def main() -> None:
    """Write the file."""
    from ranx import Qrels, Run, evaluate

    cases = []
    for seed, (highest, tied) in enumerate([(1, False), (3, False), (1, True), (3, True)]):
        qrels, run = generated(seed, highest, tied=tied)
        judged, ranked = Qrels(qrels), Run(run)
        values = {}
        for name in [*NAMES, *LEVELS]:
            found = evaluate(judged, ranked, name, return_mean=False).tolist()
            values[name] = [value if value == value and abs(value) != float("inf") else None for value in found]
        # The run in the order that ranx's sort gave it, which decides among documents of equal scores.
        run = {query: dict(found) for query, found in ranked.to_dict().items()}
        cases.append({"highest": highest, "tied": tied, "qrels": qrels, "run": run, "values": values})
    FILE.parent.mkdir(parents=True, exist_ok=True)
    made = {"ranx": version("ranx"), "command": "python tools/make_ranx_values.py", "cases": cases}
    FILE.write_text(json.dumps(made) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
