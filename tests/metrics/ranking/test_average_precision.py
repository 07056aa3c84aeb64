"""Average precision, by the arithmetic of references R2 and R4."""

import certus

# R2: six relevant documents; five are retrieved, at ranks 1, 2, 5, 10 and 20.
QRELS = {"q": {"d01": 1, "d02": 1, "d05": 1, "d10": 1, "d20": 1, "missed": 1}}
RUN = {"q": {f"d{rank:02}": -float(rank) for rank in range(1, 21)}}


def test_r2_average_precision_without_interpolation() -> None:
    assert certus.ranking.average_precision(QRELS, RUN).value == (1 / 1 + 2 / 2 + 3 / 5 + 4 / 10 + 5 / 20 + 0) / 6


def test_r2_average_precision_over_returned_relevant_only() -> None:
    value = certus.ranking.average_precision(QRELS, RUN, denominator="hits").value
    assert value == (1 / 1 + 2 / 2 + 3 / 5 + 4 / 10 + 5 / 20) / 5


def test_r2_interpolated_average_precision_is_the_eleven_point_average() -> None:
    # Recall 1/6, 2/6, 3/6, 4/6, 5/6 is reached with precision 1, 1, 3/5, 4/10, 5/20.
    levels = [1, 1, 1, 1, 3 / 5, 3 / 5, 4 / 10, 5 / 20, 5 / 20, 0, 0]
    value = certus.ranking.eleven_point_average_precision(QRELS, RUN).value
    assert abs(value - sum(levels) / 11) < 1e-15
    each = [certus.ranking.interpolated_precision(QRELS, RUN, recall=k / 10).value for k in range(11)]
    assert each == levels


def test_r2_map_over_two_topics() -> None:
    qrels = {
        "topic 1": dict.fromkeys(["d1", "d2", "d4", "d7"], 1),
        "topic 2": dict.fromkeys(["d1", "d3", "d5", "x", "y"], 1),
    }
    run = {query: {f"d{rank}": -rank for rank in range(1, 10)} for query in qrels}
    first = (1 / 1 + 2 / 2 + 3 / 4 + 4 / 7) / 4
    second = (1 / 1 + 2 / 3 + 3 / 5 + 0 + 0) / 5
    value = certus.ranking.average_precision(qrels, run).value
    assert abs(value - (first + second) / 2) < 1e-15
    assert round(value, 2) == 0.64


# R4: premises a, b and c are useful; the model ranks x, a, y, b, c, z.
USEFUL = {"g": {"a": 1, "b": 1, "c": 1}}
RANKED = {"g": dict(zip("xaybcz", range(6, 0, -1), strict=True))}


def test_r4_average_precision_is_the_area_under_the_precision_recall_function() -> None:
    # Recall grows by 1/3 at ranks 2, 4 and 5, where precision is 1/2, 2/4 and 3/5.
    area = (1 / 2) * (1 / 3) + (2 / 4) * (1 / 3) + (3 / 5) * (1 / 3)
    assert abs(certus.ranking.average_precision(USEFUL, RANKED).value - area) < 1e-15


def test_r4_ap_at_k_divides_by_the_hits_so_far() -> None:
    at_four = {
        way: certus.ranking.average_precision(USEFUL, RANKED, cutoff=4, denominator=way).value
        for way in ("relevant", "min", "hits")
    }
    assert at_four == {"relevant": (1 / 2 + 2 / 4) / 3, "min": (1 / 2 + 2 / 4) / 3, "hits": (1 / 2 + 2 / 4) / 2}
    assert certus.ranking.average_precision(USEFUL, RANKED, cutoff=2, denominator="min").value == (1 / 2) / 2
    assert certus.ranking.average_precision(USEFUL, RANKED, cutoff=1, denominator="hits").value == 0


def test_r2_geometric_map_sees_the_hard_topic() -> None:
    # Average precision is k/100 when the first k of 100 relevant documents are all that is retrieved.
    systems = {"A": {"1": 2, "2": 3, "3": 29}, "B": {"1": 8, "2": 4, "3": 20}}
    qrels = {topic: {f"d{index:03}": 1 for index in range(100)} for topic in "123"}
    maps, gmaps = [], []
    for found in systems.values():
        run = {topic: {f"d{index:03}": -index for index in range(k)} for topic, k in found.items()}
        maps.append(round(certus.ranking.average_precision(qrels, run).value, 3))
        gmaps.append(round(certus.ranking.geometric_map(qrels, run).value, 3))
    assert maps == [0.113, 0.107]
    assert gmaps == [0.056, 0.086]


def test_geometric_map_floors_a_zero_as_trec_eval_does() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    run = {"1": {"a": 1}, "2": {"b": 1}}
    assert abs(certus.ranking.geometric_map(qrels, run).value - (1 * 0.00001) ** 0.5) < 1e-15
    assert abs(certus.ranking.geometric_map(qrels, run, floor=0.01).value - 0.1) < 1e-15
