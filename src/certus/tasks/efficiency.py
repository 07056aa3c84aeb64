"""Efficiency: how long requests take, and how many are served."""

from certus.tasks._task import GROUPS, Argument, Task

__all__ = ["TASK"]


def _load() -> object:
    from certus.metrics import efficiency

    return efficiency


TASK = Task(
    name="efficiency",
    data=(Argument(names=("timings",), about="timings", option="time", predicted=True),),
    conventions=(
        Argument(names=("units",), about="s, ms, us, ns, min or h (default: s)", option="units", holds="text"),
        Argument(
            names=("items",),
            about="items that each request served",
            option="items",
            idle="counts items",
        ),
        GROUPS,
    ),
    needs=(("timings",),),
    usual=("Latency@0.5", "Latency@0.9", "Latency@0.99", "MeanLatency", "Throughput"),
    load=_load,
    example="Latency@0.99",
    unit="request",
)
