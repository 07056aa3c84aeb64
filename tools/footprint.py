"""Peak memory of the kinds of metrics of docs/scale.md, and the bytes that Spark sends to the driver for each.

python tools/footprint.py --python OLD/bin/python --save old.json
python tools/footprint.py --python NEW/bin/python --against old.json

Peak memory is that of `certus evaluate` on Parquet files with --memory 200MB, as in bench/scale_kinds.py, whose files
and kinds these are; without a limit where `--whole` is given. Bytes to the driver are the sizes of the results of all
tasks, as Spark's status has them. Exit status 1 where a figure is more than 1.1 times what was saved and 5 MB (1,000
bytes) more.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

BENCH = Path(__file__).resolve().parents[1] / "bench"
LIMIT = "200MB"
MORE = 1.1
SLACK = {"peak MB": 5.0, "bytes": 1000.0}
NUMBERS, SCORES = '"regression", truth="t", ', '"classification", truth="y", score="p"'
SPARK = {
    "AUC, AP": f"['AUC', 'AP'], task={SCORES}",
    "LogLoss": f"'LogLoss', task={SCORES}",
    "Accuracy, F1": "['Accuracy', 'F1'], task='classification', truth='y', pred='guess'",
    **{name: f"{name!r}, task={NUMBERS}pred='z'" for name in ("MAE", "R2", "Pearson", "Spearman", "MedAE")},
    "AUC by country": f"'AUC', task={SCORES}, by='country'",
    "Accuracy, groups": "'Accuracy', task='classification', truth='y', pred='guess', groups='user'",
}
CODE = """
import json, urllib.request, sys
from pyspark.sql import SparkSession
import certus.spark
builder = SparkSession.builder.master("local[1]").config("spark.ui.showConsoleProgress", "false")
for name in ("spark.driver.bindAddress", "spark.driver.host"):
    builder = builder.config(name, "127.0.0.1")
session = builder.getOrCreate()
session.sparkContext.setLogLevel("OFF")
address = f"{{session.sparkContext.uiWebUrl}}/api/v1/applications/{{session.sparkContext.applicationId}}/stages"
def sent():
    with urllib.request.urlopen(address) as answer:
        return sum(stage["resultSize"] for stage in json.load(answer))
frame = session.read.parquet({folder!r}).repartition(7).cache()
frame.count()
found = {{}}
for name, line in {calls!r}.items():
    before = sent()
    eval(f"certus.spark.evaluate(frame, {{line}})", {{"frame": frame, "certus": certus}})
    found[name] = sent() - before
print("FOUND" + json.dumps(found))
"""
Figures = dict[str, float]


def memory(python: Path, folder: Path, *, whole: bool) -> Figures:
    """Peak memory of each kind, in MB."""
    from scale_kinds import KINDS
    from scale_parquet import run

    limit = [] if whole else ["--memory", LIMIT]
    found = {}
    for kind, line in KINDS.items():
        command = [str(python), "-m", "certus", "evaluate", str(folder / "part-*.parquet"), *line.split(), *limit]
        found[kind] = round(run([*command, "--format", "json"])[2], 1)
        print(f"{kind:36}{found[kind]:12,.0f} MB", flush=True)
    return found


def on_spark(python: Path, folder: Path) -> Figures:
    """Bytes of the results of tasks, by kind."""
    code = CODE.format(folder=str(folder), calls=SPARK)
    answer = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True)
    found: Figures = json.loads(answer.stdout.rpartition("FOUND")[2])
    for kind, size in found.items():
        print(f"{kind:36}{size:12,.0f} bytes to the driver", flush=True)
    return found


def grown(before: dict[str, Figures], after: dict[str, Figures]) -> list[str]:
    """A line for each figure that is larger than it was."""
    return [
        f"{kind}: {before[unit][kind]:,.0f} {unit} became {value:,.0f}"
        for unit, figures in after.items()
        for kind, value in figures.items()
        if kind in before.get(unit, {}) and value > max(MORE * before[unit][kind], before[unit][kind] + SLACK[unit])
    ]


def main() -> int:
    """Measure, print, save or compare."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--python", type=Path, default=Path(sys.executable))
    made.add_argument("--rows", type=int, default=1_000_000)
    made.add_argument("--whole", action="store_true", help="peak memory without a limit")
    made.add_argument("--no-memory", action="store_true")
    made.add_argument("--no-spark", action="store_true")
    made.add_argument("--save", type=Path)
    made.add_argument("--against", type=Path)
    options = made.parse_args()
    python = options.python.absolute()
    figures: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory() as name:
        code = f"from pathlib import Path; import scale_kinds; scale_kinds.make(Path({name!r}), {options.rows})"
        subprocess.run([sys.executable, "-c", code], cwd=BENCH, check=True)
        if not options.no_memory:
            sys.path.insert(0, str(BENCH))
            figures["peak MB"] = memory(python, Path(name), whole=options.whole)
        if not options.no_spark:
            figures["bytes"] = on_spark(python, Path(name))
    if options.save is not None:
        options.save.write_text(json.dumps(figures, indent=1) + "\n")
    lines = grown(json.loads(options.against.read_text()), figures) if options.against is not None else []
    print(*lines, sep="\n")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
