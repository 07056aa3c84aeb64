"""tools/public_names.py lists what certus shows: each object by one path, and documented."""

import ast
import inspect
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import certus

ORDER = (
    *("task", "average", "undefined", "by", "sample_weight", "groups", "weights", "baseline", "margin"),
    *("test", "alternative", "correction", "simultaneous", "level", "interval", "bounds", "unit", "replicates", "seed"),
)
"""Keywords that functions share, in the order in which every function has those that it takes."""
ROOT = Path(__file__).resolve().parents[2]


def test_the_list_is_whole() -> None:
    from public_names import public_names

    found = {each.path: each for each in public_names()}
    assert found["certus.ranking.ndcg"].value is certus.ranking.ndcg
    assert found["certus.ranking.ndcg"].summary.startswith("Discounted gain of the ranking")
    assert found["certus.metrics.Cutoff"].summary.startswith("A depth of the list: how many")
    assert found["certus.tasks.GROUPS"].summary.startswith("The cluster of each sample")
    assert {"certus.audit.plan.sample_size", "certus.compat.sklearn.f1_score", "certus.DataError"} <= set(found)
    assert "certus.Estimate" not in found, "it is a short path to certus.inference.Estimate"


def test_a_public_module_offers_its_public_names_and_its_modules_only() -> None:
    from public_names import modules

    odd = {}
    for module in modules():
        shown = {name for name in dir(module) if name in module.__all__ or not name.startswith("__")}
        inside = {name for name in shown if isinstance(getattr(module, name), ModuleType)}
        assert set(module.__all__) <= shown, module
        odd[module.__name__] = [*shown - inside - set(module.__all__)]
        odd[module.__name__] += [name for name in inside if getattr(module, name).__package__.split(".")[0] != "certus"]
    assert {name: names for name, names in odd.items() if names} == {}


def test_no_object_has_two_public_paths() -> None:
    from public_names import public_names

    paths: dict[int, list[str]] = {}
    for each in public_names():
        paths.setdefault(id(each.value), []).append(each.path)
    assert [several for several in paths.values() if len(several) > 1] == []


def test_short_paths_are_the_objects_of_their_modules() -> None:
    for module, names in certus._PUBLIC.items():
        for name in names:
            assert name in getattr(certus, module).__all__
            assert getattr(certus, name) is getattr(getattr(certus, module), name)


def test_no_two_public_classes_have_the_same_name() -> None:
    from public_names import public_names

    own = [each for each in public_names() if not each.path.startswith("certus.compat.")]  # a face has its tool's names
    kinds = Counter(each.path.rpartition(".")[2] for each in own if isinstance(each.value, type))
    assert [name for name, count in kinds.items() if count > 1] == []


def test_every_public_name_is_documented() -> None:
    from public_names import public_names

    assert [each.path for each in public_names() if not each.summary and each.path != "certus.__version__"] == []


def test_certus_has_some_300_names_of_its_own() -> None:
    """Of which some 150 are metrics. More is a reason to ask which of them users need."""
    from public_names import public_names

    assert 300 < sum(not each.path.startswith("certus.compat.") for each in public_names()) <= 317


def test_classes_that_only_functions_make_are_results_and_no_public_names() -> None:
    from public_names import public_names, results

    found = {each.value.__name__: each for each in results()}
    assert found["RocCurve"].given_by == "certus.classification.roc_curve"
    assert found["Row"].given_by == "certus.Table"
    assert {"BetaPosterior", "LeftOut", "OperatingPoint", "Standing", "VersusChance"} <= set(found)
    assert not {each.value for each in results()} & {each.value for each in public_names() if callable(each.value)}
    assert [each.path for each in results() if not each.summary] == []


def test_the_page_lists_the_public_modules_and_short_paths() -> None:
    from public_names import modules

    page = (ROOT / "docs" / "public-names.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(certus[\w.]*)` \|", page, re.MULTILINE)
    assert listed == sorted(each.__name__ for each in modules() if each.__name__ != "certus.compat")
    repeated = page.partition("repeat names: ")[2].partition(".\n")[0]
    assert sorted(re.findall(r"`(\w+)`", repeated)) == sorted(
        name for names in certus._PUBLIC.values() for name in names
    )


