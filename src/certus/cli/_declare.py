"""Options, arguments and refusals as commands declare them; Typer is imported where it is needed, for help and errors.

Its import would take longer than the evaluation of a small file.
"""

import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_args, get_origin

__all__ = ["Argument", "Declared", "ExitError", "Option", "UsageError", "typed"]


class UsageError(Exception):
    """The command line is wrong; `hint` names the option or argument."""

    def __init__(self, message: str, *, param_hint: str | None = None) -> None:
        super().__init__(message)
        self.message, self.hint = message, param_hint

    def __str__(self) -> str:
        return f"invalid value{'' if self.hint is None else f' for {self.hint}'}: {self.message}"


class ExitError(Exception):
    """The command has done all that it can; `status` is its exit status."""

    def __init__(self, status: int = 0) -> None:
        super().__init__(status)
        self.status = status


class Declared:
    """Facts about one parameter of a command, named as Typer names them."""

    def __init__(self, *names: str, **facts: Any) -> None:
        self.names, self.facts = names, facts


class Option(Declared):
    """Facts about an option."""


class Argument(Declared):
    """Facts about a positional argument."""


def typed(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command as Typer takes it."""
    import typer

    def info(each: Any) -> Any:
        if not isinstance(each, Declared):
            return each
        return (typer.Option if isinstance(each, Option) else typer.Argument)(*each.names, **each.facts)

    def parameter(each: inspect.Parameter) -> inspect.Parameter:
        if get_origin(each.annotation) is not Annotated:
            return each
        kind, *facts = get_args(each.annotation)
        return each.replace(annotation=Annotated[(kind, *map(info, facts))])

    def wrapped(**given: Any) -> Any:
        try:
            return command(**given)
        except UsageError as error:
            raise typer.BadParameter(error.message, param_hint=error.hint) from error

    signature = inspect.signature(command, eval_str=True)
    wrapped.__name__, wrapped.__doc__ = command.__name__, command.__doc__
    parameters = [parameter(each) for each in signature.parameters.values()]
    wrapped.__dict__["__signature__"] = signature.replace(parameters=parameters)
    return wrapped
