"""The declaration of a task, which everything else reads."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from certus.core.errors import MetricNameError
from certus.core.lazy import later

if TYPE_CHECKING:
    from certus.evaluation.cases import Samples, Systems


@dataclass(frozen=True)
class Argument:
    """One argument of the metrics of a task: data, or a convention about them.

    Attributes
    ----------
    name
        What functions and data classes call it.
    about
        One phrase for the help of the command line and for docstrings.
    aliases
        Other names in functions and data classes.
    option
        The option of the command line that gives it, without dashes, by default its name; empty: none does.
    holds
        What a cell of its column is: one of the ``"labels"``, which are compared with each other, a number, or a key
        that tells rows apart. What is not a column is a ``"text"``, a ``"label"``, a ``"list"`` of labels, a
        ``"number"``, also several, or a ``"flag"``, true or false.
    several
        Several columns may be given together, one for each output or label.
    by_class
        Of several columns each belongs to a class, after which it is named, or which stands before it: ``CLASS=COL``.
    marks
        Its numbers are 0 and 1 only: which labels a sample has.
    predicted
        Each system has its own; what is not predicted belongs to the samples.
    choices
        The values that are allowed.
    default
        What it is where it is not given; of choices the first.
    axes, looks
        How many axes the values have, and whether they are ``"text"`` (or booleans), ``"whole"`` numbers,
        ``"fractional"`` ones, a ``"frame"`` or a ``"file"``; from that of the first data a call infers its task.
    idle
        What a metric does that looks at it; where no metric does, giving it is an error. Empty: each metric looks at it
        or refuses it by itself.

    Examples
    --------
    >>> column = Argument("values", "one number per item", option="value")
    >>> column.name, column.option, column.several
    ('values', 'value', False)
    """

    name: str
    about: str
    _: KW_ONLY
    aliases: tuple[str, ...] = ()
    option: str = "-"
    holds: Literal["labels", "numbers", "keys", "text", "label", "list", "number", "flag"] = "numbers"
    several: bool = False
    by_class: bool = False
    marks: bool = False
    predicted: bool = False
    choices: tuple[str | bool, ...] = ()
    default: object = None
    axes: tuple[int, ...] = (1,)
    looks: tuple[Literal["text", "whole", "fractional", "frame", "file"], ...] = ("whole", "fractional")
    idle: str = ""

    def __post_init__(self) -> None:
        if self.option == "-":
            object.__setattr__(self, "option", self.name.replace("_", "-"))
        if self.choices:
            object.__setattr__(self, "holds", "flag" if False in self.choices else "text")
            object.__setattr__(self, "default", self.choices[0])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All names in functions and data classes."""
        return (self.name, *self.aliases)

    @property
    def of_system(self) -> bool:
        """True if each system that is compared may have several columns of it."""
        return self.predicted and self.several and not self.by_class

    @cached_property
    def column(self) -> bool:
        """True if the argument has one value for each sample."""
        return self.holds in ("labels", "numbers", "keys")


