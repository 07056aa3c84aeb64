"""``certus chance``: options and answers of the laws that are declared in `certus.chance`."""

import inspect
import json
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from certus.chance.declare import Law, Parameter, laws, parameters
from certus.cli._declare import Parameters, UsageError, argument, command, option
from certus.cli._output import check_force, check_picture, save_drawing, write
from certus.cli._progress import QUIET_OPTION, working
from certus.core.errors import DataError

if TYPE_CHECKING:
    from certus.chance import Distribution
    from certus.chance.versus import VersusChance


_LAWS = {each.name: each for each in laws()}
_LOWER = ", ".join(name for name, each in _LAWS.items() if each.better == "lower")
_MOST_LAWS_NAMED = 2
"""Laws that the help of an option names."""


def _with_laws(command_parameters: Parameters) -> Parameters:
    """The parameters of the command with those of all laws, before the value and after the side that counts."""
    law, observed, alternative, *remaining = command_parameters
    declared = {engine: [_declared(each) for each in parameters() if each.engine is engine] for engine in (False, True)}
    return [law, *declared[False], observed, alternative, *declared[True], *remaining]


@command("chance", "ap --items 100 --relevant 5", extend=_with_laws)
def chance(
    law: str = argument(metavar="NAME", choices=tuple(_LAWS), help=f"What is measured: {', '.join(_LAWS)}."),
    observed: str | None = option(
        metavar="VALUE",
        help="A value to compare with chance. A decimal (0.9167) stands for every value that rounds to it; a "
        "fraction (11/12) or a whole number for itself.",
    ),
    alternative: Literal["greater", "less", "two-sided"] | None = option(
        help=f"Values at least as good as the observed one. Default: greater; for {_LOWER} less."
    ),
    quantiles: bool = option(
        "--quantiles/--no-quantiles",
        default=True,
        help="Also quantiles, which are slow for long rankings.",
    ),
    form: Literal["text", "json"] = option("--format", default="text", help="Format of the answer."),
    plot: Path | None = option(
        metavar="FILE",
        help="Also draw the law, the normal approximation, and the --observed value with its tail (.png, .svg, "
        ".pdf); needs certus[plot].",
    ),
    force: bool = option("--force", help="Replace the file of the picture."),
    _quiet: bool = QUIET_OPTION,
    **options: Any,
) -> None:
    """Show what a random ranking would score."""
    check_force(force, plot)
    check_picture(plot, force)
    present = [parameter for parameter in parameters() if options[parameter.name] is not None]
    written = {parameter.name: options[parameter.name] for parameter in present}
    values = {parameter.name: _read(parameter, written[parameter.name]) for parameter in present}
    chosen = _LAWS[law]
    _check(chosen, present)
    if alternative is not None and observed is None:
        raise UsageError("applies to the probability of a value; give one with --observed", "--alternative")
    observed_value = None if observed is None else Observed.read(observed)
    side = alternative or ("less" if chosen.better == "lower" else "greater")
    with working("computing"):
        distribution = chosen.make(values)
        if observed_value is not None:
            observed_value.check_within(min(0.0, distribution.support()[0]), distribution.support()[1])
        answer = _Answer(chosen, written, observed_value, side, distribution, quantiles)
        if plot is not None:
            save_drawing(answer.draw, plot, force)
    text = json.dumps(answer.held(law)) if form == "json" else "\n".join(answer.lines())
    write(text + "\n")


def _check(law: Law, present: Sequence[Parameter]) -> None:
    missing = [parameter for parameter in law.required if parameter not in present]
    if missing:
        raise UsageError(f"{law.name} needs {' and '.join(map(_option, law.required))}", _option(missing[0]))
    if other := [parameter for parameter in present if parameter not in law.all_parameters]:
        option_list = ", ".join(map(_option, law.all_parameters))
        raise UsageError(f"{law.name} does not take it; it takes {option_list}", _option(other[0]))


def _option(parameter: Parameter) -> str:
    return f"--{parameter.name}"


def _read(parameter: Parameter, text: Any) -> Any:
    if parameter.read is None:
        return str(text) if parameter.choices else text
    try:
        return parameter.read(text)
    except ValueError:
        raise UsageError(f"{text!r} is not {parameter.form}", _option(parameter)) from None


def _declared(parameter: Parameter) -> inspect.Parameter:
    """The option of a parameter; its help names the laws that take it, where they are few."""
    kind: Any = str if parameter.choices else parameter.kind
    names = [law.name for law in _LAWS.values() if parameter in law.parameters]
    law_names = f" ({', '.join(names)})" if len(names) <= _MOST_LAWS_NAMED else ""
    about = f"{parameter.about[0].upper()}{parameter.about[1:]}{law_names}."
    declared = option(
        *(f"--{name}" for name in parameter.options),
        arguments=[parameter.function_argument],
        metavar=parameter.metavar or None,
        choices=parameter.choices,
        help=about,
        min=parameter.minimum,
    )
    return inspect.Parameter(parameter.name, inspect.Parameter.KEYWORD_ONLY, default=declared, annotation=kind)


_QUANTILES = (0.025, 0.5, 0.975)


