"""Random calls of `certus.inference`: intervals, tests, corrections, plans, posteriors."""

from typing import Any

from net.calls import Program, array, attribute, call, method, pairs
from net.draw import LEVELS, SIDES, Draw
from net.metrics import Catalogue

__all__ = ["inferred"]

PAIRED = (None, "permutation", "t", "bootstrap-t", "wilcoxon", "sign", "bootstrap")
PROPORTIONS = ("wilson", "modified-wilson", "clopper-pearson", "jeffreys", "agresti-coull", "mid-p", "blaker", "wald")


def inferred(draw: Draw, _: Catalogue) -> Program:
    """One of the functions."""
    kind = draw.choice(("paired", "paired", "difference", "intervals", "many", "plan", "posterior", "cells"))
    program = Program(f"inference {kind}")
    KINDS[kind](draw, program)
    return program


def _pair(draw: Draw) -> tuple[list[float], list[float], dict[str, Any]]:
    n, digits = draw.size(), draw.choice((1, 2, None))
    first = draw.numbers(n, digits)
    shift = draw.choice((0.0, 0.2, 0.5, -0.4))
    second = [value + shift + draw.gauss(0, 0.5) for value in first]
    second = second if digits is None else [round(value, digits) for value in second]
    if draw.chance(0.05):
        second = first[:]
    keywords = draw.maybe(0.2, level=LEVELS, seed=(1, 3), alternative=SIDES)
    if draw.chance(0.2):
        keywords["groups"] = [draw.randrange(max(2, n // 3)) for _ in range(n)]
    return first, second, keywords


def _paired(draw: Draw, program: Program) -> None:
    a, b, keywords = _pair(draw)
    if draw.chance(0.15):
        keywords["weights"] = [round(draw.gammavariate(2, 1), 2) for _ in a]
    test = draw.choice(PAIRED)
    keywords |= draw.maybe(0.15, interval=("percentile", "bca", "t", "hall"))
    found = program.step(call("inference.paired", draw.form(a), draw.form(b), test, replicates=199, **keywords))
    if draw.chance(0.4):
        options = draw.maybe(0.3, test=("t", "permutation"), level=LEVELS)
        program.step(call("inference.equivalence", found, draw.choice((0.05, 0.2, 0.5)), **options))
    if draw.chance(0.4):
        program.step(call("inference.rope", found, draw.choice((0.0, 0.05, 0.2)), replicates=199))
    if draw.chance(0.3):
        program.step(method(found, "interval"))
    if draw.chance(0.1):
        program.step(call(":pickle.loads", call(":pickle.dumps", found)))


def _difference(draw: Draw, program: Program) -> None:
    columns = draw.samples(draw.size())
    name, data = draw.choice(
        (
            ("f1", "yp"),
            ("accuracy", "yp"),
            ("roc_auc", "ys"),
            ("brier", "ys"),
            ("mcc", "yp"),
            ("average_precision", "ys"),
        )
    )
    first = call(f"classification.{name}", columns[data[0]], columns[data[1]])
    other = call(f"classification.{name}", columns[data[0]], columns["k" if data[1] == "p" else "r"])
    if draw.chance(0.2):  # of other samples at times
        truths = [array([[draw.randint(0, 1) for _ in range(3)] for _ in range(6)]) for _ in range(2)]
        predicted = array([[draw.randint(0, 1) for _ in range(3)] for _ in range(6)])
        first, other = (call("multilabel.f1", truth, predicted, average="macro") for truth in truths)
    elif draw.chance(0.3):
        first, other = (call(f"regression.{draw.choice(('mae', 'mse', 'r2'))}", columns["u"], columns[x]) for x in "vt")
    keywords = draw.maybe(0.2, level=LEVELS, alternative=SIDES, paired=(True, False))
    if draw.chance(0.4):
        program.step(call("inference.ratio", first, other, **keywords))
    else:
        keywords |= draw.maybe(0.2, interval=("percentile", "bca", "delta"), seed=(1, 2))
        found = program.step(call("inference.difference", first, other, replicates=199, **keywords))
        if draw.chance(0.3):
            program.step(call("inference.equivalence", found, draw.choice((0.05, 0.2))))
        if draw.chance(0.3):
            program.step(call("inference.rope", found, draw.choice((0.0, 0.1))))
    if draw.chance(0.3):
        options = {"metric": draw.choice(("roc_auc", "average_precision"))} | draw.maybe(
            0.3, level=LEVELS, alternative=SIDES
        )
        program.step(call("inference.paired_scores", columns["y"], columns["s"], columns["r"], **options))


def _intervals(draw: Draw, program: Program) -> None:
    kind = draw.randrange(4)
    n = draw.choice((1, 5, 20, 100, 1000))
    level = draw.choice(LEVELS)
    if kind == 0:
        hits = draw.randint(0, n)
        program.step(call("inference.proportion_interval", hits, n, level, draw.choice((None, *PROPORTIONS))))
    elif kind == 1:
        counts = [draw.randint(0, 40) for _ in range(3)]
        program.step(call("inference.f1_interval", *counts, level, draw.choice((None, "goutte-gaussier", "wilson"))))
    elif kind == 2:
        n = draw.size()
        values = [draw.betavariate(2, 3) for _ in range(n)]
        keywords: dict[str, Any] = {
            "method": draw.choice((None, "t", "hall", "beta-moments", "normal", "percentile", "bca"))
        }
        keywords |= draw.maybe(0.3, bounds={"tuple": [0, 1]}, scale=("log", "linear"), seed=(1, 2))
        if draw.chance(0.2):
            keywords["groups"] = [draw.randrange(4) for _ in range(n)]
        program.step(call("inference.mean_interval", values, level, replicates=199, **keywords))
    else:
        values = [draw.betavariate(4, 2) for _ in range(draw.choice((3, 5, 10)))]
        keywords = (
            {"test_fraction": 0.1}
            if draw.chance(0.5)
            else {"train_sizes": [90] * len(values), "test_sizes": [10] * len(values)}
        )
        estimate = program.step(call("from_folds", values, **keywords))
        program.step(method(estimate, "interval", level))


def _many(draw: Draw, program: Program) -> None:
    kind = draw.randrange(4)
    if kind == 0:
        values = [draw.choice((draw.random(), draw.random() / 50, 0.04, 1.0)) for _ in range(draw.randint(1, 12))]
        methods = ("holm", "hochberg", "bonferroni", "bh", "by", "none")
        program.step(call("inference.adjust", values, draw.choice(methods)))
    elif kind == 1:
        rows = [[round(draw.gauss(0.3, 1), 2) for _ in range(4)] for _ in range(draw.randint(3, 16))]
        keywords = draw.maybe(0.4, alternative=SIDES, statistic=("t", "mean"), correction=("step-down", "single-step"))
        program.step(call("inference.max_t", rows, replicates=299, **keywords))
    elif kind == 2:
        rows = [[round(draw.gauss(0.3 * j, 1), 2) for j in range(4)] for _ in range(draw.randint(3, 16))]
        program.step(call("inference.tukey_hsd", rows, replicates=299))
    else:
        n = draw.randint(2, 6)
        apart = [[False] * n for _ in range(n)]
        for i in range(n):
            for j in range(i):
                apart[i][j] = apart[j][i] = draw.chance(0.4)
        program.step(call("inference.letters", apart))


def _plan(draw: Draw, program: Program) -> None:
    a, b, _ = _pair(draw)
    pilot = [x - y for x, y in zip(a, b, strict=True)]
    name = draw.choice(("power", "units_needed", "minimum_detectable", "power_curve"))
    test = draw.choice(("t", "t", "simulated-t", "simulated-permutation")) if name == "power" else "t"
    keywords = {"test": test} | draw.maybe(0.3, alternative=SIDES, level=LEVELS)
    if test != "t":
        keywords["replicates"] = 60
        pilot = pilot[:20]
    if draw.chance(0.15):
        keywords["groups"] = [draw.randrange(max(2, len(pilot) // 3)) for _ in pilot]
    if draw.chance(0.1):
        keywords["weights"] = [draw.choice((1.0, 2.0, 0.5)) for _ in pilot]
    effect = draw.choice((0.1, 0.3, 0.6, -0.3))
    if name in ("power", "minimum_detectable"):
        keywords |= draw.maybe(0.6, n=(8, 20, 60))
    if name != "minimum_detectable":
        keywords["effect"] = effect
    if name != "power":
        keywords |= draw.maybe(0.3, power=(0.7, 0.9))
    program.step(call(f"inference.{name}", pilot, **keywords))


def _posterior(draw: Draw, program: Program) -> None:
    kind = draw.randrange(3)
    counts = [draw.randint(0, 30) for _ in range(6)]
    if kind == 0:
        program.step(call("inference.dirichlet_superiority", *counts[:3], draw.choice((0.5, 1.0))))
    elif kind == 1:
        pairs_of = ({"tuple": counts[:3]}, {"tuple": counts[3:]})
        program.step(call("inference.f1_superiority", *pairs_of, draw.choice((0.5, 1.0))))
    else:
        prior = draw.choice(("jeffreys", "uniform"))
        one = program.step(call("inference.posteriors", *counts[:3], prior=prior), show=False)
        two = program.step(call("inference.posteriors", *counts[3:], prior=prior), show=False)
        law = attribute(one, draw.choice(("precision", "recall")))
        program.step(method(law, "interval", draw.choice(LEVELS)))
        program.step(method(method(one, "f", draw.choice((0.5, 1, 2))), "mean"))
        program.step(method(law, "sf", 0.7))
        program.step(call("inference.superiority", method(one, "f"), method(two, "f")))


def _cells(draw: Draw, program: Program) -> None:
    counts = [draw.randint(0, 25) for _ in range(2)]
    program.step(call("inference.mcnemar", *counts, draw.choice(("exact", "mid-p", "chi2"))))
    names = ["a", "b", "c"]
    values = pairs({name: [draw.randint(0, 1) for _ in range(20)] for name in names})
    program.step(call("comparison.compare_values", values, margin=draw.choice((0.1, 0.3)), replicates=199))


KINDS = {
    "paired": _paired,
    "difference": _difference,
    "intervals": _intervals,
    "many": _many,
    "plan": _plan,
    "posterior": _posterior,
    "cells": _cells,
}
