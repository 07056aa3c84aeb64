"""Make the demo predictions: telling docstrings of types from those of functions in Python's standard library.

A logistic regression on words and pairs of words sees the docstring alone, without the name. Each package is predicted
by a model that was fitted to other packages only. What is written is a sample that depends on nothing but the names.

    python tools/make_demo_predictions.py [FOLDER]
"""

import contextlib
import csv
import hashlib
import io
import sys
import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
from make_demo import FOLDER, items, words
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline

SAMPLES = 1_500
FOLDS = 5


def words_and_pairs(text: str) -> list[str]:
    """Lower-case words, and every two that follow each other."""
    found = words(text)
    return found + [f"{first} {second}" for first, second in pairwise(found)]


def main() -> None:
    """Write predictions.csv."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        collection = [item for item in items() if item.kind in ("class", "function")]
    packages = np.array([item.name.partition(".")[0] for item in collection])
    truth = np.array(["type" if item.kind == "class" else "function" for item in collection])
    model = make_pipeline(
        TfidfVectorizer(analyzer=words_and_pairs, sublinear_tf=True), LogisticRegression(C=10, max_iter=1000)
    )
    texts = [item.docstring for item in collection]
    scores = cross_val_predict(model, texts, truth, groups=packages, cv=GroupKFold(FOLDS), method="predict_proba")[:, 1]
    digests = [hashlib.sha256(item.name.encode()).digest() for item in collection]
    chosen = sorted(sorted(range(len(collection)), key=digests.__getitem__)[:SAMPLES])
    with (folder / "predictions.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("package", "truth", "prediction", "score"))
        for i in chosen:
            score = round(float(scores[i]), 4)
            writer.writerow((packages[i], truth[i], "type" if score >= 0.5 else "function", score))
    print(f"{len(collection)} objects, {len(chosen)} of {len(set(packages[chosen]))} packages written")


if __name__ == "__main__":
    main()
