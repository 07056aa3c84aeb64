"""Run fuzz targets of certus-core under libFuzzer, which changes inputs that reach new code.

A target draws its input from the bytes that libFuzzer gives, two for each number; half of the texts are those bytes
themselves. certus-core is built for it in a folder of its own, with counters in its code and its targets public.
libFuzzer comes with the crate libfuzzer-sys and needs a compiler of C++. Inputs that reached new code stay in the
folder, and so does one that fails.

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
[dependencies]
certus-core = { path = "../certus-core" }
libfuzzer-sys = "0.4"
"""
DRIVER = """#![no_main]
const TARGETS: &[(&str, fn())] = &[
%s];
static TARGET: std::sync::LazyLock<fn()> = std::sync::LazyLock::new(|| {
    let wanted = std::env::var("GUIDED").expect("GUIDED names no target");
    TARGETS.iter().find(|target| target.0.starts_with(&wanted)).expect("no target has this name").1
});
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    certus_core::fuzz::BYTES.set(data.to_vec());
    TARGET()
});
"""
COUNTERS = ("level=4", "inline-8bit-counters", "pc-table", "trace-compares")
FLAGS = ["--cfg=fuzzing", "-Cpasses=sancov-module", *(f"-Cllvm-args=-sanitizer-coverage-{each}" for each in COUNTERS)]


def opened(source: Path) -> str:
    """The targets among the unit tests below a folder, as lines of DRIVER; they and all modules become public."""
    targets = []
    for path in sorted(source.rglob("*.rs")):
        text = re.sub(r"^( *)(?:pub\(\w+\) )?mod ", r"\1pub mod ", path.read_text(), flags=re.MULTILINE)
        text = text.replace("#[cfg(test)]", "#[cfg(fuzzing)]").replace("pub(crate) static BYTES", "pub static BYTES")
        parts = path.relative_to(source).with_suffix("").parts
        if "fuzz" in parts:
            tests = re.findall(r"#\[test\]\nfn (\w+)\(\) {\n(.*?)\n}\n", text, re.DOTALL)
            names = [name for name, body in tests if ' fuzz("' in body]
            targets += [f'("{name}", certus_core::{"::".join(parts)}::{name}),\n' for name in names]
            text = text.replace("#[test]\nfn", "pub fn")
        path.write_text(text)
    return "".join(targets)


def built(folder: Path) -> Path:
    """The program that runs each target under libFuzzer."""
    core, guide = folder / "crates" / "certus-core", folder / "crates" / "guide"
    shutil.rmtree(folder / "crates", ignore_errors=True)
    shutil.copytree(ROOT / "crates" / "certus-core", core)
    (guide / "src").mkdir(parents=True)
    (guide / "Cargo.toml").write_text(CRATE)
    (guide / "src" / "main.rs").write_text(DRIVER % opened(core / "src"))
    shutil.copy(ROOT / "Cargo.lock", folder)
    (folder / "Cargo.toml").write_text(
        (ROOT / "Cargo.toml").read_text().replace('"crates/certus-py"', '"crates/guide"')
    )
    environment = os.environ | {"RUSTFLAGS": " ".join(FLAGS), "CARGO_TARGET_DIR": str(folder / "target")}
    environment |= {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16"}
    # with a target, programs that build crates get no counters
    (host,) = re.findall(
        "host: (.*)", subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    )
    command = ["cargo", "build", "--release", "--target", host, "-p", "guide"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return folder / "target" / str(host) / "release" / "guide"


def main() -> int:
    """Exit status 1 where a target fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("targets", nargs="+", help="first words of the names of tests")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    program = built(asked.folder.resolve())
    failed = []
    for target in asked.targets:
        corpus = asked.folder.resolve() / f"corpus-{target}"
        corpus.mkdir(exist_ok=True)
        options = f"-max_total_time={asked.seconds} -seed={asked.seed} -max_len=512 -timeout=60 -print_final_stats=1"
        command = [str(program), *options.split(), f"-artifact_prefix={corpus}-", str(corpus)]
        environment = os.environ | {"GUIDED": f"{target}_", "CERTUS_THREADS": "1"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        executions = re.findall(r"number_of_executed_units: +(\d+)", done.stderr)
        panic = re.findall(r"panicked at(?:.*\n){2}", done.stderr)
        kept = len([*corpus.iterdir()])
        print(f"{target}: {''.join(executions) or 'no'} executions, {kept} inputs kept", *panic, flush=True)
        failed += [target] if done.returncode or not executions else []
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
