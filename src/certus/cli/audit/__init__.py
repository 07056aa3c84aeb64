"""``certus audit`` and its subcommands."""

import typer

from certus.cli.audit.counts import counts
from certus.cli.audit.files import estimate, sample
from certus.cli.audit.plan import plan
from certus.cli.audit.ranking import ranking
from certus.cli.audit.sequence import sequence

__all__ = ["audit"]

audit = typer.Typer(add_completion=False, no_args_is_help=False)
audit.callback(invoke_without_command=True)(counts)
audit.command()(plan)
audit.command()(sample)
audit.command()(estimate)
audit.command()(sequence)
audit.command()(ranking)
