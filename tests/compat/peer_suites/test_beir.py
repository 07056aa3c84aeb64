"""BEIR's own EvaluateRetrieval, from its wheel, with certus in place of pytrec_eval.

The package needs torch and more, which its evaluation does not; so only the evaluation is imported.
"""

import importlib
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import pytrec_eval
from peer_suites import unpacked

from certus.compat import pytrec_eval as face

CUTOFFS = [1, 3, 5, 10, 100, 1000]


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Any:
    files: Path = unpacked("beir==2.2.0", "wheel", tmp_path_factory.mktemp("beir"))
    package = ModuleType("beir")
    package.__path__ = [str(files / "beir")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "beir", package)
        return importlib.import_module("beir.retrieval.evaluation")


def data(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Grades, ties, unjudged documents, documents with the query's own id, queries missing on either side."""
    chosen = random.Random(seed)
    qrels, run = {}, {}
    for query in map(str, range(40)):
        documents = [str(i) for i in chosen.sample(range(400), 120)]
        if chosen.random() < 0.9:
            qrels[query] = {doc: chosen.choice((0, 1, 1, 2, 3)) for doc in documents[:15]}
        if chosen.random() < 0.9:
            run[query] = {doc: chosen.choice((1.0, chosen.random())) for doc in [query, *documents[5:]]}
    return qrels, run


@pytest.mark.parametrize("seed", range(3))
def test_beir_gives_the_same_with_certus(evaluation: Any, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for tool in (pytrec_eval, face):
        monkeypatch.setattr(evaluation, "pytrec_eval", tool)
        qrels, run = data(seed)
        found.append(evaluation.EvaluateRetrieval.evaluate(qrels, run, CUTOFFS))
    assert found[0] == found[1]
    assert 0 < found[1][0]["NDCG@10"] < 1
