"""Notes below a comparison: findings in plain words, methods, and warnings."""

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from certus.comparison.options import correction_of_margins
from certus.comparison.row import Difference, Verdict
from certus.core.errors import CertusError
from certus.core.note import FINDING, Note
from certus.core.spelling import abridged, plural
from certus.inference.declare import LABELS
from certus.inference.many.adjust import CORRECTIONS
from certus.inference.tests.declare import TESTS, TESTS_BY_KIND
from certus.inference.tests.guaranteed import GUARANTEED
from certus.table.block import Format, percent, probability, shortened
from certus.table.layout import chance_methods, departures
from certus.table.methods import join_names, metric_sentences, name_method, software, units_of

if TYPE_CHECKING:
    from certus.comparison.result import Comparison
    from certus.table.methods import Citations
    from certus.table.output import Layout

EXACT = 1e-5
"""Error of p up to which a permutation test is called exact: no digit shown can be wrong by more than one."""
POSTERIORS = {
    "student": "Student's distribution around the difference",
    "dirichlet": "Dirichlet distribution of the joint table",
}
TIE, NON_INFERIORITY, BETTER, MINUS = "equiv. p", "non-inf. p", "P(better)", "minus"
"""Columns that a note explains."""
MOST_NAMED = 6
"""Differences of a kind that a sentence lists."""


def sentences(comparison: "Comparison") -> list[str]:
    """Findings of each metric in words: significant differences, others, and their sizes."""
    return [
        f"{metric}: {sentence}"
        for metric in comparison.metrics
        for sentence in _metric_sentences(comparison, [row for row in comparison.rows if row.metric == metric])
    ]


def _metric_sentences(comparison: "Comparison", rows: Sequence[Difference]) -> Iterator[str]:
    """Findings of one metric in words."""
    form = form_of(comparison, rows[0].metric)
    decided = [_better_first(row) for row in rows if row.verdict in ("better", "worse", "higher", "lower")]
    decided.sort(key=lambda row: -abs(row.difference))
    tied = [row for row in rows if row.verdict == "tied within the margin"]
    no_value = [row for row in rows if math.isnan(row.p)]
    unclear = [row for row in rows if row.verdict == "not significant" and not math.isnan(row.p)]
    if len(decided) > MOST_NAMED and comparison.baseline is None:
        yield f"{len(decided)} of {len(rows)} differences are significant, {_range(decided, form)}"
    else:
        by_winner: dict[tuple[str, str], list[Difference]] = {}
        for row in decided:
            by_winner.setdefault((shortened(row.system), row.verdict), []).append(row)
        for (winner, word), beaten in by_winner.items():
            *gains, last = [_gain(row, form) for row in beaten]
            yield f"{winner} is significantly {word} than {'; '.join([*gains, f'and {last}']) if gains else last}"
    for row in tied:
        more = ", though not 0" if row.significant else ""
        yield (
            f"{shortened(row.system)} and {shortened(row.baseline)} are tied: their difference is shown to be smaller "
            f"than the margin of {row.margin:g}{more}"
        )
    if len(unclear) > MOST_NAMED:
        yield f"{len(unclear)} of {len(rows)} differences are not significant, {_range(unclear, form)}"
    else:
        for row in unclear:
            yield _unclear(row, form, comparison.alternative)
    for row in no_value:
        yield f"{shortened(row.system)} and {shortened(row.baseline)} cannot be compared: {row.reason}"


def _better_first(row: Difference) -> Difference:
    """Difference with the better system first."""
    return row if row.verdict in ("better", "higher") else turned(row)


_OPPOSITES: dict[Verdict, Verdict] = {"better": "worse", "worse": "better", "higher": "lower", "lower": "higher"}


def turned(row: Difference) -> Difference:
    """Return the difference with both systems exchanged."""
    return replace(
        row,
        system=row.baseline,
        baseline=row.system,
        value=row.baseline_value,
        baseline_value=row.value,
        difference=-row.difference,
        low=-row.high,
        high=-row.low,
        verdict=_OPPOSITES.get(row.verdict, row.verdict),
    )