@dataclass(frozen=True, kw_only=True)
class Task:
    """A kind of data and prediction, with all that functions, commands, pages and tests need to know of it.

    Whatever takes time to import stands in a function that gives it, as `certus.core.lazy.later` makes.

    Attributes
    ----------
    name
        One word.
    data
        What metrics are computed from, in the order in which `certus.evaluate` takes it.
    conventions
        What every call may be told beside the parameters of a metric.
    options
        What only a report is told.
    needs
        The names of data that suffice for a report, each way by itself.
    usual
        The metrics of a report, as far as their data are given.
    compared
        The metrics of a comparison unless some are named; empty where systems cannot be paired.
    metrics
        The package whose modules declare the metrics; they are imported when a metric is first asked for.
    about
        A sentence on what the metrics share, for the generated page.
    example
        How parameters of its metrics are written.
    unit
        What one row is: a query, a sample, a request.
    part
        What has rows of its own within a metric: a class, an output, a label.
    bare
        A column alone is taken for it, where nothing says that it is of another task.
    scored
        Estimators are fitted for it, so that `certus.scorer` serves its metrics.
    samples
        Gives the class that prepares samples for a report.
    systems
        Gives the function that makes `Systems` of what a report is called on.
    call
        Gives the function that calling a metric runs.
    prepare
        Gives the function that makes the data of a metric of what it is called on: of metric, columns and conventions.
    chance
        Gives the function of metric and data that gives the comparison with chance, as `Estimate` takes it, or None;
        None: no metric of the task has one.
    pair
        Gives the function that compares two systems by a metric on prepared data; None: by the form of the metric's
        statistics.
    both
        Gives the function that makes the statistics of a metric on the prepared data of two systems, each saying which
        samples it is made of, and what a unit is; None: counts of two systems cannot be paired.
    decide
        Gives the function that makes labels of scores by thresholds or budgets; None: the task has no such labels.
    drawn
        The names of the pictures of its systems.
    pictures
        Gives the function that names the pictures of some cases, with subgroups, at a level, and how each is drawn.

    Examples
    --------
    >>> from certus.tasks import task
    >>> found = task("values")
    >>> found.name, found.unit, found.usual, [each.name for each in found.data]
    ('values', 'item', ('Mean',), ['values'])
    """

    name: str
    data: tuple[Argument, ...]
    conventions: tuple[Argument, ...] = ()
    options: tuple[Argument, ...] = ()
    needs: tuple[tuple[str, ...], ...]
    usual: tuple[str, ...]
    compared: tuple[str, ...] = ()
    metrics: str = ""
    about: str = ""
    example: str = ""
    unit: str = "sample"
    part: str = "class"
    bare: bool = False
    scored: bool = False
    samples: "Callable[[], type[Samples]]" = later("certus.evaluation.cases", "Samples")
    systems: "Callable[[], Callable[..., Systems]]" = later("certus.evaluation.binding", "systems_of_columns")
    call: Callable[[], Callable[..., Any]] = later("certus.evaluation.call", "estimate")
    prepare: Callable[[], Callable[..., Any]] = later("certus.evaluation.call", "prepare_data")
    chance: Callable[[], Callable[..., Any]] | None = None
    pair: Callable[[], Callable[..., Any]] | None = None
    both: Callable[[], Callable[..., tuple[Any, ...]]] | None = None
    decide: Callable[[], Callable[..., tuple[Any, list[Any]]]] | None = None
    drawn: tuple[str, ...] = ()
    pictures: Callable[[], Callable[..., Iterable[tuple[str, Callable[[Any], Any]]]]] | None = None

    @cached_property
    def paired(self) -> bool:
        """True if systems can be compared on the same units."""
        return bool(self.compared)

    @cached_property
    def shared(self) -> tuple[Argument, ...]:
        """The data that belong to the samples, such as the truth."""
        return tuple(argument for argument in self.data if not argument.predicted)

    @cached_property
    def predicted(self) -> tuple[Argument, ...]:
        """The data that each system has its own of."""
        return tuple(argument for argument in self.data if argument.predicted)

    @cached_property
    def defaults(self) -> Mapping[str, object]:
        """The conventions with their defaults."""
        return {argument.name: argument.default for argument in self.conventions}

    @cached_property
    def columns(self) -> tuple[Argument, ...]:
        """The data and the conventions with a value for each sample."""
        return (*self.data, *(argument for argument in self.conventions if argument.column))

    @cached_property
    def by_alias(self) -> Mapping[str, Argument]:
        """The columns by all that they are called: in functions, and as options of the command line."""
        return {
            alias: argument
            for argument in self.columns
            for alias in (*argument.names, argument.option, f"{argument.option}s")
            if alias
        }

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """The names of columns by all that they are called."""
        return {alias: argument.name for alias, argument in self.by_alias.items()}

    @cached_property
    def settings(self) -> frozenset[str]:
        """The names of the conventions that have one value for all samples."""
        return frozenset(name for argument in self.conventions if not argument.column for name in argument.names)

    @cached_property
    def keywords(self) -> frozenset[str]:
        """The names of all that a report may be given."""
        return frozenset(argument.name for argument in (*self.data, *self.conventions, *self.options))

    def check_compared(self, names: Iterable[str]) -> None:
        """Refuse keywords of a comparison that are not for all systems. The first data are given by place.

        Raises
        ------
        MetricNameError
            One of them names what each system predicts.
        TypeError
            A comparison of the task has no such keyword.
        """
        rules = [argument for argument in self.options if argument.holds == "number"]
        shared_keywords = [argument.name for argument in (*self.shared[1:], *self.conventions, *rules)]
        for name in names:
            if any(name == argument.name for argument in self.predicted):
                remedy = f"give it by system, as in {{'old': {{{name!r}: ...}}}}"
                raise MetricNameError("is what each system predicts", remedy, argument=name)
            if name not in shared_keywords:
                raise TypeError(
                    f"compare() does not take {name!r} here: "
                    f"a comparison of {self.name} takes {', '.join(shared_keywords)}"
                )

    def source_of(self, metric: str) -> str:
        """Source of a metric as declared; empty for an unknown name."""
        from certus.metrics import parse

        try:
            return parse(metric, task=self.name).source
        except MetricNameError:
            return ""

    def argument(self, name: str) -> Argument:
        """The data or the convention of that name."""
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> Mapping[str, Argument]:
        arguments = (*self.options, *self.conventions, *self.data)
        return {name: argument for argument in arguments for name in argument.names}

    def check_asked(self, conventions: Mapping[str, Any], data: Iterable[object], metrics: Iterable[object]) -> None:
        """Refuse conventions that no metric has looked at in the data it was computed from.

        Raises
        ------
        MetricNameError
            Such a convention was given.
        """
        prepared_data = list(data)
        for convention in self.conventions:
            value = conventions.get(convention.name)
            if (
                not convention.idle
                or value is None
                or any(
                    convention.name in getattr(entry, "conventions_used", (convention.name,)) for entry in prepared_data
                )
            ):
                continue
            names = list(dict.fromkeys(map(str, metrics)))
            metric_names = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
            problem = "is given" if convention.column else f"is {value!r}"
            raise MetricNameError(
                f"{problem}, but nothing here {convention.idle}: {metric_names}",
                "leave it out",
                argument=convention.name,
            )

    def enough(self, names: Iterable[str]) -> bool:
        """True if data of these names suffice."""
        return any(map({*names}.issuperset, self.needs))


WEIGHT = Argument("sample_weight", "sample weights", option="weight")
"""The weight of each sample, for a task that takes any."""
THRESHOLD = Argument(
    "threshold",
    "predict scores of at least this as positive and evaluate the labels; several give a row each",
    holds="number",
    several=True,
)
"""The least score that is positive, for a task of labels and scores."""
GROUPS = Argument("groups", "clusters (such as patients or users), whose samples are dependent", holds="keys")
"""The cluster of each sample, for a task whose samples may be in clusters."""
