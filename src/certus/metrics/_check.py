"""What a metric's parameters accept, read from their annotations.

A parameter says its range where it is declared (``cutoff: Cutoff = None``), so a wrong value is refused when a metric
is named, before any file is read, and the generated documentation states the same range.
"""

import math
import operator
import types
from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Real
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from certus.errors import MetricNameError

__all__ = ["REQUIRED", "Between", "Cutoff", "Grade", "Parameter", "Share", "listed", "suggestion"]

REQUIRED = object()
"""The default of a parameter that has none."""


@dataclass(frozen=True)
class Between:
    """The closed range of a number; `above` and `below` instead exclude their end."""

    low: float = -math.inf
    high: float = math.inf
    above: float = -math.inf
    below: float = math.inf

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high and (self.above < value < self.below)

    def __str__(self) -> str:
        lower = f"at least {self.low:g}" if self.low > -math.inf else f"above {self.above:g}"
        upper = f"at most {self.high:.10g}" if self.high < math.inf else f"below {self.below:g}"
        return " and ".join(text for text in (lower, upper) if "inf" not in text)


# Ranks and grades are 32-bit in the kernels.
Cutoff: TypeAlias = Annotated[int | None, Between(1, 2**32 - 1)]
"""A depth of the list: how many documents from the top are looked at; None for all."""
Grade: TypeAlias = Annotated[int, Between(0, 2**31 - 1)]
"""A grade of relevance."""
Share: TypeAlias = Annotated[float, Between(0, 1)]
"""A part of a whole."""


@dataclass(frozen=True)
class Parameter:
    """One keyword of a metric: its name, its default and what it accepts."""

    name: str
    default: Any
    kinds: tuple[type, ...] = ()
    """The types allowed; empty for any literal."""
    choices: tuple[Any, ...] = ()
    """The values allowed beside those of `kinds`."""
    range: Between = Between()

    @classmethod
    def of(cls, name: str, default: Any, annotation: Any) -> "Parameter":
        """The parameter that an annotation describes: int, float, str, bool, None, a Literal, or a union of them."""
        bounds = Between()
        if get_origin(annotation) is Annotated:
            annotation, *extras = get_args(annotation)
            bounds = next((extra for extra in extras if isinstance(extra, Between)), bounds)
        elif name == "cutoff":
            bounds = Between(1, 2**32 - 1)
        kinds: list[type] = []
        choices: list[Any] = []
        for part in get_args(annotation) if get_origin(annotation) in (Union, types.UnionType) else (annotation,):
            if get_origin(part) is Literal:
                choices.extend(get_args(part))
            elif part in (None, types.NoneType):
                choices.append(None)
            elif part in (int, float, str, bool):
                kinds.append(part)
            elif part is not Any:
                raise TypeError(
                    f"parameter {name} is annotated {part!r}; use int, float, str, bool, None, Literal or a union of them"
                )
        return cls(name, default, tuple(kinds), tuple(choices), bounds)

    @property
    def required(self) -> bool:
        return self.default is REQUIRED

    @property
    def accepts(self) -> str:
        """The values allowed, in words."""
        words = {int: "a whole number", float: "a number", str: "a text", bool: "True or False"}
        said = [words[kind] for kind in self.kinds]
        if said and str(self.range):
            said[-1] += f" {self.range}"
        said += [repr(choice) for choice in self.choices]
        return " or ".join(said) if len(said) < 3 else f"{', '.join(said[:-1])} or {said[-1]}"

    def check(self, value: Any, metric: str) -> Any:
        """The value as a plain Python literal; refused with the values allowed where it is none of them."""
        if any(value is choice or (type(value) is type(choice) and value == choice) for choice in self.choices):
            return value
        plain = self._plain(value)
        if plain is not REQUIRED:
            return plain
        hint = suggestion(value, [choice for choice in self.choices if isinstance(choice, str)])
        raise MetricNameError(f"{self.name} of {metric} is {value!r}; it must be {self.accepts}{hint}")

    def _plain(self, value: Any) -> Any:
        if isinstance(value, bool):
            return value if bool in self.kinds or not (self.kinds or self.choices) else REQUIRED
        if isinstance(value, str):
            return str(value) if str in self.kinds or not (self.kinds or self.choices) else REQUIRED
        free = not (self.kinds or self.choices)
        if int in self.kinds or free:
            try:
                whole = operator.index(value)
            except TypeError:
                pass
            else:
                return whole if self.range.holds(whole) else REQUIRED
        if (float in self.kinds or free) and isinstance(value, Real):
            number = float(value) + 0.0
            return number if math.isfinite(number) and self.range.holds(number) else REQUIRED
        return value if free and value is None else REQUIRED


def suggestion(found: Any, known: "list[str] | tuple[str, ...]") -> str:
    """``"; did you mean 'nDCG'?"`` where a known name is near, else nothing."""
    if not isinstance(found, str):
        return ""
    lowered = {name.lower(): name for name in reversed(known)}
    near = get_close_matches(found[:100].lower(), list(lowered), n=1, cutoff=0.6)
    return f"; did you mean {lowered[near[0]]!r}?" if near else ""


def listed(names: "list[str] | tuple[str, ...]") -> str:
    """The names as a sentence lists them: ``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