def headline(comparison: "Comparison") -> str:
    """The finding about the first metric in one short sentence, with its adjusted p."""
    metric = comparison.metrics[0]
    rows = [row for row in comparison.rows if row.metric == metric and not math.isnan(row.p)]
    decided = [_better_first(row) for row in rows if row.verdict in _OPPOSITES]
    if not rows:
        return f"No difference in {metric} is defined"
    wins: dict[str, list[Difference]] = {}
    for row in decided:
        wins.setdefault(row.system, []).append(row)
    beaten = max(wins.values(), key=lambda won: (len(won), sum(abs(row.difference) for row in won)), default=[])
    n_wins, n_others = len(beaten), len(comparison.systems) - 1
    is_best = n_wins == n_others or len(rows) == 1
    if comparison.baseline is not None and not is_best and len(decided) > 1:
        n_above = sum(row.system != comparison.baseline for row in decided)
        word = decided[0].verdict
        parts = [(n_above, word), (len(decided) - n_above, _OPPOSITES[word])]
        counts = " and ".join(f"{n} significantly {verdict}" for n, verdict in parts if n)
        return f"Of {len(rows)} systems {counts} than {shortened(comparison.baseline)} in {metric}"
    if decided:
        losers = shortened(beaten[0].baseline) if n_wins == 1 else f"{n_wins} of {n_others} other systems"
        if is_best and n_wins > 1:
            losers = "both others" if n_others == 2 else f"all {n_others} others"
        finding = f"is significantly {beaten[0].verdict} than {losers} in {metric}"
        return f"{shortened(beaten[0].system)} {finding} ({_p(comparison, beaten)})"
    if len(rows) == 1:
        names = f"{shortened(rows[0].system)} and {shortened(rows[0].baseline)}"
        if rows[0].verdict == "tied within the margin":
            return f"{names} are tied in {metric} within the margin of {comparison.margin:g}"
        if comparison.alternative != "two-sided":
            side = "above" if comparison.alternative == "greater" else "below"
            system, other = shortened(rows[0].system), shortened(rows[0].baseline)
            return f"{system} is not shown to be {side} {other} in {metric} ({_p(comparison, rows)})"
        return f"No significant difference between {names} in {metric} ({_p(comparison, rows)})"
    closest = min(rows, key=lambda row: row.p_adjusted)
    scope = f"from {shortened(comparison.baseline)}" if comparison.baseline else f"between {n_others + 1} systems"
    return f"No significant difference {scope} in {metric} (least {_p(comparison, [closest])})"


def _p(comparison: "Comparison", rows: Sequence[Difference]) -> str:
    """``p = 0.0123, Holm``: the largest adjusted p of some differences, and the correction if there is one."""
    p = probability(max(row.p_adjusted for row in rows))
    correction = CORRECTIONS[comparison.correction].short if comparison.correction != "none" else "not adjusted"
    sign = "<" if p.startswith("<") else "=" if len(rows) == 1 else "≤"
    return f"p {sign} {p.removeprefix('<')}" + (f", {correction}" if comparison.n_pairs > 1 else "")


def _gain(row: Difference, form: Format) -> str:
    """``tfidf by 0.0134 (4.3%), 95% interval 0.0067 to 0.0201``."""
    size = unsigned(row.difference, form)
    # A part of a value below 0, as of a correlation, says nothing.
    positive = min(row.value, row.baseline_value) > 0 and row.baseline_value < math.inf
    share = f" ({abs(row.difference) / row.baseline_value:.1%})" if positive else ""
    p = probability(row.p_adjusted)
    p_text = f"< {p[1:]}" if p.startswith("<") else f"= {p}"
    return f"{shortened(row.baseline)} by {size}{share}, p {p_text}"


def _unclear(row: Difference, form: Format, alternative: str) -> str:
    """Sentence on a difference that is not significant."""
    names = f"{shortened(row.system)} and {shortened(row.baseline)}"
    if row.difference == 0:
        all_equal = row.wins == row.losses == 0
        return f"{names} are equal" + (f" on all {plural(row.n, row.unit)}" if all_equal else f" in {row.metric}")
    limits = interval(row, form)
    where = f" (the {percent(row.level)} interval is {limits})" if limits != "-" else ""
    side = {"greater": "above", "less": "below"}.get(alternative)
    if side is not None and (row.difference < 0) == (side == "above"):
        # the test looked at the other side: this says nothing of chance
        other = "below" if side == "above" else "above"
        return (
            f"{shortened(row.system)} is not shown to be {side} {shortened(row.baseline)}, but lies "
            f"{unsigned(row.difference, form)} {other}{where}"
        )
    return f"{names} do not differ significantly: {unsigned(row.difference, form)} may be chance{where}"


