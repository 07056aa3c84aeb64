"""Efficiency: how long requests take, how many are served, what records cost and how fresh they are."""

from certus.tasks._task import GROUPS, Argument, Task

TASK = Task(
    name="efficiency",
    data=(
        Argument("timings", "timings", option="time", predicted=True),
        Argument("sizes", "size of each record", option="size", predicted=True),
        Argument("held", "1 where the system holds the record, otherwise 0", predicted=True),
        Argument("staleness", "staleness of each record", predicted=True),
        Argument("updates", "updates of each record", predicted=True),
    ),
    conventions=(
        Argument("units", "unit of the times: s, ms, us, ns, min or h (default: s)", holds="text"),
        Argument("items", "items that each request served", idle="counts items"),
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
