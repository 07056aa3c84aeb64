"""`certus.spark` against the evaluators of `pyspark.ml`: the answers first, then wall and processor seconds of each.

python bench/scale_spark.py [ROWS]      local[2]; processor time is that of the driver, the JVM and all Python workers
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
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

    def call(task: str, metrics: list[str], **names: str) -> Callable[[], dict[str, float]]:
        def evaluated() -> dict[str, float]:
            table = on_spark.evaluate(frame, metrics, truth="label", task=task, **names)
            return {row.metric.partition("(")[0]: row.value for row in table}

        return evaluated

    return {
        "AUC, AP": call("classification", ["AUC", "AP"], score="p"),
        "LogLoss": call("classification", ["LogLoss"], score="p"),
        "Accuracy, F1": call("classification", ["Accuracy", "F1"], pred="guess"),
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


def processor_time() -> float:
    """Seconds of processor time of this process and of all that it started."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)], ticks[int(entry.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    total = 0
    for process in ticks:
        at = process
        while at not in (0, os.getpid()):
            at = parents.get(at, 0)
        total += ticks[process] if at else 0
    return total / os.sysconf("SC_CLK_TCK")


def timed(call: Callable[[], Any]) -> tuple[Any, float, float]:
    """Result of the call, its wall and its processor time."""
    start, wall = processor_time(), time.perf_counter()
    found = call()
    return found, time.perf_counter() - wall, processor_time() - start


def main(rows: int) -> None:
    """Check the answers, and print a table."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with tempfile.TemporaryDirectory() as folder:
        right = expected(make(Path(folder), rows))
        builder = import_module("pyspark.sql").SparkSession.builder.master("local[2]")
        for name, value in {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.memory": "4g",
            "spark.sql.shuffle.partitions": "16",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
        }.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        frame = session.read.parquet(folder)
        small = frame.limit(1000)
        for call in (*ours(small).values(), *(call for _, _, call in peers(small))):
            call()  # JVM and workers are started
        print(f"{rows:,} rows\n{'metrics':14}{'by':36}{'wall s':>8}{'CPU s':>8}  value")
        for metrics, call in ours(frame).items():
            values, wall, cpu = timed(call)
            for metric, value in values.items():
                if not np.isclose(value, right[metric], rtol=1e-9, atol=0):
                    raise SystemExit(f"{metric}: certus gives {value}, scikit-learn {right[metric]}")
            shown = ", ".join(f"{value:.6f}" for value in values.values())
            print(f"{metrics:14}{'certus.spark':36}{wall:8.1f}{cpu:8.1f}  {shown}", flush=True)
        for metric, name, call in peers(frame):
            value, wall, cpu = timed(call)
            wrong = "" if np.isclose(value, right[metric], rtol=1e-9, atol=0) else f"  differs from {right[metric]:.6f}"
            print(f"{metric:14}{name:36}{wall:8.1f}{cpu:8.1f}  {value:.6f}{wrong}", flush=True)
        rankings(session, Path(folder) / "rankings", rows // 10)
        session.stop()


def rankings(session: Any, folder: Path, rows: int) -> None:
    """Print a table of rankings; certus evaluates them on the driver, where Spark's processes stay out of it."""
    certus = import_module("certus")
    folder.mkdir()
    qrels, run = make_rankings(folder, rows)
    print(f"{rows:,} ranking rows")
    (table, wall, cpu) = timed(lambda: certus.evaluate(qrels, run, ["AP", "nDCG@10", "P@10"], task="ranking"))
    shown = ", ".join(f"{row.value:.6f}" for row in table)
    print(f"{'MAP, nDCG, P':14}{'certus, in memory':36}{wall:8.1f}{cpu:8.1f}  {shown}", flush=True)
    for (metric, name, call), row in zip(ranking_peers(session, folder), table, strict=True):
        value, wall, cpu = timed(call)
        wrong = "" if np.isclose(value, row.value, rtol=1e-9, atol=0) else f"  differs from {row.value:.6f}"
        print(f"{metric:14}{name:36}{wall:8.1f}{cpu:8.1f}  {value:.6f}{wrong}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 10_000_000)