def _range(rows: Sequence[Difference], form: Format) -> str:
    """Smallest and largest absolute difference in words: ``of 0.01 to 0.05``."""
    sizes = [abs(row.difference) for row in rows]
    return f"of {unsigned(min(sizes), form)} to {unsigned(max(sizes), form)}"


def notes_on(comparison: "Comparison", columns: Collection[str]) -> list[Note]:
    """Findings, methods, remarks and warnings; methods only for columns that are shown."""
    findings = (Note(sentence, kind=FINDING) for sentence in comparison.sentences())
    return [*findings, *map(Note, _methods(comparison, columns)), *_remarks(comparison), *comparison.notices]


def _methods(comparison: "Comparison", columns: Collection[str]) -> Iterator[str]:
    """Sentences on the pairing, the tests, the intervals, and the columns' meaning."""
    rows = comparison.rows
    yield _pairing_sentence(comparison)
    if comparison.baseline is None:
        yield "letters: systems that share a letter do not differ significantly"
    if MINUS in columns:
        tied = "" if comparison.margin is None else ", = tied within the margin"
        yield f"matrix: system of the row minus system of the column; * significant{tied}"
    yield f"p: {tests(comparison)}{adjustment(comparison)}"
    if comparison.margin is not None:
        meanings = _margin_columns(comparison, columns)
        yield f"margin: differences up to {comparison.margin:g} do not matter{meanings}"
        yield from _margin_conditions(comparison)
    methods = _kinds_of_rows(rows, lambda row: LABELS.get(row.interval, row.interval))
    yield f"intervals: {methods}{_joint_words(comparison)}"
    if comparison.conventions.get("bayesian") and BETTER in columns:
        models = _kinds_of_rows(rows, lambda row: POSTERIORS.get(row.posterior or "", ""))
        prior = comparison.conventions.get("prior")
        weight = "" if prior is None else f", prior {prior:g} in each cell"
        by_margin = "" if comparison.margin is None else " by more than the margin"
        has_draws = any(row.posterior_error for row in rows)
        error = "; in parentheses the standard error of the last digit, which is drawn" if has_draws else ""
        yield f"{BETTER}, P(worse): posterior probabilities{by_margin}: {models}{weight}{error}"
    yield from comparison.conventions.get("said", ())
    yield from chance_methods(comparison.values.rows)
    yield from departures(comparison.conventions)


def method_sentences(comparison: "Comparison", citations: "Citations") -> Iterator[str]:
    """Sentences for a paper: systems, units, metrics, conventions, tests, correction and intervals."""
    rows = [row for row in comparison.rows if not math.isnan(row.difference)]
    compared = [system for system in comparison.systems if system != comparison.baseline]
    against = f" with {comparison.baseline}" if comparison.baseline is not None else " with each other"
    verb = "was" if len(compared) == 1 else "were"
    units = units_of((row.n, row.unit) for row in rows)
    systems = f"The system{'s' * (len(compared) > 1)} {join_names(compared)} {verb}"
    opening = f"{systems} compared{against} on the same {units}"
    yield from metric_sentences(opening, comparison.metrics, comparison.conventions, citations)
    by_test = _grouped_names(rows, lambda row: row.method)
    for test, names in by_test.items():
        declared = [tests[test] for tests in TESTS_BY_KIND.values() if test in tests]
        source = next((fact.source for fact in declared if fact.source), "")
        null = next((fact.null for fact in declared if fact.null), "")
        null = re.split("[:;]", null)[0].replace("mean difference", "true difference")
        side = "two-sided" if comparison.alternative == "two-sided" else f"one-sided ({comparison.alternative})"
        hypothesis = f", whose null hypothesis is that {null}" if null else ""
        test = f"{name_method(TESTS[test], 'test')}{citations.cite(source)}"
        yield f"Differences in {join_names(names)} were tested {side} by {test}{hypothesis}"
    pairs, correction = comparison.n_pairs, CORRECTIONS[comparison.correction]
    if pairs > 1:
        label = correction.label.partition(" (")[0]
        procedure = label if label.startswith("the ") else f"the {label} procedure"
        controlled = _CONTROLLED.get(correction.holds.partition(",")[0], "")
        adjusted = f"adjusted by {procedure}{citations.cite(correction.source)}, which controls {controlled}"
        yield f"The p-values of the {pairs} pairs in each metric were {adjusted if controlled else 'not adjusted'}"
    is_adjusted = pairs > 1 and correction.name != "none"
    alpha = f"{1 - comparison.level:.10g}"
    yield f"Differences are called significant if the {'adjusted ' * is_adjusted}p-value is at most {alpha}"
    if comparison.margin is not None:
        yield (
            f"Differences of up to {comparison.margin:g} were taken for equivalent; equivalence and non-inferiority "
            f"were tested one-sided at {(1 - comparison.level) / 2:.3g}"
        )
    for method, names in _grouped_names(rows, lambda row: row.interval).items():
        label = f"{name_method(LABELS.get(method, method), 'method')}{_joint_words(comparison)}"
        yield f"Confidence intervals ({percent(comparison.level)}) of differences in {join_names(names)} are by {label}"
    if comparison.conventions.get("bayesian"):
        models = dict.fromkeys(POSTERIORS.get(row.posterior or "", "") for row in rows if row.posterior)
        yield f"Posterior probabilities are by {join_names(models)}"
    has_draws = comparison.correction in ("max-t", "tukey-hsd") or any(
        re.search("resample|draw", row.method_note) for row in rows
    )
    yield software(comparison.conventions, has_draws)


