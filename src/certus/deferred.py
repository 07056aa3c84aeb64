"""`dataclasses.dataclass`, with methods that are written when they are first used.

The standard library writes and compiles six methods for each class when its module is imported, in a third to half a
millisecond. A small job imports some sixty such classes, makes objects of half of them, and compares or prints none.
Here ``__init__`` is written when the first object is made, ``__eq__`` and ``__hash__`` are shared by all classes, and
the rest comes from a twin that `dataclasses.make_dataclass` makes when it is first asked for. For `dataclasses.fields`,
`asdict`, `replace` and `is_dataclass`, and for type checkers, these classes are dataclasses.
"""

import sys
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass", "field", "replace"]

_NOTHING = object()
_USUAL = {"init": True, "repr": True, "eq": True, "frozen": False, "kw_only": False}
_FROM_TWIN = ("__dataclass_fields__", "__dataclass_params__", "__match_args__")


class _Field:
    """A field: what `field` was told of it and, once its class is complete, its annotation."""

    def __init__(self, told: dict[str, Any], annotation: Any = None, keyword: bool = False) -> None:
        self.told, self.annotation, self.keyword = told, annotation, keyword
        self.default = told.get("default", _NOTHING)
        self.factory = told.get("default_factory", _NOTHING)
        self.init: bool = told.get("init", True)


class _Factory:
    """The default of an argument whose value is made in the call."""

    def __repr__(self) -> str:
        return "<factory>"


class _Late:
    """A method or a constant of a class, which takes its place there when it is first looked at."""

    def __init__(self, cls: type[Any], name: str) -> None:
        self.cls, self.name = cls, name

    def __get__(self, instance: object, owner: object = None) -> Any:
        record: _Record = self.cls.__record__
        setattr(self.cls, self.name, record.init() if self.name == "__init__" else vars(record.twin)[self.name])
        return getattr(owner if instance is None else instance, self.name)


class _Record:
    """The facts of one class."""

    def __init__(self, cls: type[Any], options: dict[str, bool]) -> None:
        self.cls, self.options = cls, options
        self.told = {name: value for name, value in vars(cls).items() if isinstance(value, _Field)}
        for name, told in self.told.items():
            if told.default is _NOTHING:
                delattr(cls, name)
            else:
                setattr(cls, name, told.default)

    @cached_property
    def fields(self) -> dict[str, _Field]:
        """The fields by name, those of the base classes first."""
        found: dict[str, _Field] = {}
        for base in reversed(self.cls.__mro__[1:]):
            if "__record__" in vars(base):
                record: _Record = vars(base)["__record__"]
                found |= record.fields
        for name, annotation in self.cls.__annotations__.items():
            if "ClassVar" in str(annotation).partition("[")[0]:
                continue
            value = getattr(self.cls, name, _NOTHING)
            told = self.told[name].told if name in self.told else {} if value is _NOTHING else {"default": value}
            found[name] = _Field(told, annotation, self.options["kw_only"])
        return found

    def init(self) -> Callable[..., None]:
        """Write ``__init__``."""
        scope: dict[str, Any] = {"_set": object.__setattr__, "_factory": _Factory()}
        arguments: list[str] = []
        keywords: list[str] = []
        lines: list[str] = []
        for name, each in self.fields.items():
            argument = value = name
            if each.default is not _NOTHING:
                scope[f"_{name}"] = each.default
                argument = f"{name}=_{name}"
            elif each.factory is not _NOTHING:
                scope[f"_{name}"] = each.factory
                argument = f"{name}=_factory"
                value = f"_{name}() if {name} is _factory else {name}" if each.init else f"_{name}()"
            if each.init:
                (keywords if each.keyword else arguments).append(argument)
            elif each.factory is _NOTHING:
                continue  # the class has the default
            lines.append(f"_set(self, {name!r}, {value})" if self.options["frozen"] else f"self.{name} = {value}")
        if hasattr(self.cls, "__post_init__"):
            lines.append("self.__post_init__()")
        given = ", ".join(["self", *arguments, *["*"] * bool(keywords), *keywords])
        exec(f"def __init__({given}):\n " + "\n ".join(lines or ["pass"]), scope)
        made: Callable[..., None] = scope["__init__"]
        made.__annotations__ = {name: each.annotation for name, each in self.fields.items() if each.init}
        made.__annotations__["return"] = None
        made.__module__, made.__qualname__ = self.cls.__module__, f"{self.cls.__qualname__}.__init__"
        return made

    @cached_property
    def compared(self) -> tuple[str, ...]:
        """The fields that tell one object from another."""
        return tuple(name for name, each in self.fields.items() if each.told.get("compare", True))

    @cached_property
    def twin(self) -> type:
        """A class with these fields as `dataclasses` makes it."""
        import dataclasses

        fields = []
        for name, each in self.fields.items():
            told = each.told if each.default is _NOTHING else each.told | {"default": each.default}
            fields.append((name, each.annotation, dataclasses.field(**told, kw_only=each.keyword)))
        options: dict[str, Any] = {name: value for name, value in self.options.items() if name != "kw_only"}
        return dataclasses.make_dataclass(self.cls.__name__, fields, **options)


