"""`certus.spark` against the evaluators of `pyspark.ml`: the answers first, then wall and processor seconds of each.

python bench/scale_spark.py [ROWS]      local[2]; processor time is that of the driver, the JVM and all Python workers
python bench/scale_spark.py --areas [ROWS]    areaUnderROC and areaUnderPR alone, each once
python bench/scale_spark.py --rankings [ROWS]    rankings alone
python bench/scale_spark.py --partitions [ROWS [PARTITIONS ...]]    certus.spark alone, in 1, 7, 50 and 200 partitions

Each call is made four times, in turn, and the least processor time counts; those of `pyspark.ml` that sort all scores
are made once.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np

PART = 1_000_000
POSITIVE = 0.01
"""Share of positives: rare, as where average precision is used."""
RETRIEVED = 10
"""Documents of each ranking."""


def make(folder: Path, rows: int) -> dict[str, Any]:
    """Write the rows as Parquet, and return them."""
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    parts = []
    for number, start in enumerate(range(0, rows, PART)):
        rng = np.random.default_rng(number)
        n = min(PART, rows - start)
        label = (rng.random(n) < POSITIVE).astype(np.float64)
        p = 1 / (1 + np.exp(-rng.normal(-4.6 + 3 * label, 1.5)))
        part = {"label": label, "p": p, "guess": (p > 0.1).astype(np.float64), "x": label + rng.normal(size=n)}
        parquet.write_table(pyarrow.table(part), folder / f"part-{number:03}.parquet")
        parts.append(part)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def expected(data: dict[str, Any]) -> dict[str, float]:
    """The values by scikit-learn."""
    theirs = import_module("sklearn.metrics")
    label, p, guess, x = data["label"], data["p"], data["guess"], data["x"]
    return {
        "AUC": theirs.roc_auc_score(label, p),
        "AP": theirs.average_precision_score(label, p),
        "LogLoss": theirs.log_loss(label, p),
        "Accuracy": theirs.accuracy_score(label, guess),
        "F1": theirs.f1_score(label, guess),
        "MAE": theirs.mean_absolute_error(label, x),
        "MSE": theirs.mean_squared_error(label, x),
        "R2": theirs.r2_score(label, x),
    }


def ours(frame: Any) -> dict[str, Callable[[], dict[str, float]]]:
    """The calls of certus by what they give."""
    on_spark = import_module("certus.spark")

    def call(task: str, metrics: list[str], **names: Any) -> Callable[[], dict[str, float]]:
        def evaluated() -> dict[str, float]:
            table = on_spark.evaluate(frame, metrics, truth="label", task=task, **names)
            return {row.metric.partition("(")[0]: row.value for row in table}

        return evaluated

    return {
        "AUC, AP": call("classification", ["AUC", "AP"], score="p"),
        "LogLoss": call("classification", ["LogLoss"], score="p"),
        "Accuracy, F1": call("classification", ["Accuracy", "F1"], pred="guess"),
        "MAE": call("regression", ["MAE"], pred="x"),
        "MAE, MSE": call("regression", ["MAE", "MSE"], pred="x"),
        "R2": call("regression", ["R2"], pred="x"),
    }


def peers(frame: Any) -> list[tuple[str, str, Callable[[], float]]]:
    """Measurements of `pyspark.ml`: the metric meant, the evaluator, its call."""
    ml, functions = import_module("pyspark.ml.evaluation"), import_module("pyspark.sql.functions")
    binary, classes, numbers = (
        ml.BinaryClassificationEvaluator,
        ml.MulticlassClassificationEvaluator,
        ml.RegressionEvaluator,
    )
    vector = import_module("pyspark.ml.functions").array_to_vector
    both = vector(functions.array(1 - functions.col("p"), functions.col("p")))
    with_vector = frame.withColumn("probability", both)
    found: list[tuple[str, str, Callable[[], float]]] = []
    for metric, name in (("AUC", "areaUnderROC"), ("AP", "areaUnderPR")):
        for bins in (1000, 0):
            made = binary(rawPredictionCol="p", metricName=name, numBins=bins)
            found.append((metric, f"{name}, numBins={bins}", partial(made.evaluate, frame)))
    loss = classes(predictionCol="guess", probabilityCol="probability", metricName="logLoss")
    found.append(("LogLoss", "logLoss", partial(loss.evaluate, with_vector)))
    for metric, name in (("Accuracy", "accuracy"), ("F1", "f1")):
        guess = classes(predictionCol="guess", metricName=name)
        found.append((metric, name, partial(guess.evaluate, frame)))
    for metric, name in (("MAE", "mae"), ("MSE", "mse"), ("R2", "r2")):
        regression = numbers(predictionCol="x", metricName=name)
        found.append((metric, name, partial(regression.evaluate, frame)))
    return found


def make_rankings(folder: Path, rows: int) -> tuple[Any, Any]:
    """Write rankings of ten documents and judgments as Parquet, and return both; one query in ten has no hit."""
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    rng = np.random.default_rng(7)
    queries = max(rows // RETRIEVED, 1)
    query = np.repeat(np.arange(queries), RETRIEVED)
    doc = np.tile(np.arange(RETRIEVED), queries)
    run = pyarrow.table({"query": query, "doc": doc, "score": rng.random(len(query))})
    relevant = (rng.random(len(query)) < 0.2) & np.repeat(rng.random(queries) > 0.1, RETRIEVED)
    missed = np.arange(queries)  # a relevant document of each query that is not retrieved
    qrels = pyarrow.table(
        {
            "query": np.concatenate([query[relevant], missed]),
            "doc": np.concatenate([doc[relevant], np.full(queries, RETRIEVED)]),
            "relevance": np.ones(int(relevant.sum()) + queries, dtype=np.int64),
        }
    )
    for name, table in (("run", run), ("qrels", qrels)):
        (folder / name).mkdir()
        parquet.write_table(table, folder / name / "part.parquet")
    return qrels, run


def ranking_peers(session: Any, folder: Path) -> list[tuple[str, str, Callable[[], float]]]:
    """The evaluator of rankings, from rows to arrays included."""
    ml, sql = import_module("pyspark.ml.evaluation"), import_module("pyspark.sql.functions")

    def lists() -> Any:
        tables = (session.read.parquet(str(folder / name)) for name in ("run", "qrels"))
        run, qrels = (table.withColumn("doc", sql.col("doc").cast("double")) for table in tables)
        ordered = sql.sort_array(sql.collect_list(sql.struct(-sql.col("score"), "doc"))).getField("doc")
        found = run.groupBy("query").agg(ordered.alias("prediction"))
        return found.join(qrels.groupBy("query").agg(sql.collect_list("doc").alias("label")), "query")

    def value(name: str) -> float:
        return float(ml.RankingEvaluator(metricName=name, k=RETRIEVED).evaluate(lists()))

    names = (("MAP", "meanAveragePrecision"), ("nDCG@10", "ndcgAtK"), ("P@10", "precisionAtK"))
    return [(metric, name, partial(value, name)) for metric, name in names]


_TICKS: dict[tuple[str, str], int] = {}
"""Those of each process by its number and start, the last that were seen: Spark ends workers that have no work."""


def processor_time() -> float:
    """Seconds of processor time of this process and of all that it started."""
    parents: dict[str, tuple[str, str, int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[entry.name] = fields[1], fields[19], int(fields[11]) + int(fields[12])
    for process, (_, start, ticks) in parents.items():
        at = process
        while at in parents and at != str(os.getpid()):
            at = parents[at][0]
        if at in parents:
            _TICKS[process, start] = ticks
    return sum(_TICKS.values()) / os.sysconf("SC_CLK_TCK")


def timed(call: Callable[[], Any]) -> tuple[Any, float, float]:
    """Result of the call, its wall and its processor time."""
    start, wall = processor_time(), time.perf_counter()
    ended = Event()

    def look() -> None:
        while not ended.wait(0.5):
            processor_time()

    looking = Thread(target=look)
    looking.start()
    try:
        found = call()
    finally:
        ended.set()
        looking.join()
    return found, time.perf_counter() - wall, processor_time() - start


def least(calls: Mapping[str, Callable[[], Any]], times: int = 4) -> dict[str, tuple[Any, float, float]]:
    """Result, wall and processor time of each call, made in turn; those of the least processor time."""
    best: dict[str, tuple[Any, float, float]] = {}
    for _ in range(times):
        for name, call in calls.items():
            found = timed(call)
            best[name] = min(found, best.get(name, found), key=lambda each: each[2])
    return best


def started(driver: str) -> Any:
    """A session of Spark on this machine."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = import_module("pyspark.sql").SparkSession.builder.master("local[2]")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": driver,
        "spark.sql.shuffle.partitions": "16",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def line(metric: str, name: str, wall: float, cpu: float, shown: str) -> None:
    """Print a line of the table."""
    print(f"{metric:24}{name:32}{wall:8.1f}{cpu:8.1f}  {shown}", flush=True)


