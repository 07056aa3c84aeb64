"""``certus chance``: options and answers of the laws that are declared in `certus.chance`."""

import inspect
import json
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from certus.chance.declare import Law, Parameter, laws, parameters
from certus.cli._declare import Argument, Option, UsageError, command
from certus.cli._options import Written
from certus.cli._output import check_force, check_picture, save_drawing, write
from certus.cli._progress import Quiet, working
from certus.errors import DataError, options_for

if TYPE_CHECKING:
    from certus.chance import Distribution
    from certus.chance.declare import Law
    from certus.chance.versus import VersusChance


_LAWS = {each.name: each for each in laws()}
_LOWER = ", ".join(name for name, each in _LAWS.items() if each.better == "lower")
_FEW = 2
"""Laws that the help of an option names."""


class Name(StrEnum):
    """The names of the laws."""

    vars().update({name.replace("-", "_"): name for name in _LAWS})


class Alternative(StrEnum):
    """The side of the distribution that counts."""

    greater = "greater"
    less = "less"
    two_sided = "two-sided"


def _state(
    law: Annotated[Name, Argument(metavar="NAME", help=f"What is measured: {', '.join(_LAWS)}.")],
    observed: Annotated[
        str | None,
        Option(
            metavar="VALUE",
            help="A value to compare with chance. A decimal (0.9167) stands for every value that rounds to it; a "
            "fraction (11/12) or a whole number for itself.",
        ),
    ] = None,
    alternative: Annotated[
        Alternative | None, Option(help=f"Values that count as no worse. Default: greater; for {_LOWER} less.")
    ] = None,
    quantiles: Annotated[
        bool,
        Option(
            "--quantiles/--no-quantiles", help="Also quantiles; of long rankings they take longer than all the rest."
        ),
    ] = True,
    form: Annotated[Written, Option("--format", help="Format of the answer.")] = Written.text,
    plot: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="Also draw the law, the normal approximation, and the --observed value with its tail (.png, .svg, "
            ".pdf); needs certus[plot].",
        ),
    ] = None,
    force: Annotated[bool, Option("--force", help="Replace the file of the picture.")] = False,
    _quiet: Quiet = False,
    **options: Any,
) -> None:
    """State the distribution of a metric under a random ranking: what chance would score."""
    check_force(force, plot)
    check_picture(plot, force)
    written = {each.name: options[each.name] for each in parameters() if options[each.name] is not None}
    given = {each.name: _read(each, written[each.name]) for each in parameters() if each.name in written}
    chosen = _LAWS[law.value]
    _check(chosen, given)
    if alternative is not None and observed is None:
        raise UsageError("is for the probability of a value; give one with --observed", param_hint="--alternative")
    held = None if observed is None else Observed.read(observed)
    side = alternative or (Alternative.less if chosen.better == "lower" else Alternative.greater)
    with working("computing"), options_for({each.of_function: _option(each) for each in chosen.takes}):
        made = chosen.made(given)
        if held is not None:
            held.check_within(min(0.0, made.support()[0]), made.support()[1])
        answer = _Answer.of(chosen, written, made, held, side.value, quantiles)
        if plot is not None:
            save_drawing(answer.draw, plot, force)
    text = json.dumps(answer.held(law.value)) if form is Written.json else "\n".join(answer.lines())
    write(text + "\n")


def _check(law: Law, given: dict[str, Any]) -> None:
    missing = [each for each in law.needs if each.name not in given]
    if missing:
        raise UsageError(f"{law.name} needs {' and '.join(map(_option, law.needs))}", param_hint=_option(missing[0]))
    other = [each for each in parameters() if each.name in given and each not in law.takes]
    if other:
        takes = ", ".join(map(_option, law.takes))
        raise UsageError(f"{law.name} does not take it; it takes {takes}", param_hint=_option(other[0]))


def _option(each: Parameter) -> str:
    return f"--{each.name}"


def _read(each: Parameter, given: Any) -> Any:
    if each.read is None:
        return str(given) if each.choices else given
    try:
        return each.read(given)
    except ValueError:
        raise UsageError(f"{given!r} is not {each.form}", param_hint=_option(each)) from None


def _declared(each: Parameter) -> inspect.Parameter:
    """The option of a parameter; its help names the laws that take it, where they are few."""
    kind: Any = StrEnum(each.name, {word: word for word in each.choices}) if each.choices else each.kind
    names = [law.name for law in _LAWS.values() if each in law.parameters]
    of = f" ({', '.join(names)})" if len(names) <= _FEW else ""
    about = f"{each.about[0].upper()}{each.about[1:]}{of}."
    facts = {"min": each.least, "metavar": each.metavar or None, "help": about}
    known = {name: fact for name, fact in facts.items() if fact is not None}
    option = Option(*(f"--{name}" for name in each.options), **known)
    return inspect.Parameter(
        each.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, option]
    )


def _with_parameters(own: Iterable[inspect.Parameter]) -> inspect.Signature:
    """The arguments of the command, with the parameters of all laws instead of its last one."""
    law, observed, alternative, *others, _ = own
    made = {which: [_declared(each) for each in parameters() if each.engine is which] for which in (False, True)}
    order = [law, *made[False], observed, alternative, *made[True], *others]
    return inspect.Signature([each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in order])


def chance(**given: Any) -> None:
    """Call the command."""
    _state(**given)


chance.__doc__ = _state.__doc__
chance.__dict__["__signature__"] = _with_parameters(inspect.signature(_state).parameters.values())
command("chance", "ap --items 100 --relevant 5")(chance)