_CONTROLLED = {
    "any false finding": "the familywise error rate",
    "the expected share of false ones among the findings": "the false discovery rate",
}


def _grouped_names(rows: Sequence[Difference], name: Callable[[Difference], str]) -> dict[str, list[str]]:
    """Group the metrics by method; a metric with several methods has its pairs named."""
    by_metric: dict[str, set[str]] = {}
    for row in rows:
        by_metric.setdefault(row.metric, set()).add(name(row))
    names: dict[str, list[str]] = {}
    for row in rows:
        pair = "" if len(by_metric[row.metric]) == 1 else f" ({row.system} against {row.baseline})"
        names.setdefault(name(row), []).append(f"{row.metric}{pair}")
    return names


def _remarks(comparison: "Comparison") -> Iterator[Note]:
    """Notes on differences; one note for all with the same remark."""
    differences: dict[str, list[str]] = {}
    for row in comparison.rows:
        if row.reason and not math.isnan(row.p):
            other = "" if comparison.baseline is not None else f" minus {shortened(row.baseline)}"
            differences.setdefault(row.reason, []).append(f"{row.metric} of {shortened(row.system)}{other}")
    for reason, names in differences.items():
        yield Note(reason, abridged(names, MOST_NAMED))


def _margin_columns(comparison: "Comparison", columns: Collection[str]) -> str:
    """Explain the p-values against the margin that are shown."""
    terms = {TIE: "equivalence", NON_INFERIORITY: "non-inferiority"}
    visible = {name: term for name, term in terms.items() if name in columns}
    if not visible:
        return ""
    tests_word, pronoun = ("test", "it") if len(visible) == 1 else ("tests", "them")
    correction = CORRECTIONS[correction_of_margins(comparison.correction)].label
    adjusted = f", adjusted by {correction}" if comparison.n_pairs > 1 else ""
    return (
        f"; {' and '.join(visible)}: one-sided {tests_word} of {' and '.join(visible.values())}{adjusted}; compare "
        f"{pronoun} with {(1 - comparison.level) / 2:.3g}"
    )


def _margin_conditions(comparison: "Comparison") -> Iterator[str]:
    """Conditions under which a decision about the margin holds, if its level is not guaranteed."""
    if comparison.conventions.get("assume") == "symmetric":
        yield "margin: assumes that the differences of units are symmetric around their mean"
        return
    there = [row for row in comparison.rows if not math.isnan(row.difference)]
    rough = list(dict.fromkeys(row.metric for row in there if row.method not in GUARANTEED))
    if rough:
        metrics = abridged(rough, MOST_NAMED)
        yield f"margin of {metrics}: the test is approximate, and may be wrong for few or skewed units"


def _pairing_sentence(comparison: "Comparison") -> str:
    """Sentence on what the differences are, and over how many units."""
    numbers = {(row.n, row.unit) for row in comparison.rows if not math.isnan(row.difference)}
    if len(numbers) != 1:
        return "differences: system minus the one it is compared with"
    n, unit = numbers.pop()
    return f"differences: system minus {comparison.baseline or 'the other'}, paired over {plural(n, unit)}"


