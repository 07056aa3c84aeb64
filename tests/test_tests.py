"""Sources of the tests: they take public names, or test a private algorithm by itself, and are short."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
PROTOCOLS = {"_asdict", "_exit", "_fields", "_replace", "_repr_html_", "_repr_png_"}
THEIRS = {"_evaluator", "_explains_itself", "_left_title", "_right_title", "_score_func", "_skl_parameter_constraints"}
"""Names of IPython, tools/, matplotlib, scikit-learn and ir_measures."""
PRIVATE = {
    "audit/test_plan.py": "the law of the outcomes of an audit, against sums over all of them",
    "audit/test_sample.py": "20,000 draws, each sample as likely as any other",
    "chance/test_smooth.py": "what an inversion loses, against the sum over its frequencies",
    "chance/test_additive.py": "the listing of small laws, against which the engines are held",
    "chance/test_average_precision.py": "cumulants of the transform, against closed forms",
    "chance/test_bpref.py": "sides of a mixture, against one part after the other",
    "chance/test_by_parts.py": "parts of a mixture, against the values of the whole",
    "chance/test_dcg.py": "two ways to one transform",
    "chance/test_few_gains.py": "how near two sums are one value, against 40 digits",
    "chance/test_mean_of.py": "cumulants of the transform, against closed forms",
    "cli/test_attacks.py": "files written whole or not at all, while the disk fills up or another writes",
    "cli/test_help_names.py": "placeholders in the help, against the registries",
    "cli/test_parser.py": "what click makes of declarations",
    "cli/test_stream_attacks.py": "a file that changes between two looks at it",
    "cli/test_stream_faults.py": "a disk without room",
    "cli/test_terminal.py": "progress without the wait for it",
    "curves/test_bands.py": "the union of rectangles, point by point",
    "evaluation/test_subgroups_together.py": "which tables were made by columns",
    "inference/test_contingency_bias.py": "noncentral chi-square two ways, stored draws, a cache",
    "inference/test_crossing.py": "crossings of a curve, against all thresholds",
    "inference/test_declare.py": "methods declared for one test",
    "inference/test_proportion.py": "beta quantiles of great parameters, against scipy's",
    "inference/test_signflip.py": "the inversion where a short list would be taken, and the tail share of drawn swaps",
    "inference/test_subgroup_mean.py": "the greatest move of a mean, against a grid",
    "inference/test_missing_mass.py": "moments, against drawn tables",
    "insides.py": "what several tests need",
    "io/test_reading_streams.py": "a disk without room, and a shorter longest line",
    "metrics/classification/test_average_precision.py": "limits of one tail, against an integral",
    "metrics/classification/test_largest_distance.py": "its interval with and without caution",
    "metrics/clustering/test_internal.py": "the value whose derivatives are tested",
    "metrics/ranking/test_every_ranking_metric.py": "all orders of tied documents",
    "option_walk.py": "every declared command",
    "spark/conftest.py": "tasks that fail once",
    "spark/forking.py": "modules that a worker loads",
    "spark/test_spark.py": "batches without a session, and work that no worker does",
    "spark/test_spark_rankings.py": "blocks of queries without a session",
    "spark/test_spark_correlations.py": "work that no worker does",
    "states/test_bounds.py": "bounds of few cells, against every order",
    "states/test_spilled.py": "a full disk, rows with multiplicities against a Counter, sorted pieces",
    "states/test_sums.py": "sums of powers and of bins, against the values one by one",
    "test_missing.py": "columns of a batch, and the systems of a state",
    "test_matrix.py": "marks of 300 random tables",
    "test_pickling.py": "modules that hold what is pickled",
    "test_remedies.py": "the options of every command",
    "test_sources.py": "imports of private modules",
    "test_tasks.py": "the report of a task as a function",
    "test_surface.py": "names with a short path",
    "tools/test_public_names.py": "names with a short path",
}
"""Files that reach for private names of certus, and what for. Elsewhere a test asks as users do."""


def private_names(source: str) -> Iterator[str]:
    """The private modules and names that a source imports, takes from an object or writes into a string."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            above = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            names = [f"{above}{each.name}" for each in node.names]
            yield from (each for each in names if re.match(r"certus\b.*\._[A-Za-z]", each))
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) != "self":
            if re.match(r"_[A-Za-z]", node.attr) and node.attr not in PROTOCOLS | THEIRS:
                yield ast.unparse(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"^certus[\w.]*\._[a-z][\w.]*$|(?:from|import) certus[\w.]*\._\w+", node.value)


def test_tests_take_public_names_but_for_those_that_are_listed() -> None:
    sources = {path.relative_to(TESTS).as_posix(): path.read_text(encoding="utf-8") for path in TESTS.rglob("*.py")}
    reaching = {name: text for name, text in sources.items() if re.search(r"\._[A-Za-z]|import.*\b_[A-Za-z]", text)}
    found = {name: sorted(set(private_names(text))) for name, text in reaching.items()}
    assert {name: names for name, names in found.items() if names and name not in PRIVATE} == {}
    assert {name for name in PRIVATE if not found.get(name)} == set(), "they take public names; leave them out"


def test_no_test_measures_the_clock() -> None:
    """Processor time only: on a busy machine the clock says nothing about the program."""
    clocks = re.compile(r"\btime\.(time|perf_counter|monotonic)(_ns)?\(|\bdatetime\.now\(\) - ")
    sources = {path.name: path.read_text(encoding="utf-8") for path in TESTS.rglob("*.py")}
    assert [name for name, source in sources.items() if clocks.search(source)] == []


def test_no_file_of_the_tests_is_longer_than_400_lines() -> None:
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in TESTS.rglob("*.py")}
    assert {name: lines for name, lines in lengths.items() if lines > 400} == {}