def beside(value: float, right: float) -> str:
    """A value of another tool, and the right one where it differs."""
    wrong = "" if np.isclose(value, right, rtol=1e-9, atol=0) else f"  differs from {right:.6f}"
    return f"{value:.6f}{wrong}"


def main(rows: int) -> None:
    """Check the answers, and print a table."""
    with tempfile.TemporaryDirectory() as folder:
        right = expected(make(Path(folder), rows))
        session = started("3g")
        frame = session.read.parquet(folder)
        mine = ours(frame)
        theirs = peers(frame)
        for call in (*ours(frame.limit(1000)).values(), *(call for _, _, call in peers(frame.limit(1000)))):
            call()  # JVM and workers are started
        print(f"{rows:,} rows\n{'metrics':24}{'by':32}{'wall s':>8}{'CPU s':>8}  value")
        best = least(mine | {name: call for _, name, call in theirs if not name.startswith("area")})
        for metrics in mine:
            values, wall, cpu = best[metrics]
            for metric, value in values.items():
                if not np.isclose(value, right[metric], rtol=1e-9, atol=0):
                    raise SystemExit(f"{metric}: certus gives {value}, scikit-learn {right[metric]}")
            line(metrics, "certus.spark", wall, cpu, ", ".join(f"{value:.6f}" for value in values.values()))
        for metric, name, _ in theirs:
            if name in best:
                value, wall, cpu = best[name]
                line(metric, name, wall, cpu, beside(value, right[metric]))
        rankings(session, Path(folder) / "rankings", 1_000_000)
        labels(session, Path(folder) / "labels", 1_000_000)
        if rows <= PART:
            areas_of(frame, right)
        session.stop()


