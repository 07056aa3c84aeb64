"""Results of certus, test frameworks and experiment trackers, item by item."""

import ast
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import PurePath
from typing import Any

import numpy as np

from certus.io.formats import input_format
from certus.io.logs.content import Content, digest, fields, legible, number_of
from certus.io.scores import Scores, of_records
from certus.statistic.common import plural

_CONDITIONS = ("task", "queries", "ties", "unjudged")


def _has(names: Iterable[str], *alternatives: set[str]) -> bool:
    """True if all names of one of the alternatives are among these."""
    return any(alternative.issubset(names) for alternative in alternatives)


@input_format(
    "certus",
    "certus",
    results="`certus evaluate ... --per-query -o base.json`; of tables with `--id`",
    matches=lambda content: (
        _has(content.object, {"signature", "rows"}) and "certus" in (content.object["signature"] or ())
    ),
)
def certus(content: Content) -> Iterator[Scores]:
    """Read each query's or item's values; metrics whose value is not the mean of them are left out."""
    signature, rows = fields(content, content.object, ("signature", "rows"), "the file")
    by_metric: dict[tuple[str, str], dict[str, float]] = {}
    overall: dict[tuple[str, str], float] = {}
    for number, row in enumerate(rows, 1):
        run, metric, value = fields(content, row, ("run", "metric", "value"), f"row {number}")
        query, key = row.get("query"), (run, metric)
        if not all(isinstance(name, str) for name in (run, metric, "" if query is None else query)):
            raise content.error(f"row {number} has a name that is not text", "was the file changed?")
        if query is None:
            if row.get("group") is None and row.get("class") is None and row.get("among") is None:
                overall[key] = math.nan if value is None else value
        elif by_metric.setdefault(key, {}).setdefault(query, value) is not value:
            raise content.error(f"{metric} of {run} has two values of {query!r}", "was the file changed?")
    if not by_metric:
        raise content.error("holds no value of a single query or item", "write it with --per-query (and --id)")
    content.conditions.update({name: signature[name] for name in _CONDITIONS if name in signature})
    if signature.get("task") == "ranking":
        content.conditions["the hash of the judgments"] = next(iter(signature.get("inputs", {}).values()), None)
    for (run, metric), values in by_metric.items():
        scores = _stored_scores(content, signature, run, metric, values)
        if scores is not None and _is_mean(scores, overall.get((run, metric), math.nan)):
            yield scores
        else:
            unit = "queries" if signature.get("task") == "ranking" else "items"
            text = f"{metric} of {run} left out, as its value is not the mean of those of the {unit}"
            content.notice("no-mean", text)


def _stored_scores(
    content: Content, signature: Mapping[str, Any], run: str, metric: str, values: Mapping[str, float | None]
) -> Scores | None:
    """Scores of one metric in a result of certus; None if a unit has no value."""
    if None in values.values():
        return None
    clusters = signature.get("clusters", {}).get(run, {})
    for name, column in clusters.items():
        if len(column) != len(values):
            raise content.error(f"has {len(column)} {name} for {len(values)} values of {run}", "was the file changed?")
    weights = clusters.get("sample_weight")
    return Scores(
        run,
        metric,
        tuple(values),
        np.array(list(values.values()), dtype=np.float64),
        clusters.get("groups"),
        None if weights is None else np.array(weights, dtype=np.float64),
    )


def _is_mean(scores: Scores, value: float) -> bool:
    """True if the value is the mean of the scores, up to rounding."""
    mean = float(np.average(scores.values, weights=scores.weights))
    return math.isclose(mean, value, rel_tol=1e-9, abs_tol=1e-300)


_DEEPEVAL_RESULTS = {"success", "metricsData", "metrics_data"}
"""What a test case has of its results; a success of None, as where no metric decides it, is not written."""


