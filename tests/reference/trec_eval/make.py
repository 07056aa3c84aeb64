"""Write the files beside this one: judgments, a run, and what trec_eval 9.0.8 prints for them.

The values come from trec_eval 9.0.8 as the wheel pytrec-eval-terrier 0.5.11 holds it; tests/trec_eval_oracle.py
puts them into lines. From the root of the repository:
``PYTHONPATH=tests python tests/reference/trec_eval/make.py``
"""

import random
import shlex
from pathlib import Path

from trec_eval_oracle import ALL_TREC, Data, printed

HERE = Path(__file__).parent
OFFICIAL = (*ALL_TREC[:12],)
SET = (*ALL_TREC[:5], "utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F")
SINGLE = ("P.3,7", "ndcg_cut.10", "iprec_at_recall.0.25,.5", "utility.2,-1,0.5,0", "ndcg.1=3,2=9", "relstring.20")


def data() -> Data:
    """Twelve queries with grades from -1 to 3, many equal scores, one query missing on each side."""
    chance = random.Random(2003)
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for query in (str(number) for number in range(301, 313)):
        documents = [f"doc{number:03d}" for number in chance.sample(range(400), 40)]
        qrels[query] = dict(zip(documents, chance.choices((-1, 0, 0, 0, 1, 1, 2, 3), k=40), strict=True))
        retrieved = documents[::2] + [f"other{number:03d}" for number in chance.sample(range(400), 30)]
        run[query] = {doc: chance.choice((9.5, 8.25, round(chance.uniform(0, 10), 3))) for doc in retrieved}
    del qrels["307"], run["309"]
    return Data(qrels, run)


def main() -> None:
    """Write every file again."""
    made = data()
    judged = [f"{query} 0 {doc} {grade}" for query, docs in made.qrels.items() for doc, grade in docs.items()]
    found = [f"{query} Q0 {doc} 1 {score} made" for query, docs in made.run.items() for doc, score in docs.items()]
    (HERE / "qrels.txt").write_text("\n".join(judged) + "\n")
    (HERE / "run.txt").write_text("\n".join(found) + "\n")
    outputs = {
        "official": ("-q", printed(made, OFFICIAL, "made")),
        "all": ("-q -m all_trec", printed(made, ALL_TREC, "made")),
        "complete": ("-q -c -m all_trec", printed(made, ALL_TREC, "made", complete=True)),
        "level": ("-q -l 2 -m all_trec", printed(made, ALL_TREC, "made", rel=2)),
        "judged": ("-q -J -m all_trec", printed(made, ALL_TREC, "made", judged_only=True)),
        "set": ("-q -m set", printed(made, SET, "made")),
        "single": (f"-q {' '.join(f'-m {measure}' for measure in SINGLE)}", printed(made, SINGLE, "made")),
    }
    for name, (flags, lines) in outputs.items():
        command = shlex.join(["trec_eval", *flags.split()])
        (HERE / f"{name}.out").write_text("\n".join([f"# {command}", *lines]) + "\n")


if __name__ == "__main__":
    main()
