"""Declaration of a law: its name, the metric it belongs to, and the parameters that users give by name."""

import inspect
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A parameter that users give by its name, as on the command line."""

    name: str
    about: str
    kind: type[int | float | str] = int
    minimum: int | None = None
    choices: tuple[str, ...] = ()
    read: Callable[[str], Any] | None = None
    """Reads a text of another form, and raises ValueError for what is none; `form` describes one that can be read."""
    form: str = ""
    metavar: str = ""
    argument: str = ""
    options: tuple[str, ...] = ()
    engine: bool = False
    """True if it changes how probabilities are found, and not the law."""

    def __post_init__(self) -> None:
        _PARAMETERS.append(self)

    @property
    def function_argument(self) -> str:
        """The argument of the law's function."""
        return self.argument or self.name


@dataclass(frozen=True)
class Law:
    """A law under chance, as it was declared."""

    name: str
    title: str
    function: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    better: Literal["higher", "lower"] = "higher"

    @cached_property
    def required(self) -> tuple[Parameter, ...]:
        """The parameters without a default."""
        arguments = inspect.signature(self.function).parameters
        return tuple(
            parameter
            for parameter in self.parameters
            if arguments[parameter.function_argument].default is inspect.Parameter.empty
        )

    @cached_property
    def all_parameters(self) -> tuple[Parameter, ...]:
        """All parameters, first those that must be given."""
        return (*self.required, *(parameter for parameter in self.parameters if parameter not in self.required))

    def make(self, values: Mapping[str, Any]) -> Any:
        """The law of parameters by their names."""
        names = {parameter.function_argument: parameter.name for parameter in self.parameters}
        return self.function(**{argument: values[name] for argument, name in names.items() if name in values})


_LAWS: dict[str, Law] = {}
_PARAMETERS: list[Parameter] = []


def law(
    name: str, title: str, *parameters: Parameter, better: Literal["higher", "lower"] = "higher"
) -> Callable[[F], F]:
    """Declare a function to make the law of a metric under chance."""

    def declared(function: F) -> F:
        _LAWS[name] = Law(name, title, function, parameters, better)
        return function

    return declared


def laws() -> tuple[Law, ...]:
    """All laws, by name."""
    return tuple(_LAWS[name] for name in sorted(_LAWS))


def parameters() -> tuple[Parameter, ...]:
    """The parameters of all laws, in the order in which they are declared."""
    names = {parameter.name for law in laws() for parameter in law.parameters}
    return tuple(parameter for parameter in _PARAMETERS if parameter.name in names)


def _sizes(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _counts(text: str) -> dict[int, int]:
    counts: Counter[int] = Counter()
    for part in text.split(","):
        grade, count = part.split(":")
        counts[_short(grade)] += _short(count)
    return dict(counts)


def _short(text: str) -> int:
    digits = text.strip()
    if not (digits.isdecimal() and len(digits) < 10):
        raise ValueError(digits)
    return int(digits)


ITEMS = Parameter(name="items", about="documents in random order", minimum=1)
RELEVANT = Parameter(name="relevant", about="relevant ones among them", minimum=0)
NONRELEVANT = Parameter(name="nonrelevant", about="judged non-relevant ones", minimum=0)
POSITIVES = Parameter(name="positives", about="positive samples", minimum=0, argument="pos")
NEGATIVES = Parameter(name="negatives", about="negative samples", minimum=0, argument="neg")
TIES = Parameter(
    name="ties",
    about="sizes of the groups of equal scores, lowest first",
    kind=str,
    read=_sizes,
    form="a list of sizes, such as 3,1,2",
    metavar="SIZE,...",
)
GRADES = Parameter(
    name="grades",
    about="documents of each grade: 3:5,2:10,0:985",
    kind=str,
    read=_counts,
    form="grades and how many documents have each, as in 3:5,2:10,0:985",
    metavar="GRADE:COUNT,...",
)
CUTOFF = Parameter(name="cutoff", about="look at the first documents only", minimum=1)
DENOMINATOR = Parameter(
    name="denominator", about="divisor of average precision", kind=str, choices=("relevant", "min", "hits")
)
GAIN = Parameter(name="gain", about="gain of a grade", kind=str, choices=("linear", "exp"))
PERSISTENCE = Parameter(name="p", about="persistence", kind=float, options=("persistence", "p"))
HIT = Parameter(name="hit", about="hit whose rank is meant, from the top", minimum=1)
SCALE = Parameter(name="scale", about="the scale m of the score of a list", minimum=3, argument="m")
ENGINE = Parameter(
    name="engine",
    about="method by which probabilities are computed",
    kind=str,
    options=("engine", "method"),
    engine=True,
)
