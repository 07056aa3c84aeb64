"""The demo data that ships with the package."""

import csv
import gzip
from collections import Counter, defaultdict
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "src" / "certus" / "demo"
RUNS = ["bm25", "names", "tfidf"]


def fields(name: str) -> list[list[str]]:
    with gzip.open(FOLDER / name, "rt", encoding="utf-8") as file:
        return [line.split() for line in file]


def test_the_demo_data_is_small_and_large_enough() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 1_000_000
    assert len({row[0] for row in fields("qrels.txt.gz")}) >= 300


def test_every_query_has_one_known_item_and_judged_documents_that_are_not_relevant() -> None:
    grades: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for query, _, _, grade in fields("qrels.txt.gz"):
        grades[query][int(grade)] += 1
    assert all(counts[2] == 1 for counts in grades.values())
    assert all(set(counts) <= {0, 1, 2} for counts in grades.values())
    assert sum(counts[0] > 0 for counts in grades.values()) > 0.9 * len(grades)


@pytest.mark.parametrize("run", RUNS)
def test_a_run_is_in_rank_order_and_names_no_document_twice(run: str) -> None:
    lists: defaultdict[str, list[tuple[int, float, str]]] = defaultdict(list)
    for query, _, document, rank, score, tag in fields(f"{run}.run.gz"):
        assert tag == run
        lists[query].append((int(rank), -float(score), document))
    assert set(lists) == {row[0] for row in fields("qrels.txt.gz")}
    for rows in lists.values():
        assert [rank for rank, _, _ in rows] == list(range(1, len(rows) + 1))
        assert [row[1:] for row in rows] == sorted(row[1:] for row in rows)
        assert len({document for _, _, document in rows}) == len(rows)


@pytest.mark.parametrize("name", ["qrels.txt.gz", *(f"{run}.run.gz" for run in RUNS)])
def test_the_files_hold_no_time_of_making(name: str) -> None:
    assert (FOLDER / name).read_bytes()[4:8] == bytes(4)


def test_the_predictions_follow_from_their_scores() -> None:
    with (FOLDER / "predictions.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 1500
    assert Counter(row["truth"] for row in rows) == {"type": 491, "function": 1009}
    assert all(row["prediction"] == ("type" if float(row["score"]) >= 0.5 else "function") for row in rows)
    assert all(0 < float(row["score"]) < 1 and row["package"] for row in rows)