def tests(comparison: "Comparison") -> str:
    """Names of the tests that were run, and their side."""
    side_words = {"two-sided": "two-sided", "greater": "one-sided (above)", "less": "one-sided (below)"}
    side = f", {side_words[comparison.alternative]}" if _any_defined(comparison) else ""
    return _kinds_of_rows(comparison.rows, _test_name) + side


def _joint_words(comparison: "Comparison") -> str:
    """Words on whether the intervals are simultaneous."""
    pairs = comparison.n_pairs
    if pairs < 2 or not _any_defined(comparison):
        return ""
    joint_text = f", simultaneous for the {pairs} differences of each metric"
    return joint_text if comparison.simultaneous else ", not adjusted for the number of pairs"


def _any_defined(comparison: "Comparison") -> bool:
    """True if any difference is defined."""
    return any(not math.isnan(row.difference) for row in comparison.rows)


def adjustment(comparison: "Comparison") -> str:
    """Correction of the p-values in words; empty for a single pair."""
    pairs = comparison.n_pairs
    if pairs < 2:
        return ""
    name = comparison.correction
    adjusted = "not adjusted" if name == "none" else f"adjusted by {CORRECTIONS[name].label}"
    return f", {adjusted} for {pairs} pairs in each metric"


def _test_name(row: Difference) -> str:
    """Name of a difference's test, with "exact" if its p is."""
    # an inversion of the exact law is as good as counting; bounds from a rounded lattice may not be
    exact = row.method == "permutation" and row.error <= EXACT
    return ("exact " if exact else "") + TESTS.get(row.method, row.method)


def _kinds_of_rows(rows: Sequence[Difference], name: Callable[[Difference], str]) -> str:
    """Name that all rows share, or each name with its metrics."""
    rows = [row for row in rows if not math.isnan(row.difference)]  # no test was made of the others
    rows_by_kind: dict[str, dict[str, list[Difference]]] = {}
    for row in rows:
        rows_by_kind.setdefault(name(row), {}).setdefault(row.metric, []).append(row)
    total = Counter(row.metric for row in rows)
    if len(rows_by_kind) < 2:
        return next(iter(rows_by_kind), "none, all differences are undefined")
    parts = []
    for kind, by_metric in rows_by_kind.items():
        names = [_whose(metric, subset, total[metric]) for metric, subset in by_metric.items()]
        parts.append(f"{kind} for {abridged(names, MOST_NAMED)}")
    return "; ".join(parts)


def _whose(metric: str, rows: Sequence[Difference], total: int) -> str:
    """The metric, or which of its differences."""
    if len(rows) == total:
        return metric
    if len(rows) > 1:
        return f"{len(rows)} of {total} differences in {metric}"
    return f"{metric} of {shortened(rows[0].system)} against {shortened(rows[0].baseline)}"


def signed(x: float, form: Format) -> str:
    """Difference with its sign; one that rounds to 0 is written with its power of ten."""
    if not math.isfinite(x):
        return "-"
    if x == 0:
        return form.number(0.0)
    size = form.number(abs(x))
    return f"{'+' if x > 0 else '-'}{size}" if float(size) else f"{x:+.0e}"


def unsigned(x: float, form: Format) -> str:
    """Size of a difference."""
    return signed(abs(x), form).removeprefix("+")


def interval(row: "Difference", form: Format) -> str:
    """Interval as text: ``[-0.0201, +0.0067]``, or a dash."""
    if math.isnan(row.low) or math.isnan(row.high):
        return "-"
    texts = form.limits(row.low, row.high, row.margin or 0.0)
    signs = ("+" if 0 < x < math.inf else "" for x in (row.low, row.high))
    return f"[{', '.join(map(''.join, zip(signs, texts, strict=True)))}]"


def form_of(comparison: "Comparison", metric: str) -> Format:
    """Number format for the values of a metric."""
    return Format(row for row in comparison.values.rows if row.metric == metric)


def is_matrix(comparison: "Comparison", layout: "Layout | None") -> bool:
    """True if all pairs of systems are shown as a matrix."""
    if layout == "matrix" and comparison.baseline is not None:
        raise CertusError(
            f"is 'matrix', which is for all pairs, but the systems are compared with {comparison.baseline}",
            "leave it out",
            argument="layout",
        )
    return comparison.many if layout is None else layout == "matrix"
