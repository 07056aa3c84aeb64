"""BEIR's own EvaluateRetrieval, from its wheel, with certus in place of pytrec_eval.

The package needs torch and more, which its evaluation does not; so only the evaluation is imported.
"""

from pathlib import Path
from typing import Any

import pytest
import pytrec_eval
from peer_suites import data, module_of, unpacked

from certus.compat import pytrec_eval as face

CUTOFFS = [1, 3, 5, 10, 100, 1000]


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Any:
    files: Path = unpacked("beir==2.2.0", "wheel", tmp_path_factory.mktemp("beir"))
    return module_of(files, "beir.retrieval.evaluation", beir__retrieval__search__base={"BaseSearch": object})


@pytest.mark.parametrize("seed", range(3))
def test_beir_gives_the_same_with_certus(evaluation: Any, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for tool in (pytrec_eval, face):
        monkeypatch.setattr(evaluation, "pytrec_eval", tool)
        qrels, run = data(seed)
        found.append(evaluation.EvaluateRetrieval.evaluate(qrels, run, CUTOFFS))
    assert found[0] == found[1]
    assert 0 < found[1][0]["NDCG@10"] < 1
