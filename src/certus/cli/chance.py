"""``certus chance``: options and answers of the laws that are declared in `certus.chance`."""

import inspect
import json
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from certus.chance.declare import Law, Parameter, laws, parameters
from certus.cli._chance import Answer
from certus.cli._declare import Argument, Option, UsageError, command
from certus.cli._observed import Observed
from certus.cli._options import Written
from certus.cli._output import check_force, write
from certus.cli._pictures import check_picture, save_drawing
from certus.cli._progress import Quiet, working
from certus.errors import options_for

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
        answer = Answer.of(chosen, written, made, held, side.value, quantiles)
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