def areas(session: Any, folder: Path, rows: int) -> None:
    """Print a table of the evaluators that sort all scores."""
    folder.mkdir()
    right = expected(make(folder, rows))
    frame = session.read.parquet(str(folder))
    print(f"{rows:,} rows")
    table, wall, cpu = timed(ours(frame)["AUC, AP"])
    line("AUC, AP", "certus.spark", wall, cpu, ", ".join(map(str, table.values())))
    areas_of(frame, right)


def areas_of(frame: Any, right: dict[str, float]) -> None:
    """Print a line of each of them."""
    for metric, name, call in peers(frame):
        if name.startswith("area"):
            value, wall, cpu = timed(call)
            line(metric, name, wall, cpu, beside(value, right[metric]))


def rankings(session: Any, folder: Path, rows: int) -> None:
    """Print a table of rankings."""
    certus, on_spark = import_module("certus"), import_module("certus.spark")
    folder.mkdir()
    qrels, run = make_rankings(folder, rows)
    judged, found = (session.read.parquet(str(folder / name)) for name in ("qrels", "run"))
    metrics = ["AP", "nDCG@10", "P@10"]
    print(f"{rows:,} ranking rows")
    right = {row.metric: row.value for row in certus.evaluate(qrels, run, metrics, task="ranking")}

    def ours(asked: list[str]) -> Any:
        return on_spark.evaluate(found, asked, qrels=judged, task="ranking")

    theirs = ranking_peers(session, folder)
    mine = {", ".join(asked): partial(ours, asked) for asked in (metrics, *([each] for each in metrics))}
    best = least(mine | {name: call for _, name, call in theirs}, 8)
    for asked in mine:
        values, wall, cpu = best[asked]
        if any(row.value != right[row.metric] for row in values):
            raise SystemExit("the values on Spark are not those in memory")
        line(asked, "certus.spark", wall, cpu, ", ".join(f"{row.value:.6f}" for row in values))
    for (_, name, _), (metric, its) in zip(theirs, right.items(), strict=True):
        value, wall, cpu = best[name]
        line(metric, name, wall, cpu, beside(value, its))


