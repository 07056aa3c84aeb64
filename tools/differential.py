"""Make random calls with an old and a new installation, and compare what they result in.

python tools/differential.py --old OLD/bin/python --new NEW/bin/python [--calls 20000] [--seed 1]
python tools/differential.py --old ... --new ... --seed 1 --only 1234    one call again, with its script
python tools/differential.py --old ... --new ... --new-source src        the new modules from a folder

Calls are those of the public interface, in Python and on the command line (net/kinds.py). Values, counts, verdicts,
classes of errors with their argument, exit statuses and numbers of printed texts are compared bit for bit; a difference
of at most 1e-12 is marked as close, since the order of a sum may explain it. Changes that are meant stand in
net/changes.toml. A call that differs is printed as a script, after options that do not matter are left out. The exit
status is 1 if anything differs that is not meant.
"""

import argparse
import contextlib
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from net.calls import script
from net.differences import Changes, Difference, differences
from net.files import write_files
from net.installation import Installation
from net.kinds import program_of
from net.metrics import Catalogue

BATCH = 50
SHOWN = 12
"""Differences of one call that are printed."""
Call = dict[str, Any]
Outcome = dict[str, Any]


@dataclass
class Report:
    """Counts of calls by kind and outcome, and the calls that differ."""

    calls: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    meant: Counter[str] = field(default_factory=Counter)
    slow: list[int] = field(default_factory=list)
    differ: list[tuple[Call, list[Difference]]] = field(default_factory=list)
    close: int = 0


class Net:
    """Both installations, and the changes that are meant."""

    def __init__(self, old: Installation, new: Installation, changes: Changes, *, words: bool, together: bool) -> None:
        self.old, self.new, self.changes, self.words, self.together = old, new, changes, words, together

    def outcomes(self, calls: Sequence[Call]) -> Iterator[tuple[Call, Outcome, Outcome]]:
        """The calls with both outcomes."""
        translated = [{**call, "steps": self.changes.translated(call["steps"])} for call in calls]
        if self.together:
            self.old.send(calls)
            self.new.send(translated)
            yield from zip(calls, self.old.answers(calls), self.new.answers(translated), strict=True)
        else:
            yield from zip(calls, self.old.make(calls), self.new.make(translated), strict=True)

    def differences(self, call: Call, old: Outcome, new: Outcome) -> tuple[list[Difference], Counter[str]]:
        """Unexpected differences of a call, and counts of the expected ones by reason."""
        text, found, meant = script(call, self.old.files), [], Counter[str]()
        for difference in differences(old, new, self.changes, self.words):
            reason = self.changes.reason(text, difference)
            if reason is None:
                found.append(difference)
            else:
                meant[reason] += 1
        return found, meant

    def differs(self, call: Call) -> list[Difference]:
        """Unexpected differences of one call."""
        ((_, old, new),) = self.outcomes([call])
        return [] if "slow" in old or "slow" in new else self.differences(call, old, new)[0]

    def smaller(self, call: Call) -> Call:
        """The call with fewer steps and options, as long as it differs."""
        for step in reversed(range(len(call["steps"]))):
            name = call["steps"][step][0]
            rest = [item for index, item in enumerate(call["steps"]) if index != step]
            if f"'ref': '{name}'" not in repr(rest):
                call = self._kept(
                    call, {**call, "steps": rest, "show": [each for each in call["show"] if each != name]}
                )
        for step, (name, node) in enumerate(call["steps"]):
            for keyword in list(node.get("kw", {})) if isinstance(node, dict) else []:
                now = call["steps"][step][1]
                fewer = {**now, "kw": {key: value for key, value in now["kw"].items() if key != keyword}}
                steps = [*call["steps"][:step], [name, fewer], *call["steps"][step + 1 :]]
                call = self._kept(call, {**call, "steps": steps})
        return call

    def _kept(self, call: Call, smaller: Call) -> Call:
        return smaller if smaller["steps"] and self.differs(smaller) else call


