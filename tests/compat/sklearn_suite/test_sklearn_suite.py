"""scikit-learn's own tests, run against certus.compat.sklearn."""

import importlib.metadata

import pytest
from sklearn_suite import MODULES, PINNED, Outcome, expected, run, summary

pytest.importorskip("sklearn", reason="scikit-learn's own tests need it")


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Outcome of each test of scikit-learn with certus in place of its metrics."""
    installed = importlib.metadata.version("scikit-learn")
    if installed != PINNED:
        pytest.fail(f"scikit-learn {installed} is installed but the suite is for {PINNED}: pip install --group dev")
    found = run(tmp_path_factory.mktemp("sklearn") / "outcomes.json")
    print(summary(found))
    return found


def test_exactly_the_tests_known_to_fail_fail(outcomes: dict[str, Outcome]) -> None:
    failed = {name: outcome.message for name, outcome in outcomes.items() if outcome.outcome == "failed"}
    known = expected()
    assert {name: message for name, message in failed.items() if name not in known} == {}
    assert sorted(known) == sorted(failed)


def test_each_known_failure_has_a_reason() -> None:
    assert all(len(reason.split()) > 5 for reason in expected().values())


def test_the_suite_reaches_certus(outcomes: dict[str, Outcome]) -> None:
    """A change of scikit-learn's or of the plugin that lets the tests run past certus must not pass."""
    exercised = [name for name, outcome in outcomes.items() if outcome.calls and outcome.outcome != "skipped"]
    assert len(exercised) > 1_500
    for module in MODULES:
        assert any(name.startswith(f"{module}::") for name in exercised), module


def test_every_function_of_the_face_is_reached(outcomes: dict[str, Outcome]) -> None:
    import certus.compat.sklearn as face

    functions = {name for name in face.__all__ if not isinstance(getattr(face, name), type)}
    assert functions == {name for outcome in outcomes.values() for name in outcome.calls}
