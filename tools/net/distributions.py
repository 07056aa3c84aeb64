"""Random calls of chance laws and hit lists, audits, curves, agreement and pools."""

from typing import Any

from net.calls import Program, attribute, call, method, pairs
from net.draw import LEVELS, Draw
from net.evaluations import shapes
from net.metrics import Catalogue

__all__ = ["agreed", "audited", "curved", "hit_list", "law", "pooled"]


def law(draw: Draw, _: Catalogue) -> Program:
    """A law under chance at some points."""
    items = draw.choice((4, 12, 30, 100, 400))
    relevant = draw.randint(1, min(items, draw.choice((3, 10, 30))))
    cutoff = draw.randint(1, items)
    if draw.chance(0.1):
        items, cutoff = draw.choice((10_000, 10_000_000)), draw.choice((10, 1_000))
    many = draw.choice((40, 40, 300, 2_000))
    few = {40: (6, 3), 300: (20, 10), 2_000: (20, 10)}[many]
    high = (draw.randint(150, 300), draw.randint(50, 150)) if many == 2_000 and draw.chance(0.6) else None
    grades = pairs({0: draw.randint(2, many), 1: draw.randint(1, few[0]), 2: draw.randint(0, few[1])})
    if high is not None:  # sums that the inversion takes in groups of ranks
        grades = pairs({0: many, 1: high[0], 2: high[1]})
    optional: list[Any] = [] if draw.chance(0.6) else [cutoff]
    rank = [] if high is not None else optional or ([draw.choice((5, 20))] if many > 40 else [])
    arguments: dict[str, list[Any]] = {
        "auc": [draw.randint(1, 60), draw.randint(1, 60)],
        "average_precision": [items, relevant, *optional],
        "dcg": [grades, *rank],
        "ndcg": [grades, *rank],
        "hit_rank": [items, relevant, draw.randint(1, relevant)],
        "hits": [items, relevant, cutoff],
        "list_score": [min(items, 30), min(relevant, 12)],
        "precision": [items, relevant, cutoff],
        "r_precision": [items, relevant],
        "rbp": [items, relevant, draw.choice((0.5, 0.8, 0.95)), *optional],
        "recall": [items, relevant, cutoff],
        "reciprocal_rank": [items, relevant, *optional],
        "success": [items, relevant, cutoff],
        "bpref": [],
    }
    large = ("hits", "precision", "recall", "success", "reciprocal_rank", "r_precision", "reciprocal_rank")
    name = draw.choice(large if items > 1_000 else sorted(arguments))
    name = draw.choice(("dcg", "ndcg")) if high is not None and draw.chance(0.4) else name
    keywords: dict[str, Any] = {}
    if name in ("dcg", "ndcg"):
        keywords = draw.maybe(0.3, gain=("exp", "linear"))
    if name == "bpref":
        keywords = {"relevant": relevant, "nonrelevant": draw.randint(1, 30)}
    if name == "average_precision":
        keywords = draw.maybe(0.2, denominator=("min", "hits")) | draw.maybe(
            0.1, total=relevant + 2, engine=("fourier", "enumeration")
        )
    if name == "auc" and draw.chance(0.3):
        left, ties = sum(arguments["auc"]), []
        while left:
            ties.append(draw.randint(1, left))
            left -= ties[-1]
        arguments["auc"].append(ties)
    program = Program(f"chance {name}")
    if draw.chance(0.05):  # an integral over the later ranks; random rankings, a second for each answer
        if draw.chance(0.5):
            found = program.step(call("chance.reciprocal_rank", draw.choice((3_000_000, 10**7)), draw.randint(1, 4)))
        else:
            steep = pairs({0: 30} | dict.fromkeys(range(1, 21), 3))
            found = program.step(call("chance.dcg", steep, 5), show=False)
            program.step(method(found, draw.choice(("isf", "ppf")), draw.choice((1e-6, 0.5))))
        return program
    found = program.step(call(f"chance.{name}", *arguments[name], **keywords))
    at = program.step(method(found, draw.choice(("ppf", "isf")), draw.choice((1e-6, 1e-6, 0.05, 0.5, 0.99))))
    value: Any = draw.choice((0.0, 0.1, 0.35, 0.5, 0.9, 1.0, 2.0, at, at, at))
    program.step(method(found, draw.choice(("tail", "sf", "cdf", "pmf", "logsf", "logtail")), value))
    if draw.chance(0.2):
        program.step(method(found, "interval", draw.choice(LEVELS)))
        program.step(method(found, "rvs", 3, seed=draw.randrange(3)))
    if draw.chance(0.15) and items <= 100:
        other = call("chance.r_precision", items, relevant)
        options = draw.maybe(0.5, weights=[1.0, 3.0])
        program.step(call("chance.mean_of", [found, other], **options))
    return program