LABELS = 5
"""Labels that a sample may have."""


def labels(session: Any, folder: Path, rows: int) -> None:
    """Print a table of several labels per sample."""
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    theirs, on_spark = import_module("sklearn.metrics"), import_module("certus.spark")
    sql, evaluation = import_module("pyspark.sql.functions"), import_module("pyspark.ml.evaluation")
    rng = np.random.default_rng(3)
    true = rng.random((rows, LABELS)) < 0.3
    guess = true ^ (rng.random((rows, LABELS)) < 0.1)
    names = {
        "truth": [f"t{position}" for position in range(LABELS)],
        "pred": [f"g{position}" for position in range(LABELS)],
    }
    columns = {
        name: each[:, position].astype(np.int8)
        for key, each in (("truth", true), ("pred", guess))
        for position, name in enumerate(names[key])
    }
    folder.mkdir()
    parquet.write_table(pyarrow.table(columns), folder / "part.parquet")
    frame = session.read.parquet(str(folder))
    right = {"Hamming": theirs.hamming_loss(true, guess), "SubsetAccuracy": theirs.accuracy_score(true, guess)}
    asked = {"Hamming": "hammingLoss", "SubsetAccuracy": "subsetAccuracy"}

    def listed(columns: list[str]) -> Any:
        marked = (sql.when(sql.col(name) == 1, float(position)) for position, name in enumerate(columns))
        return sql.filter(sql.array(*marked), lambda each: each.isNotNull())

    arrays = frame.select(listed(names["truth"]).alias("label"), listed(names["pred"]).alias("prediction"))
    calls: dict[str, Callable[[], Any]] = {
        "certus.spark": lambda: on_spark.evaluate(frame, [*asked], task="multilabel", **names)
    }
    for name in asked.values():
        calls[name] = partial(evaluation.MultilabelClassificationEvaluator(metricName=name).evaluate, arrays)
    best = least(calls)
    print(f"{rows:,} samples of {LABELS} labels")
    table, wall, cpu = best["certus.spark"]
    line(", ".join(asked), "certus.spark", wall, cpu, ", ".join(beside(row.value, right[row.metric]) for row in table))
    for metric, name in asked.items():
        value, wall, cpu = best[name]
        line(metric, name, wall, cpu, beside(value, right[metric]))


def partitions(rows: int, numbers: Sequence[int]) -> None:
    """Print the times of `certus.spark` by the number of partitions; values have to be the same digits."""
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder), rows)
        session = started("3g")
        frame = session.read.parquet(folder)
        digits: dict[str, set[str]] = {}
        print(f"{rows:,} rows\n{'metrics':24}{'partitions':>12}{'wall s':>8}{'CPU s':>8}")
        for parts in numbers:
            dealt = frame.repartition(parts).cache()
            dealt.count()
            for metrics, call in ours(dealt).items():
                call()
                values, wall, cpu = timed(call)
                print(f"{metrics:24}{parts:12}{wall:8.1f}{cpu:8.1f}  {values}", flush=True)
                digits.setdefault(metrics, set()).add(repr(values))
            dealt.unpersist()
        if wrong := [metrics for metrics, found in digits.items() if len(found) > 1]:
            raise SystemExit(f"the number of partitions changes {', '.join(wrong)}")
        session.stop()


def alone(rows: int, what: Callable[[Any, Path, int], None]) -> None:
    """Print one of the tables."""
    with tempfile.TemporaryDirectory() as folder:
        session = started("3g")
        what(session, Path(folder) / "rows", rows)
        session.stop()


if __name__ == "__main__":
    modes = [each for each in sys.argv[1:] if each.startswith("--")]
    given = [int(each) for each in sys.argv[1:] if not each.startswith("--")]
    if modes == ["--partitions"]:
        partitions(given[0] if given else 10_000_000, given[1:] or (1, 7, 50, 200))
    elif modes:
        alone(given[0] if given else 1_000_000, {"--areas": areas, "--rankings": rankings}[modes[0]])
    else:
        main(given[0] if given else 10_000_000)
