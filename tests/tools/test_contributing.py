"""The steps of CONTRIBUTING.md, typed on a copy."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import certus

ROOT = Path(__file__).resolve().parents[2]
FAMILY = "src/certus/metrics/classification/rates.py"


def run(folder: Path, *command: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
    found = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


def test_a_metric_is_its_function_and_its_test(tmp_path: Path) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    test, metric = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    for name in ("src", "tools", "docs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for compiled in Path(certus.__file__).parent.glob("_core.*.so"):  # of the wheel, where the sources have none
        shutil.copy(compiled, tmp_path / "src/certus" / compiled.name)
    family = tmp_path / FAMILY
    source = family.read_text(encoding="utf-8").replace(
        '"false_negative_rate",\n', '"false_discovery_rate",\n    "false_negative_rate",\n', 1
    )
    family.write_text(f"{source}\n\n{metric}", encoding="utf-8")
    (tmp_path / "test_false_discovery_rate.py").write_text(test, encoding="utf-8")

    run(tmp_path, "tools/make_stubs.py")
    run(tmp_path, "tools/make_docs.py")
    assert "passed" in run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_false_discovery_rate.py")
    assert "FDR" in (tmp_path / "docs/metrics/classification.md").read_text(encoding="utf-8")
    assert "\nfalse_discovery_rate: _" in (tmp_path / "src/certus/classification.pyi").read_text(encoding="utf-8")
    table = tmp_path / "predictions.csv"
    table.write_text("y,p\n1,1\n0,1\n1,0\n1,1\n", encoding="utf-8")
    said = run(tmp_path, "-m", "certus", "evaluate", str(table), "--truth", "y", "--pred", "p", "-m", "FDR")
    assert re.search(r"FDR +0\.3333 +\[", said)
