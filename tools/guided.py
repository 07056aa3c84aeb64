"""Run fuzz targets of certus-core under libFuzzer, which changes inputs that reach new code.

A target draws its input from the bytes that libFuzzer gives, two for each number; half of the texts are those bytes
themselves. certus-core is built for it in a folder of its own, with counters in its code. libFuzzer comes with the
crate libfuzzer-sys and needs a compiler of C++. Inputs that reached new code stay in the folder, and so does one that
fails.

    python tools/guided.py --folder target/guided --seconds 180 lines files numbers
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CRATE = """[package]
name = "guide"
edition = "2024"
[lib]
path = "../../guide.rs"
[dependencies]
libfuzzer-sys = "0.4"
"""
COUNTERS = ("level=4", "inline-8bit-counters", "pc-table", "trace-compares")
FLAGS = ["--cfg=fuzzing", "-Cpasses=sancov-module", *(f"-Cllvm-args=-sanitizer-coverage-{each}" for each in COUNTERS)]


def built(folder: Path) -> Path:
    """The unit tests of certus-core, each target of which is driven by libFuzzer."""
    shutil.rmtree(folder / "crates", ignore_errors=True)
    shutil.copytree(ROOT / "crates" / "certus-core", folder / "crates" / "certus-core")
    (folder / "crates" / "guide").mkdir()
    (folder / "crates" / "guide" / "Cargo.toml").write_text(CRATE)
    shutil.copy(ROOT / "tools" / "guide.rs", folder)
    shutil.copy(ROOT / "Cargo.lock", folder)
    (folder / "Cargo.toml").write_text(
        (ROOT / "Cargo.toml").read_text().replace('"crates/certus-py"', '"crates/guide"')
    )
    with (folder / "crates" / "certus-core" / "Cargo.toml").open("a") as manifest:
        manifest.write('\n[dev-dependencies]\nguide = { path = "../guide" }\n')
    environment = os.environ | {"RUSTFLAGS": " ".join(FLAGS), "CARGO_TARGET_DIR": str(folder / "target")}
    environment |= {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16"}
    # with a target, programs that build crates get no counters
    (host,) = re.findall(
        "host: (.*)", subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    )
    command = ["cargo", "test", "--release", "--target", host, "-p", "certus-core", "--lib", "--no-run"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return folder / str(re.findall(r"Executable .*\((.*)\)", done.stderr)[-1])


def main() -> int:
    """Exit status 1 where a target fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("targets", nargs="+", help="first words of the names of tests")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    tests = built(asked.folder.resolve())
    failed = []
    for target in asked.targets:
        corpus = asked.folder.resolve() / f"corpus-{target}"
        corpus.mkdir(exist_ok=True)
        options = f"-max_total_time={asked.seconds} -seed={asked.seed} -max_len=512 -timeout=60 -print_final_stats=1"
        environment = os.environ | {"GUIDED": f"{options} -artifact_prefix={corpus}- {corpus}", "CERTUS_THREADS": "1"}
        command = [str(tests), "--nocapture", "--test-threads=1", f"::{target}_"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        executions = re.findall(r"number_of_executed_units: +(\d+)", done.stderr)
        panic = re.findall(r"panicked at(?:.*\n){2}", done.stderr)
        kept = len([*corpus.iterdir()])
        print(f"{target}: {''.join(executions) or 'no'} executions, {kept} inputs kept", *panic, flush=True)
        failed += [target] if done.returncode or not executions else []
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