class Observed(NamedTuple):
    """A value, and the decimals that it was rounded to; None where it was not.

    Of more digits than a float keeps, those that it keeps count.
    """

    value: float
    digits: int | None

    @classmethod
    def read(cls, text: str) -> "Observed":
        """The value that a text states: ``0.9167`` is rounded to four decimals, ``11/12`` and ``1`` are exact."""
        text = text.strip()
        if text.lower().lstrip("+-") in ("nan", "inf", "infinity"):
            raise _refused(f"{text} is not a finite value")
        try:
            if _FRACTION.fullmatch(text):
                return cls(float(Fraction(text)), None)
            match = _WRITTEN.fullmatch(text)
            if match is None or len(text) > 300 or not re.search("[0-9]", text.split("e")[0].split("E")[0]):
                raise _refused(f"{text!r} is not a number; give a decimal as in 0.9167, or a fraction as in 11/12")
            digits = len(match["decimals"] or "") - int(match["power"] or 0)
            rounded = match["decimals"] is not None or match["power"] is not None
            value = float(Fraction(text))
            if value:
                digits = min(digits, SIGNIFICANT_DIGITS - 1 - math.floor(math.log10(abs(value))))
            return cls(value, digits if rounded and digits > 0 else None)
        except ZeroDivisionError:
            raise _refused(f"{text} divides by zero; give a fraction as in 11/12") from None
        except OverflowError:
            raise _refused(f"{text} is not a finite value") from None

    def check_within(self, lowest: float, greatest: float) -> None:
        """Refuse a value that rounding does not bring to one that there can be."""
        slack = 1e-9 * max(1.0, abs(greatest)) + (0.0 if self.digits is None else 0.5 * 10.0**-self.digits)
        if not lowest - slack <= self.value <= greatest + slack:
            raise _refused(f"{self.value:g} is not a possible value, which are from {lowest:.4g} to {greatest:.4g}")


class _Answer:
    """The printed answer."""

    def __init__(
        self,
        law: Law,
        arguments: dict[str, Any],
        observed: Observed | None,
        alternative: Any,
        distribution: "Distribution",
        quantiles: bool,
    ) -> None:
        self.arguments, self.law = arguments, distribution
        self.title = f"{law.title}@{arguments['cutoff']}" if "cutoff" in arguments else law.title
        self.quantiles: dict[float, float] = {}
        with suppress(DataError):  # of very many items only mean and variance are known
            self.quantiles = {q: distribution.ppf(q) for q in _QUANTILES} if quantiles else {}
        self.versus: VersusChance | None = None
        if observed is not None:
            from certus.chance import versus

            value, digits = observed
            self.versus = versus.VersusChance(
                value, distribution, alternative, self.title, better=law.better, digits=digits
            )

    @property
    def _arguments_text(self) -> str:
        return ", ".join(f"{name} {value}" for name, value in self.arguments.items())

    def lines(self) -> Iterator[str]:
        yield f"{self.title} of a random ranking: {self._arguments_text}"
        yield ""
        low, high = self.law.support()
        yield f"expected   {self.law.mean():.5g}"
        yield f"sd         {self.law.std():.4g}"
        yield f"range      {low:.4g} to {high:.4g}"
        if self.quantiles:
            yield "quantiles  " + "  ".join(f"{100 * q:g}%" + f" {x:.4g}" for q, x in self.quantiles.items())
        if self.versus is not None:
            from certus.chance.versus import method_text, probability_formula, probability_text, stands_for

            yield ""
            p = self.versus.p
            yield f"{probability_formula(self.versus)} {probability_text(p, 4)}  ({method_text(p)})"
            yield f"chance-corrected {self.versus.corrected:.4g}  (0 at chance, 1 at perfect)"
            yield f"percentile {self.versus.percentile:.4g}"
            yield from stands_for(self.versus)

    def draw(self) -> Any:
        """The picture of the law, with the value observed."""
        label = f"{self.title} of a random ranking"
        if self.versus is None:
            return self.law.plot(xlabel=label, title=self._arguments_text)
        ax = self.versus.plot()
        ax.set_title(self._arguments_text, fontsize=11)
        return ax

    def held(self, name: str) -> dict[str, Any]:
        low, high = self.law.support()
        answer_fields: dict[str, Any] = {
            "law": name,
            **self.arguments,
            "expected": self.law.mean(),
            "sd": self.law.std(),
            "support": [low, high],
            "quantiles": {f"{q:g}": x for q, x in self.quantiles.items()},
        }
        if self.versus is not None:
            answer = self.versus.to_dict()
            versus_fields = ("digits", "p", "error", "method", "exact", "alternative", "corrected", "percentile")
            answer_fields |= {"observed": self.versus.value, **{field: answer[field] for field in versus_fields}}
        # JSON has no NaN; what is undefined is null.
        return {
            key: None if isinstance(value, float) and math.isnan(value) else value
            for key, value in answer_fields.items()
        }


_WRITTEN = re.compile(r"(?P<whole>[+-]?[0-9]*)(?:\.(?P<decimals>[0-9]*))?(?:[eE](?P<power>[+-]?[0-9]{1,3}))?")
_FRACTION = re.compile(r"[+-]?[0-9]{1,300}/[0-9]{1,300}")
SIGNIFICANT_DIGITS = 15
"""Significant digits of any decimal that a float gives back as they were written."""


def _refused(message: str) -> UsageError:
    return UsageError(message, "--observed")