def test_guides_import_public_names_only() -> None:
    from public_names import modules

    known: dict[str, ModuleType] = {each.__name__: each for each in modules()}
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    found = 0
    for page in pages:
        for line in re.findall(r"^(?:>>> )?(from certus[\w.]* import [\w, ]+)$", page.read_text("utf-8"), re.MULTILINE):
            (node,) = ast.parse(line).body
            assert isinstance(node, ast.ImportFrom)
            for each in node.names:
                found += 1
                assert each.name in known[str(node.module)].__all__, f"{page.name}: {line}"
    assert found > 20


def test_functions_have_the_keywords_they_share_in_one_order() -> None:
    from public_names import public_names

    seen = set()
    for each in public_names():
        if not inspect.isfunction(each.value) or each.path.startswith(("certus.compat.", "certus.audit.")):
            continue
        parameters = inspect.signature(each.value).parameters.values()
        shared = [one.name for one in parameters if one.kind is one.KEYWORD_ONLY and one.name in ORDER]
        assert shared == sorted(shared, key=ORDER.index), each.path
        seen.update(shared)
    assert seen == set(ORDER)


def test_method_is_an_argument_only_where_the_name_of_the_function_says_of_what() -> None:
    from public_names import objects

    known = {"band", "interval", "intervals", "mean_interval", "f1_interval", "proportion_interval", "adjust", "pool"}
    for path, value in objects():
        own = {path: value} if inspect.isfunction(value) else {}
        if isinstance(value, type) and not path.startswith("certus.compat."):
            own = {f"{path}.{name}": each for name, each in inspect.getmembers(value, inspect.isfunction)}
        for name, function in own.items():
            asked = inspect.signature(function).parameters.keys() & {"method", "alpha", "confidence_level"}
            last = name.rpartition(".")[2]
            assert not asked or last in known or last.startswith("_") or name.startswith("certus.compat."), name


def test_states_and_spark_take_the_arguments_of_evaluate_and_compare_by_the_same_names_in_the_same_order() -> None:
    faces: dict[Callable[..., Any], tuple[Callable[..., Any], ...]] = {
        certus.evaluate: (certus.State.evaluate, certus.spark.evaluate),
        certus.compare: (certus.State.compare, certus.spark.compare),
    }
    own = {"self", "passes"}  # the passes over the partitions
    for function, others in faces.items():
        known = inspect.signature(function).parameters
        for other in others:
            taken = inspect.signature(other).parameters
            named = {
                name: each for name, each in taken.items() if name not in own and each.kind is not each.VAR_KEYWORD
            }
            assert list(named) == [name for name in known if name in named], other
            for name, each in named.items():
                assert each.kind is known[name].kind, (other, name)
                assert each.default in (known[name].default, each.empty), (other, name)


def test_every_public_object_has_an_example() -> None:
    """In its docstring or that of a method, or in the gallery if it draws; a result may have it with what gives it."""
    from public_names import public_names, results
    from site_reference import CALLED_AS, pictures

    own = {each.path: each for each in public_names() if not each.path.startswith("certus.compat.")}
    objects = {path: each.value for path, each in own.items() if each._explains_itself}
    shown = {path for path, value in objects.items() if any(">>>" in text for text in _docstrings(value))}
    assert objects.keys() - shown - pictures().keys() - CALLED_AS.keys() == set()
    assert set(CALLED_AS) <= objects.keys() - shown, "it has an example of its own, or is no public name"
    assert set(CALLED_AS.values()) <= shown
    examples = [each.path for each in results() if any(">>>" in text for text in _docstrings(each.value))]
    assert [each.path for each in results() if each.path not in examples and each.given_by not in shown] == []


def _docstrings(value: object) -> list[str]:
    members = [member for name, member in vars(value).items() if not name.startswith("_")]
    return [str(each.__doc__) for each in [value, *(members if isinstance(value, type) else [])]]
