"""Save every number that certus computes on fixed data, and compare with a saved one, bit for bit.

python tools/snapshot.py --save before.json                 what `snapshot_cases` lists
python tools/snapshot.py --against before.json              print what differs, and exit 1 if anything does
python tools/snapshot.py --against before.json --numbers    the same, but words (texts, reasons) may differ
python tools/snapshot.py --against before.json metrics      only the sections named

It uses the public interface alone, so that it runs before and after a change of structure. A call that certus refuses
is recorded by the class of its error.
"""

import argparse
import dataclasses
import json
import pickle
import sys
import time
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from snapshot_cases import SECTIONS, Case

from certus import CertusError

FIELDS = (
    *("value", "n", "unit", "reason", "standard_error", "methods"),
    *("low", "high", "level", "method", "method_note"),
    *("p", "error", "statistic", "difference", "wins", "ties", "losses", "effect", "df", "verdict"),
    *("expected", "sd", "best", "corrected", "percentile"),
    *("below", "equivalent", "above", "lower", "upper"),
    *("recall", "precision", "hits", "positives", "elusion"),
    *("threshold", "fpr", "tpr", "thresholds", "predicted", "observed", "counts", "score", "standing"),
)
"""Attributes that hold a result's numbers."""
WORDS = ("text", "reason")
"""Fields of words: they may be reworded where numbers may not change."""
SHOWN = 40
"""Number of differences that are printed."""


def plain(value: Any) -> Any:
    """A value as JSON holds it, with every bit of its numbers."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if type(value) in (int, float):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | set | frozenset) or type(value) is tuple:
        return [plain(each) for each in value]
    return facts(value)


def facts(found: Any) -> dict[str, Any]:
    """The numbers of a result, its text, and whether it comes back from a pickle."""
    kept: dict[str, Any] = {"text": str(found)}
    if isinstance(found, float | int):  # a probability that knows its error
        kept["number"] = float(found)
    for name in FIELDS:
        value = getattr(found, name, None)
        # An estimate's statistic is a form with data; of others it is the number that a test is based on.
        if value is not None and not callable(value) and (name != "statistic" or isinstance(value, float | int)):
            kept[name] = plain(value)
    if callable(getattr(found, "interval", None)) and hasattr(found, "standard_error"):
        interval = found.interval()
        kept["interval"] = [plain(interval.low), plain(interval.high), interval.method]
    elif dataclasses.is_dataclass(found):
        kept |= {
            each.name: plain(getattr(found, each.name)) for each in dataclasses.fields(found) if _bare(found, each)
        }
    kept["pickled"] = _pickled(found)
    return kept


def _bare(found: Any, field: Any) -> bool:
    value = getattr(found, field.name, None)
    return not field.name.startswith("_") and isinstance(value, bool | int | float | str | np.ndarray | tuple)


def _pickled(found: Any) -> bool | str:
    try:
        again = pickle.loads(pickle.dumps(found))
    except (TypeError, AttributeError, pickle.PicklingError) as error:
        return type(error).__name__
    value = getattr(found, "value", None)
    return repr(again.value) == repr(value) if isinstance(value, float) else str(again) == str(found)


def record(case: Case) -> Any:
    """Result of a case, or the class of the error that refuses it."""
    try:
        return plain(case())
    except (CertusError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        return {"refused": type(error).__name__}


def snapshot(sections: list[str]) -> dict[str, Any]:
    """Every case of the sections, by name."""
    found: dict[str, Any] = {}
    for name in sections:
        start = time.perf_counter()
        for key, case in SECTIONS[name]():
            key = f"{name}: {key}"
            if key in found:
                raise SystemExit(f"two cases are named {key!r}")
            found[key] = record(case)
        print(f"{name}: {time.perf_counter() - start:.1f} s", file=sys.stderr)
    return found


def differences(before: Any, after: Any, numbers: bool, path: str = "") -> Iterator[str]:
    """A line for each difference; floats are equal where all their bits are. What is new beside the old is none."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in before:
            if numbers and path and key in WORDS:
                continue
            if key in after:
                yield from differences(before[key], after[key], numbers, f"{path} {key}".strip())
            else:
                yield f"{path} {key} is gone".strip()
    elif json.dumps(before) != json.dumps(after):
        yield f"{path}: {json.dumps(before)} became {json.dumps(after)}"


def main() -> int:
    """Save or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", help=f"of {', '.join(SECTIONS)}; all without")
    parser.add_argument("--save", type=Path, help="the file to write")
    parser.add_argument("--against", type=Path, help="a file that was saved before")
    parser.add_argument("--numbers", action="store_true", help="compare numbers alone")
    given = parser.parse_args()
    if (given.save is None and given.against is None) or set(given.sections) - set(SECTIONS):
        parser.error(f"give --save or --against, and sections of {', '.join(SECTIONS)}")
    warnings.simplefilter("ignore")
    sections = given.sections or list(SECTIONS)
    found = snapshot(sections)
    if given.save is not None:
        text = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in found.items())
        given.save.write_text("{\n" + text + "\n}\n", encoding="utf-8")
        print(f"{len(found)} cases saved")
    if given.against is None:
        return 0
    saved = json.loads(given.against.read_text(encoding="utf-8"))
    before = {key: value for key, value in saved.items() if key.partition(":")[0] in sections}
    lines = list(differences(before, json.loads(json.dumps(found)), given.numbers))
    print("\n".join(lines[:SHOWN]))
    print(f"{len(lines)} differences in {len(found)} cases")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