def _cases(content: Content) -> Any:
    """Test cases of a DeepEval result, from a test run or from ``evaluate()``; None if there are none."""
    document = content.object
    run = document.get("testRunData", document)
    if isinstance(run, dict) and ("testCases" in run or "conversationalTestCases" in run):
        return [*(run.get("testCases") or ()), *(run.get("conversationalTestCases") or ())]
    return document.get("test_results")


def _deepeval_matches(content: Content) -> bool:
    """True if any test case in the content has DeepEval's result fields."""
    cases = _cases(content)
    return isinstance(cases, list) and any(_DEEPEVAL_RESULTS & set(case) for case in cases if isinstance(case, dict))


@input_format(
    "deepeval",
    "DeepEval",
    results="JSON of a test run (`testCases` with `metricsData`) or of `evaluate()` (`test_results` with "
    "`metrics_data`)",
    matches=_deepeval_matches,
)
def deepeval(content: Content) -> Iterator[Scores]:
    """Read each metric's score, and each test case's success."""
    run = content.object.get("testRunData", content.object)
    yield from content.parsed(_deepeval_cells(content), run.get("identifier") or content.stem)


def _deepeval_cells(content: Content) -> Iterator[tuple[None, str, str, Any]]:
    """Cells (no line, test case, metric, score) of DeepEval's results."""
    inputs: dict[str, Any] = {}
    for number, case in enumerate(_cases(content)):
        (name,) = fields(content, case, ("name",), f"test case {number}")
        question = case.get("input")
        if inputs.setdefault(name, question) != question:
            text = f"two test cases with different input are named {name!r}"
            raise content.error(text, "give each a name of its own")
        content.about.append((name, case))
        yield None, name, "success", case.get("success")
        for data in case.get("metricsData") or case.get("metrics_data") or ():
            (metric,) = fields(content, data, ("name",), f"a metric of test case {number}")
            yield None, name, metric, data.get("score")


_LIGHTEVAL_SUMMARY = {"results", "config_general", "summary_general"}
_LM_EVAL_SUMMARY = {"results", "configs", "n-samples"}


def _refuse_summary(content: Content, names: set[str], items: str, remedy: str) -> None:
    """Refuse a file with a tool's summary only, which has these fields and no values of items."""
    if _has(content.object, names):
        raise content.error(f"is the summary of a run, without the values of its {items}", remedy)


@input_format(
    "lighteval",
    "lighteval",
    results="`details_*.parquet` with `doc`, `metric` (before 0.10 `example`, `metrics`); needs `certus[arrow]`",
    matches=lambda content: (
        _has(content.object, _LIGHTEVAL_SUMMARY)
        or (content.data.startswith(b"PAR1") and _has(content.names, {"doc", "metric"}, {"example", "metrics"}))
    ),
)
def lighteval(content: Content) -> Iterator[Scores]:
    """Read each example's metrics."""
    remedy = "give details_*.parquet, which lighteval writes with --save-details"
    _refuse_summary(content, _LIGHTEVAL_SUMMARY, "examples", remedy)
    yield from content.parsed(_lighteval_cells(content), content.stem)


def _lighteval_cells(content: Content) -> Iterator[tuple[None, str, str, Any]]:
    """Cells (no line, example, metric, value) of lighteval's details."""
    corpus: dict[str, None] = {}
    for number, row in enumerate(content.parquet()):
        is_old = "doc" not in row
        doc, metrics = fields(content, row, ("example", "metrics") if is_old else ("doc", "metric"), f"row {number}")
        about = _parse_struct(doc)
        name = about.get("id") if isinstance(about, dict) else None
        text = about.get("query", about) if isinstance(about, dict) else about
        item = f"{number if name in (None, '') else name} {digest(text)}"
        values = _parse_struct(metrics)
        content.about.append((item, {**row, "example" if is_old else "doc": about}))
        if not isinstance(values, dict):
            raise content.error(f"row {number} has no dict of metrics", f"expected {lighteval.forms['results']}")
        for metric, value in values.items():
            if isinstance(value, dict | list):
                corpus[metric] = None
            else:
                yield None, item, metric, value
    for metric in corpus:
        content.notice("no-value", f"{metric} left out, as it is not one number for each example")


