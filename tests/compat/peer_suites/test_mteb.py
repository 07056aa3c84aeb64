"""MTEB's own scores of retrieval, from its wheel, with certus in place of pytrec_eval.

The package needs torch and more, which these scores do not; so only their module is imported.
"""

from pathlib import Path
from typing import Any, NamedTuple

import pytest
import pytrec_eval
from peer_suites import data, module_of, unpacked

from certus.compat import pytrec_eval as face

CUTOFFS = (1, 3, 5, 10, 20, 100, 1000)


class Result(NamedTuple):
    """The fields of mteb.types.RetrievalEvaluationResult, whose package needs pydantic."""

    all_scores: Any
    ndcg: Any
    map: Any
    recall: Any
    precision: Any
    naucs: Any
    mrr: Any
    naucs_mrr: Any
    hit_rate: Any


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> Any:
    files: Path = unpacked("mteb==2.26.24", "wheel", tmp_path_factory.mktemp("mteb"))
    return module_of(files, "mteb._evaluators.retrieval_metrics", mteb__types={"RetrievalEvaluationResult": Result})


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("skip_first", [False, True])
def test_mteb_gives_the_same_with_certus(
    scores: Any, seed: int, skip_first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for tool in (pytrec_eval, face):
        monkeypatch.setattr(scores, "pytrec_eval", tool)
        qrels, run = data(seed, missing=0)  # MTEB itself fails for a query without judgments
        found.append(scores.calculate_retrieval_scores(run, qrels, CUTOFFS, skip_first))
    assert repr(found[0]) == repr(found[1])  # nAUC may be NaN
    assert len(found[1].all_scores) == 40
    assert 0 < found[1].ndcg["NDCG@10"] < 1