def hit_list(draw: Draw, _: Catalogue) -> Program:
    """A hit list and what belongs to it."""
    text = draw.choice("xx-") + "".join(draw.choice("x--") for _ in range(draw.randint(1, 11)))
    if draw.chance(0.2):
        found = call("HitList", [1, 3, 4], retrieved=8, **draw.maybe(0.5, relevant=5))
    elif draw.chance(0.2):
        found = method({"call": "certus.HitList", "args": ["x-x"], "kw": {}}, "of", list("abcd"), ["a", "d", "f"])
    else:
        found = call("HitList", text)
    program = Program("hit list")
    hits = program.step(found)
    for name in draw.sample(
        ("average_precision", "hit_function", "precision", "recall", "score", "percentile", "standing"), 3
    ):
        program.step(method(hits, name))
    program.step(method(hits, "contingency", 20))
    program.step(method(hits, "precision_at_recall", draw.choice((0.2, 0.5, 1.0))))
    return program


def audited(draw: Draw, _: Catalogue) -> Program:
    """An audit, a plan of one, a sequence, a sample, judgments that were sampled."""
    program = Program("audit")
    level: dict[str, Any] = draw.maybe(0.3, level=LEVELS)
    positives = draw.choice((20, 200, 1000))
    checked = draw.randint(1, min(positives, 120))
    hits = draw.randint(0, checked)
    kind = draw.randrange(11)
    if kind <= 1:
        methods = ("blaker", "posterior", "hpd", "amo", "wang", "mid-p", "wilson-fpc", "clopper-pearson", "beta")
        keywords = level | draw.maybe(0.6, interval=methods) | draw.maybe(0.3, population=5000)
        found = program.step(
            call(
                "audit.recall_precision",
                positives=positives,
                checked=checked,
                hits=hits,
                predicted=positives + draw.randint(0, 300),
                **keywords,
            )
        )
        program.step(attribute(found, "f1"))
    elif kind == 2:
        program.step(call("audit.unknown_positives", checked=checked, hits=hits, **level))
    elif kind == 3:
        sizes = {"retrieved": 300, "retrieved_checked": 60, "retrieved_hits": draw.randint(0, 60)}
        other = {"discarded": 2000, "discarded_checked": 100, "discarded_hits": draw.randint(0, 20)}
        keywords = level | draw.maybe(
            0.4, prior=("uniform", "jeffreys"), interval=("posterior", "clopper-pearson", "bonferroni")
        )
        program.step(call("audit.two_samples", **sizes, **other, **keywords))
    elif kind == 4:
        sizes = {"population": 3000, "predicted": 300, "predicted_checked": 40, "predicted_hits": draw.randint(0, 40)}
        program.step(call("audit.post_stratified", **sizes, other_checked=90, other_hits=draw.randint(0, 15), **level))
    elif kind == 5:
        strata = [
            call("audit.Stratum", draw.randint(100, 900), 50, draw.randint(0, 50), draw.chance(0.6)) for _ in range(3)
        ]
        program.step(call("audit.strata", strata, **level))
    elif kind == 6:
        labels = [int(draw.chance(0.4)) for _ in range(draw.randint(1, 40))]
        keywords = level | draw.maybe(0.5, interval=("wsr", "ppr"))
        found = program.step(call("audit.sequence", labels, population=draw.choice((40, 100, 1000)), **keywords))
        program.step(method(found, "interval"))
    elif kind == 7:
        keywords = level | draw.maybe(0.4, interval=("blaker", "posterior", "hpd"), chance=0.9)
        program.step(
            call(
                "audit.plan.sample_size",
                draw.choice((50, 200)),
                draw.choice((0.5, 0.8)),
                draw.choice((0.1, 0.15)),
                **keywords,
            )
        )
    elif kind == 8:
        options: dict[str, Any] = {"checked": 60} if draw.chance(0.5) else {"half_width": draw.choice((0.1, 0.2))}
        program.step(call("audit.plan.split", 90, 400, precision=draw.choice((0.5, 0.7)), elusion=0.05, **options))
        program.step(call("audit.coverage", draw.choice(("blaker", "posterior", "wang")), 40, 10))
    elif kind == 9:
        columns = draw.samples(60)
        options = draw.maybe(0.4, by="c", predicted="m1")
        program.step(
            call(
                "audit.draw",
                call(":pandas.DataFrame", pairs(columns)),
                size=draw.randint(6, 20),
                seed=draw.randrange(5),
                **options,
            )
        )
    else:
        qrels, (run,) = draw.rankings()
        name = draw.choice(("xinf_ap", "xinf_ndcg", "stat_ap"))

        def judged() -> Any:
            if name == "stat_ap":
                return {"tuple": [draw.choice((0, 1, 1)), draw.choice((0.5, 1.0))]}
            return {"tuple": [draw.randint(0, 1), draw.choice((-1, 0, 1, 1, 2))]}

        rows = pairs({q: pairs({d: judged() for d in docs}) for q, docs in qrels.items()})
        options = draw.maybe(0.3, queries=("judged", "intersection")) | draw.maybe(0.1, bounds=True)
        program.step(call(f"audit.{name}", rows, shapes(draw, qrels, run)[1], **options))
    return program


