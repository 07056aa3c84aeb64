"""``certus audit`` and its subcommands."""

import typer

from certus.cli._command import Command
from certus.cli._declare import typed
from certus.cli._once import Group
from certus.cli.audit.counts import counts
from certus.cli.audit.files import estimate, sample
from certus.cli.audit.plan import plan
from certus.cli.audit.ranking import ranking
from certus.cli.audit.sequence import sequence

__all__ = ["audit"]

audit = typer.Typer(cls=Group, add_completion=False, no_args_is_help=False)
audit.callback(invoke_without_command=True)(typed(counts))
audit.command(cls=Command)(typed(plan))
audit.command(cls=Command)(typed(sample))
audit.command(cls=Command)(typed(estimate))
audit.command(cls=Command)(typed(sequence))
audit.command(cls=Command)(typed(ranking))
