"""Every measure of every query by pytrec_eval, printed as trec_eval does: QRELS RUN."""

import sys

import pytrec_eval


def main() -> None:
    """Read, evaluate, print."""
    with open(sys.argv[1]) as file:
        qrels = pytrec_eval.parse_qrel(file)
    with open(sys.argv[2]) as file:
        run = pytrec_eval.parse_run(file)
    found = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)
    for query, values in sorted(found.items()):
        sys.stdout.writelines(f"{name:<22}\t{query}\t{value:.4f}\n" for name, value in sorted(values.items()))
    for name in sorted(next(iter(found.values()))):
        value = pytrec_eval.compute_aggregated_measure(name, [values[name] for values in found.values()])
        sys.stdout.write(f"{name:<22}\tall\t{value:.4f}\n")


if __name__ == "__main__":
    main()