def run(net: Net, calls: Sequence[Call], report: Report, *, quiet: bool = False) -> None:
    """Make the calls, and count what comes of them."""
    for start in range(0, len(calls), BATCH):
        for call, old, new in net.outcomes(calls[start : start + BATCH]):
            report.calls += 1
            report.kinds[call["kind"]] += 1
            report.refused[call["kind"]] += "error" in old
            if "slow" in old or "slow" in new:
                report.slow.append(call["number"])
                continue
            found, meant = net.differences(call, old, new)
            report.meant += meant
            if found:
                report.differ.append((call, found))
                report.close += all(each.close for each in found)
                if not quiet:
                    print(f"call {call['number']} ({call['kind']}) differs: {found[0]}", flush=True)


def show(net: Net, call: Call) -> None:
    """Print a call that differs as the smallest script that does, and what differs."""
    smaller = net.smaller(call)
    print(script(smaller, net.old.files))
    for difference in net.differs(smaller)[:SHOWN]:
        print(f"#   {difference}")
    print(flush=True)


def installations(
    options: argparse.Namespace, files: Path, stack: contextlib.ExitStack
) -> tuple[Installation, Installation]:
    """The two installations of the options."""
    old = Installation(options.old, files, options.old_source, options.seconds)
    new = Installation(options.new, files, options.new_source, options.seconds)
    return stack.enter_context(old), stack.enter_context(new)


def parser(description: str | None) -> argparse.ArgumentParser:
    """The options of tools that use the net."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--old", type=Path, required=True, help="Python interpreter of the old installation")
    made.add_argument("--new", type=Path, required=True, help="Python interpreter of the new one")
    made.add_argument("--old-source", type=Path, help="a folder whose modules go first (PYTHONPATH)")
    made.add_argument("--new-source", type=Path, help="the same of the new one")
    made.add_argument("--calls", type=int, default=20_000)
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--seconds", type=float, default=15.0, help="for each call; what takes longer is not compared")
    made.add_argument("--kind", default="", help="calls of one kind alone, such as compared_values")
    return made


def drawn(options: argparse.Namespace, catalogue: Catalogue, numbers: Sequence[int]) -> list[Call]:
    """The calls of the numbers."""
    spark = getattr(options, "spark", False)
    return [program_of(options.seed, number, catalogue, spark=spark, kind=options.kind).json() for number in numbers]


def main() -> int:
    """Make the calls, print what differs and how many calls there were of each kind."""
    made = parser(__doc__)
    made.add_argument("--only", type=int, action="append", help="the number of a call; may be repeated")
    made.add_argument("--words", action="store_true", help="compare texts, too, word for word")
    made.add_argument("--spark", action="store_true", help="a call in 2,000 on Spark")
    made.add_argument("--one-by-one", action="store_true", help="one process at work at a time")
    made.add_argument("--show", type=int, default=5, help="calls that are printed as scripts")
    made.add_argument("--files", type=Path, help="where to keep the shared files, so that the scripts run")
    options = made.parse_args()
    with contextlib.ExitStack() as stack:
        files = options.files or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="net-files-")))
        files.mkdir(exist_ok=True)
        write_files(files.resolve(), options.seed)
        old, new = installations(options, files.resolve(), stack)
        catalogue = old.catalogue()
        net = Net(old, new, Changes.read(), words=options.words, together=not options.one_by_one)
        report, start = Report(), time.perf_counter()
        for number in options.only or []:
            (call,) = drawn(options, catalogue, [number])
            print(script(call, files), *net.differs(call), sep="\n#   ")
        for first in range(0, 0 if options.only else options.calls, 1_000):
            run(net, drawn(options, catalogue, range(first, min(first + 1_000, options.calls))), report)
        minutes = (time.perf_counter() - start) / 60
        for call, _ in report.differ[: options.show]:
            show(net, call)
    for kind, count in sorted(report.kinds.items()):
        print(f"{kind:28} {count:6} calls, {report.refused[kind] / count:4.0%} refused")
    for reason, count in report.meant.items():
        print(f"{count} differences are meant: {reason}")
    print(f"{len(report.slow)} calls took too long to be compared: {report.slow[:10]}")
    print(
        f"{len(report.differ)} of {report.calls} calls differ ({report.close} by 1e-12); "
        f"{report.calls / minutes:,.0f} calls a minute"
    )
    return 1 if report.differ else 0


if __name__ == "__main__":
    sys.exit(main())
