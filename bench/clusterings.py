"""Clustering metrics of certus and of scikit-learn, in one process and one run.

    python bench/clusterings.py [--repeat 3] [--scale 1.0] [--only TEXT]

For each job the answers are compared first; then the two take turns. Prints Markdown, and exits with 1 if a job is
slower, or takes more memory, than it has to.
"""

import argparse
import sys

from clustering_jobs import jobs
from contest import measure, table


def main() -> int:
    """Run the jobs asked for and print their table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3, help="timed turns of each job")
    parser.add_argument("--scale", type=float, default=1.0, help="part of the samples that the jobs are meant for")
    parser.add_argument("--only", default="", help="jobs whose name contains this")
    options = parser.parse_args()
    results = [measure(case, options.repeat) for case in jobs(options.scale) if options.only in case.name]
    print(table(results))
    return 0 if all(result.reached for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
