"""End of every job: the means on stdout, and the values of each query in a file where one is named."""

import json
import sys

__all__ = ["METRICS", "report"]

METRICS = ["AP", "nDCG@10", "RR", "R@100", "R@1000", "P@10"]


def report(values: dict[str, list[float]]) -> None:
    """Print the mean of each metric; write all values to the file named third on the command line, if any."""
    columns = zip(*values.values(), strict=True)
    print(json.dumps({name: sum(column) / len(values) for name, column in zip(METRICS, columns, strict=True)}))
    if len(sys.argv) > 3:
        with open(sys.argv[3], "w") as file:
            json.dump(values, file)
