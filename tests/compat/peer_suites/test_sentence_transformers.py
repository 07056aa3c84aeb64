"""The metrics of sentence-transformers' InformationRetrievalEvaluator, from its wheel, beside those of certus.

The evaluator computes its metrics itself, so there is no import to change. The package needs torch,
which the metrics do not; so only their module is imported.
"""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from peer_suites import data, module_of, unpacked

import certus

CUTOFFS = [1, 3, 10, 100]
MEASURES = {
    "accuracy@k": "Success@{}",
    "precision@k": "P@{}",
    "recall@k": "R@{}",
    "mrr@k": "RR@{}",
    "ndcg@k": "nDCG@{}",
    "map@k": "AP(denominator=min)@{}",
}


@pytest.fixture(scope="module")
def evaluator(tmp_path_factory: pytest.TempPathFactory) -> Any:
    files: Path = unpacked("sentence-transformers==6.2.0", "wheel", tmp_path_factory.mktemp("sentence_transformers"))
    module = module_of(
        files,
        "sentence_transformers.sentence_transformer.evaluation.information_retrieval",
        torch={"Tensor": object},
        tqdm={"trange": range},
        sentence_transformers__base__evaluation__evaluator={"BaseEvaluator": object},
        sentence_transformers__util__similarity={"SimilarityFunction": SimpleNamespace},
    )
    return module.InformationRetrievalEvaluator


@pytest.mark.parametrize("seed", range(3))
def test_the_metrics_of_sentence_transformers_are_those_of_certus(evaluator: Any, seed: int) -> None:
    qrels, run = data(seed, missing=0, tied=0)  # it orders tied documents by ascending id
    relevant = {query: {doc for doc, grade in found.items() if grade > 0} for query, found in qrels.items()}
    of = dict.fromkeys(
        ("mrr_at_k", "ndcg_at_k", "accuracy_at_k", "precision_recall_at_k", "map_at_k"),
        CUTOFFS,
    )
    itself = SimpleNamespace(
        queries_ids=list(run),
        queries=list(run),
        relevant_docs=relevant,
        compute_dcg_at_k=evaluator.compute_dcg_at_k,
        **of,
    )
    results = [[{"corpus_id": doc, "score": score} for doc, score in found.items()] for found in run.values()]
    expected = evaluator.compute_metrics(itself, results)
    for name, spelled in MEASURES.items():
        for cutoff in CUTOFFS:
            (found,) = certus.evaluate(relevant, run, spelled.format(cutoff), task="ranking").summary
            assert found.value == pytest.approx(float(expected[name][cutoff]), rel=1e-13), (name, cutoff)
    assert 0 < float(expected["map@k"][10]) < 1