def _replace(record: Any, /, **changes: Any) -> Any:
    """Copy an object, with other values in some fields."""
    fields: dict[str, _Field] = type(record).__record__.fields
    for name in changes.keys() & fields.keys():
        if not fields[name].init:
            raise ValueError(f"field {name} is declared with init=False, so it cannot be replaced")
    return type(record)(**{name: getattr(record, name) for name, each in fields.items() if each.init} | changes)


def _equal(self: Any, other: object) -> Any:
    return _values(self) == _values(other) if other.__class__ is self.__class__ else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _values(record: Any) -> tuple[object, ...]:
    compared: tuple[str, ...] = type(record).__record__.compared
    return tuple([getattr(record, name) for name in compared])


def _freeze(cls: type[Any]) -> None:
    def refuse(record: object, name: str, verb: str) -> None:
        if type(record) is cls or name in cls.__record__.fields:
            from dataclasses import FrozenInstanceError

            raise FrozenInstanceError(f"cannot {verb} field {name!r}")

    def assign(self: object, name: str, value: object) -> None:
        refuse(self, name, "assign to")
        super(cls, self).__setattr__(name, value)

    def delete(self: object, name: str) -> None:
        refuse(self, name, "delete")
        super(cls, self).__delattr__(name)

    for name, method in (("__setattr__", assign), ("__delattr__", delete)):
        method.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, method)


def _made(cls: type[Any], options: dict[str, bool]) -> type[Any]:
    options = _USUAL | options
    there, frozen = vars(cls), options["frozen"]
    late = [*_FROM_TWIN, *["__init__"] * options["init"], *["__repr__"] * options["repr"]]
    late = [name for name in late if name not in there]
    if options["eq"]:
        own = "__hash__" in there and not (there["__hash__"] is None and "__eq__" in there)
        given = {"__eq__": there.get("__eq__", _equal)} | ({} if own else {"__hash__": _hash if frozen else None})
        for name, method in given.items():
            setattr(cls, name, method)
    cls.__record__ = _Record(cls, options)
    for name in late:
        setattr(cls, name, _Late(cls, name))
    if sys.version_info >= (3, 13):
        cls.__replace__ = _replace
    if frozen:
        _freeze(cls)
    return cls


def _dataclass(cls: type[Any] | None = None, /, **options: bool) -> Any:
    """Make a dataclass; the options are `init`, `repr`, `eq`, `frozen` and `kw_only`."""
    return _made(cls, options) if cls is not None else lambda cls: _made(cls, options)


def _field(**told: Any) -> Any:
    """Tell of a field what its annotation cannot: `default`, `default_factory`, `init`, `repr`, `compare`."""
    return _Field(told)


if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
else:
    dataclass, field, replace = _dataclass, _field, _replace
