"""`certus.deferred.dataclass` beside `dataclasses.dataclass`, on which it must not differ."""

import copy
import dataclasses
import inspect
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import pytest

import certus
from certus import deferred


def _classes(dataclass: Callable[..., Any], field: Callable[..., Any]) -> dict[str, Any]:
    @dataclass(frozen=True)
    class Point:
        x: int
        y: float = 0.5
        names: dict[str, int] = field(default_factory=dict, compare=False)
        hidden: int = field(default=7, repr=False)
        dimensions: ClassVar[int] = 2

        @cached_property
        def size(self) -> float:
            return abs(self.x) + self.y

    @dataclass(frozen=True)
    class Named(Point):
        y: float = 1.5
        name: str = "origin"
        length: int = field(default=0, init=False)

        def __post_init__(self) -> None:
            if not self.name:
                raise ValueError("name is empty")
            object.__setattr__(self, "length", len(self.name))

    @dataclass(frozen=True, eq=False, repr=False, kw_only=True)
    class Keywords:
        b: int = 1
        a: int

        def __repr__(self) -> str:
            return f"<{self.a}, {self.b}>"

    @dataclass
    class Changing:
        given: int
        met: list[int] = field(default_factory=list, init=False)

    class Plain(Point):
        """No dataclass itself."""

    return {each.__name__: each for each in (Point, Named, Keywords, Changing, Plain)}


OURS = _classes(deferred.dataclass, deferred.field)
THEIRS = _classes(dataclasses.dataclass, dataclasses.field)
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("Point", (1,), {}),
    ("Point", (1, 2.0), {"names": {"a": 1}, "hidden": 3}),
    ("Point", (), {"y": 1.0}),
    ("Point", (1, 2, {}, 3, 4), {}),
    ("Named", (1,), {}),
    ("Named", (1, 2.0, {}, 3, "end"), {}),
    ("Named", (1,), {"name": ""}),
    ("Named", (1,), {"length": 3}),
    ("Keywords", (), {"a": 1}),
    ("Keywords", (1,), {}),
    ("Changing", (1,), {}),
    ("Plain", (3,), {}),
]


def _told(act: Callable[[], Any]) -> str:
    try:
        return repr(act())
    except (AttributeError, TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def _seen(made: Any) -> list[str]:
    cls = type(made)
    return [
        repr(vars(made)) if cls.__name__ != "Keywords" else "",
        repr(made),
        repr(dataclasses.asdict(made)),
        repr([(each.name, each.type, each.init, each.repr, each.compare) for each in dataclasses.fields(made)]),
        str(inspect.signature(cls)),
        str(cls.__match_args__),
        _told(lambda: hash(made) == hash(copy.copy(made))),
        _told(lambda: made == copy.copy(made)),
        _told(lambda: made == 3),
        _told(lambda: dataclasses.replace(made, y=3.5)),
        _told(lambda: dataclasses.replace(made, length=2)),
        _told(lambda: setattr(made, "x", 4)),
        _told(lambda: setattr(made, "unknown", 4)),
        _told(lambda: delattr(made, "x")),
        _told(lambda: made.size),
    ]


@pytest.mark.parametrize(("name", "given", "keywords"), CALLS)
def test_a_class_does_what_that_of_the_standard_library_does(
    name: str, given: tuple[Any, ...], keywords: dict[str, Any]
) -> None:
    assert _told(lambda: OURS[name](*given, **keywords)) == _told(lambda: THEIRS[name](*given, **keywords))
    try:
        theirs = THEIRS[name](*given, **keywords)
    except (TypeError, ValueError):
        return
    assert _seen(OURS[name](*given, **keywords)) == _seen(theirs)


def test_an_object_is_equal_to_one_of_its_class_with_equal_fields_and_to_no_other() -> None:
    point, named = OURS["Point"], OURS["Named"]
    assert point(1, names={"a": 1}) == point(1)
    assert point(1) != point(2)
    assert point(1, 1.5) != named(1)
    assert len({point(1), point(1), point(2)}) == 2
    assert OURS["Keywords"](a=1) != OURS["Keywords"](a=1)


def test_replace_calls_the_class_again_and_refuses_what_it_is_not_given() -> None:
    assert deferred.replace(OURS["Named"](1), name="end").length == 3
    with pytest.raises(ValueError, match="name is empty"):
        deferred.replace(OURS["Named"](1), name="")
    with pytest.raises(ValueError, match="field length is declared with init=False"):
        deferred.replace(OURS["Named"](1), length=3)
    with pytest.raises(TypeError, match="unknown"):
        deferred.replace(OURS["Point"](1), unknown=3)


@pytest.mark.parametrize("act", [repr, hash, lambda kept: kept == kept, dataclasses.asdict, dataclasses.is_dataclass])
def test_an_object_that_was_unpickled_before_any_was_made_has_all_methods(act: Callable[[Any], Any]) -> None:
    cls, model = (_classes(of.dataclass, of.field)["Point"] for of in (deferred, dataclasses))
    kept = cls.__new__(cls)  # as pickle makes it
    vars(kept).update(vars(model(1)))
    assert act(kept) == act(model(1))


def test_a_definition_imports_neither_dataclasses_nor_inspect() -> None:
    code = (
        "import sys; from certus.deferred import *;"
        "A = dataclass(frozen=True)(type('A', (), {'__annotations__': {'x': int}})); A(1);"
        "print(*{'dataclasses', 'inspect'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "\n"


def test_no_default_of_any_class_can_be_changed_by_an_object() -> None:
    found = 0
    for module in pkgutil.walk_packages(certus.__path__, "certus."):
        if module.name.endswith(("__main__", "_core", "_pytest", "compat.ir_measures")):
            continue
        for each in vars(import_module(module.name)).values():
            if isinstance(each, type) and each.__module__ == module.name and dataclasses.is_dataclass(each):
                found += 1
                for field in dataclasses.fields(each):
                    assert field.default is dataclasses.MISSING or type(field.default).__hash__ is not None, each
    assert found > 150


def test_no_module_makes_a_class_with_the_standard_library() -> None:
    other = re.compile(r"dataclasses import .*\b(dataclass|field)\b")
    sources = [each for each in Path(certus.__file__).parent.rglob("*.py") if each.name != "deferred.py"]
    assert [each.name for each in sources if other.search(each.read_text())] == []
