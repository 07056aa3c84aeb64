"""bpref and infAP, by hand and by the example of reference R2."""

import certus

RANKING = certus.ranking

# R2: ten documents; 2, 5 and 7 are relevant, 3 and 4 were not judged.
QRELS = {"q": {f"d{n:02}": int(n in (2, 5, 7)) for n in range(1, 11) if n not in (3, 4)}}
RUN = {"q": {f"d{n:02}": -n for n in range(1, 11)}}


def test_r2_bpref() -> None:
    expected = ((1 - 1 / 3) + (1 - 1 / 3) + (1 - 2 / 3)) / 3
    assert abs(RANKING.bpref(QRELS, RUN).value - expected) < 1e-15


def test_bpref_does_not_see_unjudged_documents() -> None:
    without = {"q": {doc: score for doc, score in RUN["q"].items() if doc not in ("d03", "d04")}}
    assert RANKING.bpref(QRELS, without).value == RANKING.bpref(QRELS, RUN).value


def test_bpref_divides_by_the_fewer_of_both_kinds() -> None:
    # Three relevant, one judged non-relevant document, which stands above two of them.
    qrels = {"q": {"a": 1, "b": 0, "c": 1, "d": 1}}
    run = {"q": {"a": 4, "b": 3, "c": 2, "d": 1}}
    assert abs(RANKING.bpref(qrels, run).value - (1 + (1 - 1 / 1) + (1 - 1 / 1)) / 3) < 1e-15


def test_inferred_ap_counts_a_sampled_pool() -> None:
    # Rank 1 non-relevant, 2 in the pool but not judged (grade -1), 3 outside the pool, 4 relevant.
    qrels = {"q": {"a": 0, "b": -1, "d": 1}}
    run = {"q": {"a": 4, "b": 3, "c": 2, "d": 1}}
    e = 0.00001
    expected = 1 / 4 + (3 / 4) * (2 / 3) * (0 + e) / (0 + 1 + 2 * e)
    assert abs(RANKING.inf_ap(qrels, run).value - expected) < 1e-15