def _parse_struct(value: Any) -> Any:
    """Parse a struct that is stored as text; other values stay unchanged."""
    if not isinstance(value, str) or not value.startswith("{"):
        return value
    for read in (json.loads, ast.literal_eval):
        try:
            return read(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return value


_LM_EVAL_FIELDS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
_LM_EVAL_FIELDS |= {"doc_hash", "prompt_hash", "target_hash"}
_OTHER_LENGTH = -1
"""RULER has a metric for each length of the context and gives this to those that are not the document's."""


@input_format(
    "lm-eval",
    "lm-evaluation-harness",
    results="`samples_*.jsonl`: a line for each document with `doc_id`, `filter`, `metrics` and a value of each",
    matches=lambda content: (
        _has(content.first, {"doc_id", "filtered_resps"}, {"doc_id", "resps"}) or _has(content.object, _LM_EVAL_SUMMARY)
    ),
)
def lm_eval(content: Content) -> Iterator[Scores]:
    """Read each document's metrics; with several filters metrics are named metric,filter as by the tool."""
    remedy = "give samples_*.jsonl, which lm-eval writes beside it with --log_samples"
    _refuse_summary(content, _LM_EVAL_SUMMARY, "documents", remedy)
    system = PurePath(content.name).parent.name or content.stem
    records: list[tuple[str, str, str, float]] = []
    empty: dict[str, list[str]] = {}
    left_out: dict[str, None] = {}
    keys: list[tuple[str, str, str]] = []
    for line, record in content.lines():
        (document,) = fields(content, record, ("doc_id",), "the line", line)
        # the hash tells the documents of two tasks apart, which are numbered alike
        item = f"{document} {str(record.get('doc_hash', ''))[:12]}".strip()
        content.about.append((item, record))
        filter_name = record.get("filter", "none")
        metrics = record.get("metrics", [name for name in record if name not in _LM_EVAL_FIELDS])
        for metric in metrics:
            (value,) = fields(content, record, (metric,), "the line", line)
            name = metric if filter_name == "none" else f"{metric},{filter_name}"
            if metric.isdecimal() and value == _OTHER_LENGTH:
                continue
            keys.append((system, name, item))
            if value is None or value != value:
                empty.setdefault(name, []).append(item)
            elif isinstance(value, str) or (number := number_of(value)) is None:
                left_out[name] = None
            else:
                records.append((system, name, item, number))
    scored = {name for _, name, _, _ in records}
    left_out |= dict.fromkeys(name for name in empty if name not in scored)
    for name in left_out:
        content.notice("no-value", f"{name} left out, as it is not one number for each document")
    for name, items in empty.items():
        if name not in left_out:
            content.left_out(name, items, "as they are empty")
    content.lacking(keys)
    yield from of_records([record for record in records if record[1] not in left_out], repeats=False)


_PROMPTFOO_ERROR = 2
"""The reason of a failure that is not a failed assertion."""


def _promptfoo_matches(content: Content) -> bool:
    """True if the content is promptfoo's JSON: a config, and results with a list of results."""
    results = content.object.get("results")
    return isinstance(results, dict) and isinstance(results.get("results"), list) and "config" in content.object


@input_format(
    "promptfoo",
    "promptfoo",
    results="JSON of `promptfoo eval -o`: `results.results` and `config`",
    matches=_promptfoo_matches,
)
def promptfoo(content: Content) -> Iterator[Scores]:
    """Read each test's success, score and named scores; tests with the same variables are repeats."""
    results = content.object["results"]["results"]
    stats = content.object["results"].get("stats") or {}
    counts: list[Any] = [stats.get(name) for name in ("successes", "failures", "errors")]
    # they are sums over the prompts that ended, so that an evaluation that was interrupted or resumed counts fewer
    total = sum(counts) if all(isinstance(count, int) for count in counts) else len(results)
    if total > len(results):
        text = f"has {len(results)} results, but its stats count {total}"
        raise content.error(text, "export the evaluation again, as a whole")
    if total < len(results):
        content.notice("counts", f"the stats count {total} of its {len(results)} results; all are read")
    numbers = ("promptIdx", "testIdx")
    numbered = (result for result in results if isinstance(result, dict) and all(name in result for name in numbers))
    keys = ((None, (str(result.get("provider")), *(result[name] for name in numbers))) for result in numbered)
    content.check_unique(keys, "the provider, prompt and test")
    prompts = {_prompt(result) for result in results}
    records: list[tuple[str, str, str, float]] = []
    errors: list[str] = []
    for number, result in enumerate(results):
        provider, success, score = fields(content, result, ("provider", "success", "score"), f"result {number}")
        variables = result.get("vars") or (result.get("testCase") or {}).get("vars") or {}
        test = result.get("testCase") or {}
        about = test.get("description") or ", ".join(f"{name}={value}" for name, value in variables.items())
        item = legible(str(about), [variables, test.get("assert"), test.get("description")])
        content.about.append((item, {**result, "vars": variables}))
        name = (provider.get("label") or provider.get("id")) if isinstance(provider, dict) else provider
        system = str(name) if len(prompts) == 1 else f"{name} {_prompt(result)}"
        if result.get("failureReason") == _PROMPTFOO_ERROR or (result.get("error") and not result.get("gradingResult")):
            errors.append(item)
        values: dict[str, Any] = {"success": success, "score": score, **(result.get("namedScores") or {})}
        for metric, value in values.items():
            parsed = number_of(value)
            if parsed is None:
                raise content.error(f"result {number} has {metric} {value!r}, which is not a number")
            records.append((system, metric, item, parsed))
    if errors:
        text = f"{len(errors)} of {len(results)} results are errors; they count as promptfoo counts them, as failures"
        content.notice("errors", text, errors)
    content.lacking((system, metric, item) for system, metric, item, _ in records)
    yield from of_records(records)


def _prompt(result: Any) -> str:
    """Label of a result's prompt, or its text."""
    prompt = result.get("prompt") if isinstance(result, dict) else None
    return str(prompt.get("label") or prompt.get("raw") or "") if isinstance(prompt, dict) else ""


_TRIED = ("resolved_ids", "unresolved_ids", "error_ids")
_UNTRIED = ("incomplete_ids", "empty_patch_ids")


@input_format(
    "swe-bench",
    "SWE-bench",
    results="the report of a run: `total_instances`, `resolved_ids`, `unresolved_ids`, ...",
    matches=lambda content: _has(
        [name for name, value in content.object.items() if isinstance(value, list)],
        {"resolved_ids"},
        {"resolved", "no_generation"},
    ),
)
def swe_bench(content: Content) -> Iterator[Scores]:
    """1 for each resolved instance, 0 for all others of the data set, submitted or not."""
    if "resolved_ids" not in content.object:
        problem = "lists what is resolved, but not all instances"
        raise content.error(problem, "give the report of the run (`*.RUN_ID.json`)")
    report = content.object
    total, resolved, *_ = fields(content, report, ("total_instances", *_TRIED), "the report")
    # reports of SWE-bench 2.0 list only what was tried
    parts = {name: report.get(name, []) for name in (*_TRIED[1:], *_UNTRIED)}
    items = dict.fromkeys(chain(resolved, *parts.values()))
    if len(items) < total and not set(_UNTRIED) <= set(report):
        raise content.error(
            f"names {len(items)} of its {total} instances; early reports leave out what was not submitted",
            "write the report again with a newer SWE-bench",
        )
    if len(items) != total:
        raise content.error(f"lists {len(items)} instances, but total_instances is {total}", "was the file changed?")
    if report.get("resolved_instances", len(resolved)) != len(resolved):
        text = f"lists {len(resolved)} resolved instances, but resolved_instances is {report['resolved_instances']}"
        raise content.error(text, "was the file changed?")
    if overlap := set(resolved) & set(chain(*parts.values())):
        raise content.error(f"has {min(overlap)!r} as resolved and as not resolved")
    untested = {name: ids for name, ids in parts.items() if name != "unresolved_ids" and ids}
    if untested:
        counts = ", ".join(f"{len(ids)} in {name}" for name, ids in untested.items())
        items_named = tuple(dict.fromkeys(chain(*untested.values())))
        text = f"{len(items_named)} of {total} instances have no test result ({counts}); as in SWE-bench, not resolved"
        content.notice("errors", text, items_named)
    if foreign := [name for name in report.get("submitted_ids") or () if name not in items]:
        text = f"{plural(len(foreign), 'submitted instance')} left out, as the data set has no such instance"
        content.notice("no-value", text, foreign)
    # an instance is called after its repository and the number of a pull request there
    content.about += [(item, {"repo": item.rpartition("-")[0]}) for item in items]
    right, system = set(resolved), content.stem.split(".")[0]
    yield from of_records(((system, "resolved", item, float(item in right)) for item in items), repeats=False)


_PHOENIX = re.compile(r"annotation_(.+)_score")
_RAGAS = {"user_input", "retrieved_contexts", "reference_contexts", "retrieved_context_ids", "reference_context_ids"}
_RAGAS |= {"response", "multi_responses", "reference", "rubrics", "rubric", "persona_name", "query_style"}
_RAGAS |= {"query_length", "question", "contexts", "answer", "ground_truth", "ground_truths"}
_RAGAS |= {"reference_tool_calls", "synthesizer_name"}


@input_format(
    "langsmith",
    "LangSmith",
    results="`to_pandas()` of an experiment, as CSV: `example_id`, `feedback.*`",
    matches=lambda content: (
        "example_id" in content.names and any(name.startswith("feedback.") for name in content.names)
    ),
)
def langsmith(content: Content) -> Iterator[Scores]:
    """Read the feedback on each example; repeated runs of an example are its repeats."""
    columns = {name: name.removeprefix("feedback.") for name in content.names if name.startswith("feedback.")}
    yield from content.parsed(_by_example(content, columns), content.stem)


@input_format(
    "phoenix",
    "Phoenix",
    results="the CSV of an experiment: `example_id`, `repetition_number`, `annotation_*_score`",
    matches=lambda content: (
        _has(content.names, {"example_id", "repetition_number"}) and any(map(_PHOENIX.fullmatch, content.names))
    ),
)
def phoenix(content: Content) -> Iterator[Scores]:
    """Read each annotation's score; repetitions of an example are its repeats."""
    keys = ((line, (row["example_id"], row["repetition_number"])) for line, row in content.records())
    content.check_unique(keys, "the example and repetition")
    columns = {name: match[1] for name in content.names if (match := _PHOENIX.fullmatch(name))}
    yield from content.parsed(_by_example(content, columns), content.stem)


def _by_example(content: Content, columns: dict[str, str]) -> Iterator[tuple[int | None, str, str, Any]]:
    """Cells (line, example, metric, value) of a table with one row for each run or annotation."""
    for line, row in content.records():
        item = row.get("example_id")
        if item in (None, ""):
            raise content.error("column 'example_id' is empty", "it names the example", line=line)
        content.about.append((str(item), row))
        for column, metric in columns.items():
            yield line, str(item), metric, row.get(column)


_LANGFUSE_ITEMS = ("datasetItemId", "dataset_item_id", "traceId", "trace_id", "sessionId", "session_id")
"""The kinds of object that a score can belong to, from the narrowest to the widest."""


@input_format(
    "langfuse",
    "Langfuse",
    results="scores as CSV, one a row: `name`, `value`, `source`, `traceId`",
    matches=lambda content: any(
        _has(content.names, {"name", "value", "source", trace}) for trace in ("traceId", "trace_id")
    ),
)
def langfuse(content: Content) -> Iterator[Scores]:
    """Read numeric and boolean scores of data-set items, otherwise of traces or sessions."""
    yield from content.parsed(_langfuse_cells(content), content.stem)


def _langfuse_cells(content: Content) -> Iterator[tuple[int | None, str, str, Any]]:
    """Cells (line, item, metric, value) of Langfuse's scores; items are data-set items, traces or sessions."""
    runs_by_name: dict[str, list[str]] = {}
    items_by_kind: dict[tuple[str, str], list[str]] = {}
    for line, row in content.records():
        kind = str(row.get("dataType") or row.get("data_type") or "NUMERIC").upper()
        item = next((row[name] for name in _LANGFUSE_ITEMS if row.get(name)), None)
        run = row.get("datasetRunId") or row.get("dataset_run_id")
        if item is None and not run:
            raise content.error("has no traceId", "a score belongs to a trace, a session or a run", line=line)
        if item is None:
            runs_by_name.setdefault(str(row["name"]), []).append(str(run))
        elif kind not in ("NUMERIC", "BOOLEAN"):
            items_by_kind.setdefault((str(row["name"]), kind.lower()), []).append(str(item))
        else:
            content.about.append((str(item), row))
            yield line, str(item), str(row["name"]), row["value"]
    for name, runs in runs_by_name.items():
        content.left_out(name, runs, "as they are of a whole run")
    for (name, kind), items in items_by_kind.items():
        content.left_out(name, items, f"as they are {kind}")


@input_format(
    "ragas",
    "RAGAS",
    results="`to_pandas()` of a result, as CSV: `user_input`, `response` and a column for each metric",
    matches=lambda content: _has(content.names, {"user_input", "response"}, {"question", "answer", "contexts"}),
)
def ragas(content: Content) -> Iterator[Scores]:
    """Read every column that is not part of the sample; items are named by their question."""
    question = "user_input" if "user_input" in content.names else "question"
    columns = [name for name in content.names if name not in _RAGAS]
    if not columns:
        raise content.error("has samples as RAGAS writes them, but no column of a metric")
    cells = []
    for line, row in content.records():
        item = legible(str(row[question] or ""))
        content.about.append((item, row))
        cells += [(line, item, name, row.get(name)) for name in columns]
    yield from content.parsed(cells, content.stem)


@input_format(
    "mlflow",
    "MLflow",
    results="`eval_results_table.json`: `columns` with `NAME/score`, and `data`",
    matches=lambda content: (
        content.object.keys() == {"columns", "data"} and isinstance(content.object["columns"], list)
    ),
)
def mlflow(content: Content) -> Iterator[Scores]:
    """Read every column that ends in /score or /value; items are named by position and inputs."""
    columns, data = content.object["columns"], content.object["data"]
    metrics = {index: name.rpartition("/")[0] for index, name in enumerate(columns) if _of_metric(name)}
    if not metrics or not isinstance(data, list):
        problem = "is a table of columns and data without a column NAME/score"
        raise content.error(problem, f"expected {mlflow.forms['results']}")
    inputs = next((columns.index(name) for name in ("inputs", "request", "question") if name in columns), None)
    cells: list[tuple[int | None, str, str, Any]] = []
    for number, row in enumerate(data):
        if not isinstance(row, list) or len(row) != len(columns):
            raise content.error(f"row {number} does not have {len(columns)} cells, one for each column")
        item = f"{number}" if inputs is None else f"{number} {digest(row[inputs])}"
        content.about.append((item, dict(zip(map(str, columns), row, strict=True))))
        cells += [(None, item, metric, _rating(row[index])) for index, metric in metrics.items()]
    yield from content.parsed(cells, content.stem)


def _rating(value: Any) -> Any:
    """Value as MLflow averages it: yes is 1, no is 0, unknown is left out."""
    return {"yes": 1.0, "no": 0.0, "unknown": None}.get(value.lower(), value) if isinstance(value, str) else value


def _of_metric(name: Any) -> bool:
    """True if the name is that of an MLflow metric column: it ends in /score or /value."""
    return isinstance(name, str) and name.endswith(("/score", "/value"))
