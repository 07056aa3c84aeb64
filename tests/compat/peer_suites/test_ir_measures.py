"""ir_measures' own tests, from its sdist, run with certus in place of its providers.

Left out are the modules about the measures of compat, cwl_eval and pyndeval, which certus lacks, and those about
reading files and measures, which no provider does.
"""

from pathlib import Path

import pytest
from peer_suites import Outcome, expected, run, unpacked

MODULES = (
    *("test_accuracy", "test_aggregate", "test_gdeval", "test_judged", "test_measures", "test_providers"),
    *("test_pytrec_eval", "test_ranx"),
)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    folder: Path = tmp_path_factory.mktemp("ir_measures")
    return run(unpacked("ir_measures==0.4.3", "sdist", folder), MODULES)


def test_exactly_the_tests_known_to_fail_fail(outcomes: dict[str, Outcome]) -> None:
    failed = {name: outcome.failed for name, outcome in outcomes.items() if outcome.failed}
    assert {name: said for name, said in failed.items() if name not in expected()} == {}
    assert sorted(failed) == sorted(expected())


def test_each_known_failure_has_a_reason() -> None:
    assert all(len(reason.split()) > 5 for reason in expected().values())


def test_the_tests_reach_certus(outcomes: dict[str, Outcome]) -> None:
    """A change of ir_measures' or of the plugin that lets the tests run past certus must not pass."""
    reached = {name for name, outcome in outcomes.items() if outcome.evaluators}
    assert outcomes.keys() - reached == {"test_measures::test_measures"}
    assert len(reached) >= 20
    assert sum(outcome.evaluators for outcome in outcomes.values()) > 150
