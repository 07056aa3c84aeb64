"""PyTerrier's own Experiment, from its wheel, with certus as ir_measures' first provider. It needs no Java for this."""

import importlib
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
import pytest
from ir_measures import AP, RR, Bpref, P, R, nDCG
from peer_suites import data, installed

from certus.compat import ir_measures as face

NEEDED = (
    *("pyterrier==1.1.2", "more_itertools", "lz4", "deprecated", "wrapt", "tqdm", "requests", "urllib3", "idna"),
    *("certifi", "charset_normalizer"),
)
MEASURES = [AP, nDCG @ 10, RR, P @ 5, R(rel=2) @ 10, Bpref, "map", "ndcg_cut_10"]


@pytest.fixture(scope="module")
def pyterrier(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = installed(NEEDED, tmp_path_factory.mktemp("pyterrier"))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield importlib.import_module("pyterrier")


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The evaluators that certus has made, once `register` is called; ir_measures is put back afterwards."""
    made = []
    real = face.Provider._evaluator

    def counted(*given: Any) -> Any:
        made.append(given)
        return real(*given)

    monkeypatch.setattr(face.Provider, "_evaluator", counted)
    pipeline = ir_measures.DefaultPipeline
    monkeypatch.setattr(pipeline, "providers", list(pipeline.providers))
    monkeypatch.delitem(ir_measures.providers.registry, face.Provider.NAME, raising=False)
    return made


def frames(seed: int) -> tuple[pd.DataFrame, pd.DataFrame, list[pd.DataFrame]]:
    """Topics, judgments and two runs."""
    qrels, run = data(seed)
    _, other = data(seed + 100)
    judged = [(query, doc, grade) for query, found in qrels.items() for doc, grade in found.items()]
    topics = pd.DataFrame({"qid": list(qrels), "query": "a question"})
    runs = [
        pd.DataFrame(
            [(query, doc, score) for query, found in each.items() for doc, score in found.items()],
            columns=["qid", "docno", "score"],
        )
        for each in (run, other)
    ]
    for each in runs:
        each["rank"] = each.groupby("qid")["score"].rank(ascending=False, method="first") - 1
    return topics, pd.DataFrame(judged, columns=["qid", "docno", "label"]), runs


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("options", [{"baseline": 0}, {"perquery": True}], ids=str)
def test_experiments_give_the_same_with_certus(
    pyterrier: Any, registered: list[Any], seed: int, options: dict[str, Any]
) -> None:
    topics, qrels, runs = frames(seed)

    def experiment() -> pd.DataFrame:
        systems = [pyterrier.Transformer.from_df(run) for run in runs]
        return pyterrier.Experiment(systems, topics, qrels, MEASURES, names=["a", "b"], **options)

    before = experiment()
    assert registered == []
    face.register()
    after = experiment()
    assert len(registered) >= 2
    if "perquery" in options:
        keys = ["name", "qid", "measure"]
        before, after = (each.sort_values(keys, ignore_index=True) for each in (before, after))
    pd.testing.assert_frame_equal(before, after[before.columns], rtol=1e-13, atol=0)
    assert len(before) == 2 if "baseline" in options else len(before) > 400
