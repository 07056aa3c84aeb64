"""Run 400 command lines, write down what they print and their exit status, and compare with what was written before.

python tools/transcript.py --python OLD/bin/python --save old.txt
python tools/transcript.py --python NEW/bin/python --against old.txt [--numbers]

The lines stand in transcript_lines.txt: every command, every option with a value, and wrong inputs. They run in one
process, by the entry point of the command, in a folder of files that this module makes; what a line writes is removed
before the next one. With --numbers a line differs in its status or in the numbers on standard output alone.
"""

import argparse
import csv
import difflib
import json
import random
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from net.differences import NUMBER

HERE = Path(__file__).resolve().parent
LINES = HERE / "transcript_lines.txt"
START = "-------- certus "
"""What a command line stands behind in a transcript."""
MADE = (
    "evaluate t.csv --task classification --truth y --pred p --save-state rows.state",
    "audit sample t.csv --size 30 --seed 1 -o plain.csv",
    "audit sample t.csv --size 30 --seed 1 --by c -o strata.csv",
    "audit sample t.csv --size 30 --seed 1 --predicted p -o predicted.csv",
)
"""Lines whose files others read."""
CODE = """
import json, os, pathlib, shutil, sys
sys.path.insert(0, {tools!r})
import worker
folder, keep = pathlib.Path(), {keep!r}
before = {{path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}}
channel = os.fdopen(os.dup(1), "w")
for words in json.load(open("lines.json")):
    outcome = worker.command(words)
    channel.write(json.dumps(outcome) + "\\n")
    for path in [] if keep else sorted(folder.rglob("*"), reverse=True):
        if path not in before:
            path.rmdir() if path.is_dir() else path.unlink()
    for path, data in [] if keep else before.items():
        if data is not None and (not path.is_file() or path.read_bytes() != data):
            path.write_bytes(data)
"""


def write_files(folder: Path) -> None:
    """The files that the lines read, but those of MADE."""
    draw = random.Random(0)
    grades = (0, 0, 1, 1, 2)
    cells = [(f"q{q}", f"d{d}") for q in range(1, 9) for d in range(8)]
    texts = {
        "qrels": "".join(f"{q} 0 {d} {draw.choice(grades)}\n" for q, d in cells),
        "sampled.txt": "".join(f"{q} 0 {d} {int(d[1:]) % 2} {draw.choice((-1, 0, 1, 1, 2))}\n" for q, d in cells),
        "prels.txt": "".join(f"{q} {d} {draw.choice((0, 1))} 1 0.5\n" for q, d in cells),
        "groups.txt": "".join(f"q{q} {q % 4}\n" for q in range(1, 9)),
        "there.csv": "old",
        "t.csv": "\n".join(["y,p,k,l,q,c,d,e,s,r,sa,sb,sc,u,v,w,g,n,z", *_rows(draw), ""]),
        "ap.csv": "topic,A,B\n1,0.02,0.08\n2,0.03,0.04\n3,0.29,0.2\n",
    }
    texts["few.csv"] = "\n".join([*texts["t.csv"].split("\n")[:15], ""])
    for name in ("one", "two"):
        cases = [
            {
                "name": f"t{i}",
                "success": draw.random() < 0.6,
                "metricsData": [{"name": "tone", "score": draw.random()}],
                "c": "xy"[i % 2],
                "g": i // 2,
            }
            for i in range(9)
        ]
        texts[f"{name}.json"] = json.dumps({"testCases": cases, "identifier": name})
    for name in ("one.csv", "two.csv", "three.csv"):
        rows = [f"{x},{draw.gauss(0, 1)},{draw.gauss(0, 1)},{1 + x % 3},{x // 2}" for x in range(12)]
        texts[name] = "\n".join(["x,u,v,w,g", *rows, ""])
    for name in "abc":
        texts[f"{name}.run"] = "".join(
            f"q{q} Q0 d{d} 1 {draw.randrange(9)}.5 {name}\n" for q in range(1, 8) for d in draw.sample(range(12), 7)
        )
    examples = {"qrels.txt": "qrels", "bm25.run": "a.run", "dense.run": "b.run", "predictions.csv": "t.csv"}
    for name, text in (texts | {name: texts[same] for name, same in examples.items()}).items():
        (folder / name).write_text(text)