def curved(draw: Draw, _: Catalogue) -> Program:
    """A curve of scores, the best threshold, calibration; a curve of a ranking."""
    columns = draw.samples(draw.size())
    data = [draw.form(columns["y"]), draw.form(columns["s"])]
    labels = {"pos_label": "yes"} if "yes" in columns["y"] else {}
    weight = labels | draw.maybe(0.25, sample_weight=columns["w"])
    program = Program("curve")
    name = draw.choice(
        (
            "roc_curve",
            "precision_recall_curve",
            "det_curve",
            "gain_curve",
            "lift_curve",
            "best_threshold",
            "calibration_curve",
            "ranking",
        )
    )
    if name == "best_threshold":
        criterion = draw.choice(("informedness", "f1", "accuracy", "cost", "mcc", "closest", "balanced-accuracy"))
        program.step(call("classification.best_threshold", *data, criterion, **weight))
    elif name == "calibration_curve":
        options = draw.maybe(0.4, n_bins=(2, 5, 10), strategy=("uniform", "quantile", "equal-mass"))
        curve = program.step(call("classification.calibration_curve", *data, **options))
        program.step(method(curve, "intervals"))
    elif name == "ranking":
        qrels, (run,) = draw.rankings()
        truth, system = shapes(draw, qrels, run)
        if draw.chance(0.5):
            program.step(call("ranking.metric_curve", truth, system, draw.choice(("P", "nDCG", "CG", "R")), [1, 2, 5]))
        else:
            options = draw.maybe(0.5, interpolated=False, rel=2)
            program.step(call("ranking.precision_recall_curve", truth, system, **options))
    else:
        curve = program.step(call(f"classification.{name}", *data, **weight))
        if name == "roc_curve":
            program.step(method(curve, "at", draw.choice((0.3, 0.5))))
        if name in ("roc_curve", "precision_recall_curve") and draw.chance(0.4):
            program.step(method(curve, "band", draw.choice(LEVELS)))
    return program


def agreed(draw: Draw, _: Catalogue) -> Program:
    """Agreement of two rankings."""
    n, digits = draw.choice((2, 5, 12, 30)), draw.choice((0, 1, None))
    a = draw.numbers(n, digits)
    b = (
        [value + draw.gauss(0, 1) for value in a]
        if digits is None
        else [round(x + draw.gauss(0, 1), digits) for x in a]
    )
    data: list[Any] = [draw.form(a), draw.form(b)]
    if draw.chance(0.3):
        data = [pairs({f"i{i}": value for i, value in enumerate(values)}) for values in (a, b)]
    program = Program("agreement")
    name = draw.choice(("kendall_tau", "spearman", "tau_ap", "rbo"))
    options: dict[str, Any] = {}
    if name == "kendall_tau":
        options = draw.maybe(0.4, variant=("a", "b"), alternative=("greater", "less"))
    elif name == "tau_ap":
        options = draw.maybe(0.4, ties=("a", "b"), symmetric=True)
    elif name == "rbo":
        left = draw.sample("abcdefgh", draw.randint(1, 8))
        data = [left, draw.sample("abcdefgh", draw.randint(1, 8))]
        options = draw.maybe(0.4, p=(0.5, 0.9, 0.98), depth=(2, 5), ties=("a", "b", "w"))
    program.step(call(f"agreement.{name}", *data, **options))
    return program


def pooled(draw: Draw, _: Catalogue) -> Program:
    """A pool of runs, and the bias of a pool."""
    qrels, runs = draw.rankings(3)
    held = pairs({f"s{i}": pairs({q: pairs(docs) for q, docs in run.items()}) for i, run in enumerate(runs)})
    truth = pairs({q: pairs(docs) for q, docs in qrels.items()})
    program = Program("pool")
    if draw.chance(0.3):
        program.step(
            call("pooling.leave_one_out", truth, held, draw.choice(("AP", "nDCG@5")), depth=draw.randint(1, 5))
        )
        return program
    name = draw.choice(("depth", "rrf", "mtf"))
    options: dict[str, Any] = {"method": name, "depth": draw.randint(1, 8)}
    if name != "depth":
        options["size"] = draw.randint(1, 10)
    if name == "mtf" or draw.chance(0.2):
        options["judged"] = truth
    pool = program.step(call("pooling.pool", held, **options))
    program.step(method(pool, "to_dict"))
    program.step(method(pool, "contributions"))
    return program
