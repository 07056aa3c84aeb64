"""The exceptions certus raises for what a user can put right."""

__all__ = ["CertusError", "DataError", "MetricNameError"]


class CertusError(ValueError):
    """Base of the errors below; also a `ValueError`."""


class DataError(CertusError):
    """Input that cannot be evaluated as it stands: names the place, what was found and what to do."""


class MetricNameError(CertusError):
    """A metric, parameter or convention that does not exist, with the nearest one that does."""
