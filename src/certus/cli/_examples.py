"""An example of each command, for the end of its help."""

__all__ = ["EXAMPLES", "example"]

EXAMPLES = {
    "evaluate": "certus evaluate qrels.txt bm25.run dense.run",
    "compare": "certus compare qrels.txt bm25.run dense.run -m AP",
    "chance": "certus chance ap --items 100 --relevant 5",
    "metrics": "certus metrics nDCG",
    "hits": "certus hits xx--x --population 100",
    "curve": "certus curve qrels.txt bm25.run -m nDCG --at 1-20",
    "pool": "certus pool bm25.run dense.run --depth 100 -o pool.qrels",
    "topics": "certus topics ap.csv --topic topic --value A --value B",
    "trec-eval": "certus trec-eval -m map qrels.txt bm25.run",
    "demo": "certus demo",
    "selfcheck": "certus selfcheck",
    "audit": "certus audit --positives 1000 --checked 200 --hits 170",
    "audit plan": "certus audit plan --positives 1000 --recall 0.8 --half-width 0.03",
    "audit sample": "certus audit sample run.csv --size 300 --seed 7 -o to_check.csv",
    "audit estimate": "certus audit estimate to_check.csv",
    "audit sequence": "certus audit sequence to_check.csv",
    "audit ranking": "certus audit ranking judged.prels bm25.run",
}
"""By the words that call the command."""


def example(path: str) -> str | None:
    """The last line of a command's help; None for a command without an example."""
    line = EXAMPLES.get(path.partition(" ")[2])
    return None if line is None else f"Example: {line}"
