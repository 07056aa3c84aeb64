"""Efficiency: how long requests take, how many are served, what records cost and how fresh they are."""

from certus.tasks._task import GROUPS, Argument, Task

TASK = Task(
    name="efficiency",
    data=(
        Argument(names=("timings",), about="timings", option="time", predicted=True),
        Argument(names=("sizes",), about="size of each record", option="size", predicted=True),
        Argument(
            names=("held",), about="1 where the system holds the record, otherwise 0", option="held", predicted=True
        ),
        Argument(
            names=("staleness",),
            about="staleness of each record",
            option="staleness",
            predicted=True,
        ),
        Argument(names=("updates",), about="updates of each record", option="updates", predicted=True),
    ),
    conventions=(
        Argument(
            names=("units",),
            about="unit of the times: s, ms, us, ns, min or h (default: s)",
            option="units",
            holds="text",
        ),
        Argument(
            names=("items",),
            about="items that each request served",
            option="items",
            idle="counts items",
        ),
        GROUPS,
    ),
    needs=(("timings",), ("sizes",), ("held",), ("staleness",), ("updates",)),
    usual=(
        *("Latency@0.5", "Latency@0.9", "Latency@0.99", "MeanLatency", "Throughput"),
        *("MeanSpace", "SpaceQuantile@1", "CollectionCoverage", "Freshness", "Age", "UpdateRate"),
    ),
    metrics="certus.metrics.efficiency",
    example="Latency@0.99",
    unit="request",
)
