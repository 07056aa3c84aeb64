"""Every metric that trec_eval has, by trec_eval's name, against trec_eval 9.0.8 (pytrec-eval-terrier)."""

import math

import numpy as np
import pytest
import pytrec_eval
from crossed import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from certus import parse
from certus.io import as_qrels
from certus.io.rank import rank
from certus.metrics import declared
from certus.metrics.spellings import TREC_EVAL
from certus.statistic import Mean

# certus's spelling: pytrec_eval's request, and the key of its answer where it differs.
NAMES: dict[str, tuple[str, str]] = {
    **{
        name: (name, name)
        for name in (
            *("map", "Rprec", "bpref", "recip_rank", "11pt_avg", "ndcg", "ndcg_rel", "Rndcg", "infAP", "G", "binG"),
            *("set_P", "set_recall", "set_map", "set_relative_P", "set_F", "utility"),
            *("num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret"),
        )
    },
    **{
        f"{base}_{k}": (f"{base}.{k}", f"{base}_{k}")
        for base in ("P", "recall", "map_cut", "ndcg_cut", "success", "relative_P")
        for k in (1, 3, 5, 20)
    },
    **{f"iprec_at_recall_{r:.2f}": (f"iprec_at_recall.{r}", f"iprec_at_recall_{r:.2f}") for r in (0.0, 0.1, 0.5, 0.7)},
    **{f"Rprec_mult_{m:.2f}": (f"Rprec_mult.{m}", f"Rprec_mult_{m:.2f}") for m in (0.2, 1.0, 1.8)},
    "set_F_0.25": ("set_F.0.25", "set_F"),
    "set_F_4": ("set_F.4", "set_F"),
    # trec_eval's values per query are logarithms here; the plain ones are checked through map and bpref.
    "gm_map": ("gm_map", "gm_map"),
    "gm_bpref": ("gm_bpref", "gm_bpref"),
}

DOCUMENTS = st.sampled_from([f"d{index}" for index in range(12)])
RUNS = st.dictionaries(DOCUMENTS, st.integers(0, 6), min_size=1)
JUDGMENTS = st.dictionaries(DOCUMENTS, st.integers(-1, 3), min_size=1)
# Where a grade is negative or none is positive, trec_eval reads its gains past their end and may never return.
GAINFUL = st.builds(lambda some, one: some | {one: 2}, st.dictionaries(DOCUMENTS, st.integers(0, 3)), DOCUMENTS)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=examples(12, 25))
@given(data=st.data())
def test_a_metric_agrees_with_trec_eval(name: str, data: st.DataObject) -> None:
    judgments = GAINFUL if name.startswith(("ndcg", "Rndcg", "G")) else JUDGMENTS
    queries = data.draw(st.lists(st.tuples(judgments, RUNS), min_size=1, max_size=3))
    qrels = {f"q{index}": judged for index, (judged, _) in enumerate(queries)}
    run = {f"q{index}": {d: float(s) for d, s in found.items()} for index, (_, found) in enumerate(queries)}
    request, key = NAMES[name]
    answers = pytrec_eval.RelevanceEvaluator(qrels, {request}).evaluate(run)
    theirs = np.array([answers[query][key] for query in sorted(qrels)])

    statistic = parse(name).compute(rank(as_qrels(qrels), run).ranking)
    assert isinstance(statistic, Mean)
    if name.startswith("gm_"):
        assert_allclose(np.log(np.maximum(statistic.values, 1e-5)), theirs, rtol=1e-12, atol=1e-12)
        assert_allclose(math.log(statistic.value), theirs.mean(), rtol=1e-12, atol=1e-12)
    else:
        assert_allclose(statistic.values, theirs, rtol=1e-12, atol=1e-15)


def test_every_trec_eval_spelling_is_checked() -> None:
    spellings = [each.text for metric in declared() for each in metric.spelled if each.tool == TREC_EVAL.name]
    roots = {text.partition("{")[0].rstrip("_") for text in spellings}
    assert roots - {"ndcg_cut"} <= {name.rstrip("0123456789.,-").rstrip("_") for name in NAMES} | {"set_F"}
