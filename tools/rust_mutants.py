"""Change one operator at a time in certus-core, and see whether its unit tests and small fuzz runs notice.

All changes drawn are compiled at once, each behind a number that a variable of the environment chooses, so that one
build serves them all. Only operators between two names, fields or numbers are changed, outside tests and constants.

    python tools/rust_mutants.py --count 40 --seed 1
"""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from mutation import ROOT, parser, report, status

CORE = Path("crates/certus-core/src")
OTHER = {"+": "-", "-": "+", "*": "+", "/": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "&&": "||"}
NAME = r"[a-z_][a-z_0-9]*(?:\.[a-z_0-9]+(?:\(\))?)*|\d+(?:\.\d+)?"
SITE = re.compile(
    rf"(?<=[(\[])(?P<a>{NAME}) (?P<op>[-+*/]|[<>]=?|==|&&) (?P<b>{NAME})(?=[)\],])"
    rf"|(?<== )(?P<c>{NAME}) (?P<oq>[-+*/]|[<>]=?|==|&&) (?P<d>{NAME})(?=;)"
    rf"|(?<=if )(?P<e>{NAME}) (?P<or>[<>]=?|==|&&) (?P<f>{NAME})(?= \{{)"
)
SWITCH = """
/// Whether the change of this number is the one that is tried.
pub(crate) fn mutant(number: usize) -> bool {
    static TRIED: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *TRIED.get_or_init(|| std::env::var("MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(0)) == number
}
"""

Site = tuple[Path, int, int, int, str]
"""File, line, start and end in the file, and the changed text."""


def sites() -> list[Site]:
    """All places that can be changed."""
    found: list[Site] = []
    for path in sorted((ROOT / CORE).rglob("*.rs")):
        if path.name in ("fuzz.rs", "naive.rs", "interrupt.rs") or "fuzz" in path.parts:
            continue
        at = 0
        for number, line in enumerate(path.read_text().split("#[cfg(test)]\n#[allow")[0].splitlines(keepends=True), 1):
            if line.startswith(("#[cfg(test)]", "mod tests")):
                break
            if "//" not in line and not re.search(r"\bconst\b|\bfor<|\bwhere\b", line):
                for match in SITE.finditer(line):
                    left, old, right = (part for part in match.groups() if part is not None)
                    text = f"{left} {OTHER[old]} {right}"
                    found.append((path.relative_to(ROOT), number, at + match.start(), at + match.end(), text))
            at += len(line)
    return found


def switched(location: Path, chosen: dict[int, Site]) -> None:
    """Puts the changes into a copy of the sources, each behind its number."""
    for number, (path, _, start, end, text) in sorted(chosen.items(), key=lambda item: -item[1][2]):
        file = location / path
        source = file.read_text()
        old = source[start:end]
        new = f"(if crate::mutant({number}) {{ {text} }} else {{ {old} }})"
        file.write_text(source[:start] + new + source[end:])
    library = location / CORE / "lib.rs"
    source = library.read_text()
    # what the new brackets are warned of would look like the place of an error
    library.write_text(source.replace("#![forbid", "#![allow(warnings)]\n#![forbid") + SWITCH)


def built(chosen: dict[int, Site], location: Path) -> Path:
    """The tests with all changes that compile; the others are dropped from `chosen`."""
    environment = os.environ | {"CARGO_PROFILE_DEV_OPT_LEVEL": "2", "CARGO_PROFILE_DEV_DEBUG": "0"}
    while True:
        for name in ("Cargo.toml", "Cargo.lock"):
            shutil.copy(ROOT / name, location / name)
        shutil.rmtree(location / "crates", ignore_errors=True)
        shutil.copytree(ROOT / "crates", location / "crates")
        switched(location, chosen)
        command = ["cargo", "test", "-p", "certus-core", "--lib", "--no-run"]
        done = subprocess.run(command, cwd=location, env=environment, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return location / str(re.findall(r"Executable .*\((.*)\)", done.stderr)[-1])
        wrong: set[int] = set()
        for path, line in re.findall(r"--> (\S+\.rs):(\d+)", done.stderr):
            text = (location / path).read_text().splitlines()[int(line) - 1]
            wrong |= {int(number) for number in re.findall(r"crate::mutant\((\d+)\)", text)} & set(chosen)
        if not wrong:
            sys.exit(done.stderr)
        for number in wrong:
            del chosen[number]


def fate(tests: Path, number: int, seconds: float) -> str:
    """Outcome of the tests with the change of that number; 0 is no change."""
    found = status([tests], {"MUTANT": str(number), "RUST_BACKTRACE": "0"}, seconds)
    return {None: "slow", 0: "survives"}.get(found, "killed")


def main() -> int:
    """Exit status 1 where a change survives."""
    asked = parser(__doc__, count=40, seconds=120).parse_args()
    every = sites()
    drawn = random.Random(asked.seed).sample(every, min(asked.count, len(every)))
    chosen = dict(enumerate(drawn, 1))
    with tempfile.TemporaryDirectory(prefix="mutants-") as location:
        tests = built(chosen, Path(location))
        if fate(tests, 0, 10 * asked.seconds) != "survives":
            sys.exit("the tests fail without a change")
        changes = ((number, f"{path}:{line}: {text}") for number, (path, line, *_, text) in chosen.items())
        return report(((fate(tests, number, asked.seconds), change) for number, change in changes), len(every))


if __name__ == "__main__":
    sys.exit(main())
