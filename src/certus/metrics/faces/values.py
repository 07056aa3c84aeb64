"""Every metric of values by the name of its function; the types are in the stub beside this file."""

from certus.metrics._registry import declared

globals().update({metric.function_name: metric for metric in declared("values")})