def _rows(draw: random.Random) -> Iterator[str]:
    for i in range(60):
        y, c, u = draw.randrange(2), draw.choice("ABC"), draw.gauss(0, 1)
        first, second, third = (y if draw.random() < 0.8 else 1 - y for _ in range(3))
        d, e = (c if draw.random() < 0.7 else draw.choice("ABC") for _ in range(2))
        s, r = ((0.3 * y + 0.7 * draw.random()) * 0.9 + 0.05 for _ in range(2))
        cells = (y, first, second, third, "AB"[first], c, d, e, s, r, 0.2, 0.3, 0.5, u, u + draw.gauss(0, 1))
        yield ",".join(map(str, (*cells, 1 + i % 3, i // 4, 1 + i % 5, int(i > 0))))


def _label(path: Path) -> None:
    """Fill in the labels of a sample that was drawn, and those of a column with another name."""
    with path.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, [*rows[0], "mark"])
        writer.writeheader()
        for i, row in enumerate(rows):
            writer.writerow({**row, "label": "yes" if i % 3 else "no", "mark": "yes" if i % 2 else "no"})


def run(python: Path, folder: Path, lines: list[str], *, keep: bool = False) -> list[str]:
    """Output, files and exit status of each line, as text."""
    (folder / "lines.json").write_text(json.dumps([shlex.split(line) for line in lines]))
    code = CODE.format(tools=str(HERE / "net"), keep=keep)
    command = [str(python.absolute()), "-c", code]
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    found = []
    for line, text in zip(lines, answer.stdout.splitlines(), strict=True):
        outcome = json.loads(text)
        written = [f"[{name}]\n{data}" for name, data in sorted(outcome["written"].items()) if isinstance(data, str)]
        output = outcome["out"]["output"].replace(str(folder), "FOLDER")
        parts = [output, outcome["err"]["lines"].replace(str(folder), "FOLDER"), *written]
        texts = [part.replace("\r\n", "\\r\n").rstrip("\n") for part in parts if part.strip()]
        found.append("\n".join([f"{START}{line}", *texts, f"status {outcome['status']}"]))
    return found


def transcript(python: Path) -> list[str]:
    """Output of the lines of the list with an installation."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        write_files(folder)
        run(python, folder, list(MADE), keep=True)
        for path in ("plain.csv", "strata.csv", "predicted.csv"):
            _label(folder / path)
        return run(python, folder, LINES.read_text().splitlines())


def same(old: str, new: str, *, numbers: bool) -> bool:
    """True if two parts of transcripts are the same, or have the same numbers and status."""
    if not numbers:
        return old == new
    return [NUMBER.findall(text) for text in (_output(old), _output(new))].count(NUMBER.findall(_output(old))) == 2


def _output(part: str) -> str:
    """A part without messages."""
    return "\n".join(line for line in part.splitlines() if not line.startswith("certus: "))


def main() -> int:
    """Save or compare; exit status 1 where lines differ."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--python", type=Path, default=Path(sys.executable))
    made.add_argument("--save", type=Path)
    made.add_argument("--against", type=Path)
    made.add_argument("--numbers", action="store_true", help="compare numbers and statuses alone")
    options = made.parse_args()
    parts = transcript(options.python)
    if options.save is not None:
        options.save.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
        print(f"{len(parts)} lines saved")
    if options.against is None:
        return 0
    text = options.against.read_text(encoding="utf-8").rstrip("\n")
    stored = dict(part.split("\n", 1) for part in re.split(rf"\n\n(?={START})", text))
    differ = 0
    for part in parts:
        line, _, rest = part.partition("\n")
        if not same(stored.get(line, ""), rest, numbers=options.numbers):
            differ += 1
            print(
                line,
                *difflib.unified_diff(stored.get(line, "").splitlines(), rest.splitlines(), lineterm="", n=0),
                sep="\n",
            )
    print(f"{differ} of {len(parts)} command lines differ")
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main())
