"""``certus audit`` and its subcommands."""
