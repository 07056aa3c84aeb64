"""Metrics that are found without importing the others of their task."""

import subprocess
import sys

import pytest

from certus import tasks
from certus.metrics import _registry
from certus.metrics._homes import HOMES
from certus.metrics.names import _exactly, _find, _parts

NAMES = [(task, name) for task, homes in HOMES.items() for name in homes]


def test_there_are_names_of_every_task() -> None:
    assert set(HOMES) == set(tasks.names())
    assert len(NAMES) > 200


@pytest.mark.parametrize("at", ["", "@10", "@0.5", "@recall", "(rel=2)", "()@5", "-l2"])
def test_a_name_means_what_it_means_among_all_names(at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_registry, "_EXTENDED", set())  # other tests of this process may have declared metrics
    for task, name in NAMES:
        parts = _parts(name + at)
        found = _exactly(parts, task)
        assert "@" in name or (found is not None) == (at in ("", "@10", "@0.5", "()@5")), (name, at)
        if found is not None:
            reading, rest = _find(parts, task)
            assert (found[0].metric, *found[0][2:], found[1]) == (reading.metric, *reading[2:], rest), (name, at)
            assert found[0].spelling.text == reading.spelling.text == name


def _loaded(code: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-c", f"{code}; import sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    return set(run.stdout.splitlines()[-1].split())


def test_a_metric_that_is_named_exactly_imports_its_own_file_and_no_other_with_metrics() -> None:
    loaded = _loaded("import certus; certus.parse('nDCG@10')")
    homes = {f"certus.metrics.ranking.{home}" for home in HOMES["ranking"].values()}
    assert homes & loaded == {"certus.metrics.ranking.gains"}
    assert homes <= _loaded("import certus; certus.parse('ndcg_cut_10')")


def test_somebody_elses_metric_of_a_name_of_certus_is_refused_and_one_that_hides_none_is_found() -> None:
    declare = (
        "import certus\n"
        "def declare(name, **given):\n"
        "    @certus.metric(name, task='ranking', **given)\n"
        "    def somebody_elses(ranking):\n"
        "        return [0.0] * len(ranking)\n"
    )
    assert "certus.metrics.ranking.gains" in _loaded(f"{declare}declare('Own'); certus.parse('AP@10')")
    code = f"{declare}declare('Own', aliases=['nDCG'])\n"
    code += "try:\n    certus.parse('AP')\nexcept certus.MetricNameError as error:\n    print(error)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "'nDCG' already names the ranking metric Own" in run.stdout
