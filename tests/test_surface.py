"""Contents of `import certus`: every public module and name, at once, and loaded when first used."""

import subprocess
import sys

import certus


def test_importing_certus_loads_nothing_else_of_it() -> None:
    code = "import sys, certus; print([name for name in sys.modules if name.startswith('certus.')])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_every_public_module_is_an_attribute_after_import_certus() -> None:
    code = "import certus; print(*(getattr(certus, name).__name__ for name in certus._PUBLIC))"
    code += "; print(certus.compat.sklearn.__name__, certus.statistic.Mean.__name__, certus.io.as_run.__name__)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = [f"certus.{name}" for name in certus._PUBLIC]
    assert run.stdout.split() == [*modules, "certus.compat.sklearn", "Mean", "as_run"]


def test_dir_lists_what_there_is_and_nothing_else() -> None:
    assert dir(certus) == sorted(certus.__all__)
    assert {"io", "data", "plot", "evaluate", "Estimate", "__version__"} <= set(dir(certus))
    assert all(getattr(certus, name) is not None for name in dir(certus))
    assert not hasattr(certus, "nonsense")
    assert not hasattr(certus.compat, "nonsense")