_QUANTILES = (0.025, 0.5, 0.975)


class Observed(NamedTuple):
    """A value, and the decimals that it was rounded to; None where it was not.

    Of more digits than a float keeps, those that it keeps count.
    """

    value: float
    digits: int | None

    @classmethod
    def read(cls, text: str) -> "Observed":
        """The value of ``0.9167`` (rounded to four decimals), of ``11/12`` or of ``1`` (exact)."""
        text = text.strip()
        if text.lower().lstrip("+-") in ("nan", "inf", "infinity"):
            raise _refused(f"{text} is not a finite value")
        try:
            if _FRACTION.fullmatch(text):
                return cls(float(Fraction(text)), None)
            found = _WRITTEN.fullmatch(text)
            if found is None or len(text) > 300 or not re.search("[0-9]", text.split("e")[0].split("E")[0]):
                raise _refused(f"{text!r} is not a number; give a decimal as in 0.9167, or a fraction as in 11/12")
            digits = len(found["decimals"] or "") - int(found["power"] or 0)
            rounded = found["decimals"] is not None or found["power"] is not None
            value = float(Fraction(text))
            if value:
                digits = min(digits, KEPT - 1 - math.floor(math.log10(abs(value))))
            return cls(value, digits if rounded and digits > 0 else None)
        except ZeroDivisionError:
            raise _refused(f"{text} divides by zero; give a fraction as in 11/12") from None
        except OverflowError:
            raise _refused(f"{text} is not a finite value") from None

    def check_within(self, least: float, greatest: float) -> None:
        """Refuse a value that rounding does not bring to one that there can be."""
        slack = 1e-9 * max(1.0, abs(greatest)) + (0.0 if self.digits is None else 0.5 * 10.0**-self.digits)
        if not least - slack <= self.value <= greatest + slack:
            raise _refused(f"{self.value:g} is not a possible value, which are from {least:.4g} to {greatest:.4g}")


@dataclass(frozen=True)
class _Answer:
    """The printed answer."""

    title: str
    given: dict[str, Any]
    law: "Distribution"
    expected: float
    sd: float
    quantiles: dict[float, float]
    versus: "VersusChance | None"

    @classmethod
    def of(
        cls,
        law: "Law",
        given: dict[str, Any],
        made: "Distribution",
        observed: Observed | None,
        alternative: Any,
        quantiles: bool,
    ) -> "_Answer":
        from certus.chance.versus import VersusChance

        try:
            found = {q: made.ppf(q) for q in _QUANTILES} if quantiles else {}
        except DataError:  # of very many items only mean and variance are known
            found = {}
        title = f"{law.title}@{given['cutoff']}" if "cutoff" in given else law.title
        versus = None
        if observed is not None:
            value, digits = observed
            versus = VersusChance(value, made, alternative, title, better=law.better, digits=digits)
        return cls(title, given, made, made.mean(), made.std(), found, versus)

    def lines(self) -> Iterator[str]:
        arguments = ", ".join(f"{name} {value}" for name, value in self.given.items())
        yield f"{self.title} of a random ranking: {arguments}"
        yield ""
        low, high = self.law.support()
        yield f"expected   {self.expected:.5g}"
        yield f"sd         {self.sd:.4g}"
        yield f"range      {low:.4g} to {high:.4g}"
        if self.quantiles:
            yield "quantiles  " + "  ".join(f"{100 * q:g}%" + f" {x:.4g}" for q, x in self.quantiles.items())
        if self.versus is not None:
            from certus.chance.versus import asked, how, shown, stands_for

            yield ""
            yield f"{asked(self.versus)} {shown(self.versus.p, 4)}  ({how(self.versus.p)})"
            yield f"chance-corrected {self.versus.corrected:.4g}  (0 at chance, 1 at perfect)"
            yield f"percentile {self.versus.percentile:.4g}"
            yield from stands_for(self.versus)

    def draw(self) -> Any:
        """The picture of the law, with the value observed."""
        about = ", ".join(f"{name} {value}" for name, value in self.given.items())
        label = f"{self.title} of a random ranking"
        if self.versus is None:
            return self.law.plot(xlabel=label, title=about)
        ax = self.versus.plot()
        ax.set_title(about, fontsize=11)
        return ax

    def held(self, name: str) -> dict[str, Any]:
        low, high = self.law.support()
        found: dict[str, Any] = {
            "law": name,
            **self.given,
            "expected": self.expected,
            "sd": self.sd,
            "support": [low, high],
            "quantiles": {f"{q:g}": x for q, x in self.quantiles.items()},
        }
        if self.versus is not None:
            answer = self.versus.to_dict()
            kept = ("digits", "p", "error", "method", "exact", "alternative", "corrected", "percentile")
            found |= {"observed": self.versus.value, **{each: answer[each] for each in kept}}
        # JSON has no NaN; what is undefined is null.
        return {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in found.items()}


_WRITTEN = re.compile(r"(?P<whole>[+-]?[0-9]*)(?:\.(?P<decimals>[0-9]*))?(?:[eE](?P<power>[+-]?[0-9]{1,3}))?")
_FRACTION = re.compile(r"[+-]?[0-9]{1,300}/[0-9]{1,300}")
KEPT = 15
"""Significant digits of any decimal that a float gives back as they were written."""


def _refused(message: str) -> UsageError:
    return UsageError(message, param_hint="--observed")
