"""Words that stand for each other in names of metrics: what a name that nobody declared may mean."""

import re
from collections.abc import Iterable, Iterator

from certus.spelling import compact

_WORDS = {
    word: meaning
    for meaning, words in {
        "absolute": "abs",
        "accuracy": "acc",
        "average": "avg ave",
        "balanced": "bal",
        "correlation": "corr cor",
        "coefficient": "coef coeff",
        "discounted": "disc discount",
        "error": "err loss",
        "gain": "gains",
        "cumulative": "cum cumulated cumulating",
        "ideal": "max maximum",
        "logarithmic": "log",
        "normalized": "norm normalised",
        "percentage": "pct percent",
        "precision": "prec precisions",
        "recall": "rec recalls",
        "reciprocal": "recip inverse",
        "squared": "sq square",
        "average precision": "ap auprc prauc aucpr areaunderprecisionrecallcurve",
        "mean average precision": "map",
        "reciprocal rank": "rr",
        "mean reciprocal rank": "mrr",
        "discounted cumulative gain": "dcg",
        "normalized discounted cumulative gain": "ndcg",
        "area under curve": "auc auroc rocauc aucroc areaundertheroccurve areaunderroccurve areaunderthecurve",
        "root mean squared error": "rmse",
        "mean squared error": "mse",
        "mean absolute error": "mae",
        "mean absolute percentage error": "mape",
        "matthews correlation coefficient": "mcc",
        "f": "fscore fmeasure fvalue",
    }.items()
    for word in words.split()
}
"""What a word or an acronym is short for."""
_SINGLE_WORDS = {"p": "precision", "r": "recall"}
_NOISE = frozenset(("at", "atk", "score", "scores", "rate", "value", "metric"))
_TOKENS = re.compile(
    "|".join(
        sorted(
            {*_WORDS, *_NOISE, *(word for meaning in _WORDS.values() for word in meaning.split())},
            key=len,
            reverse=True,
        )
    )
    + "|[0-9]+|."
)


def same_words(name: str, texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The texts of the same words, each with the number in the name that it lacks; those that are nearest first."""
    candidates = list(texts)
    number = numbers[0] if len(numbers := re.findall("[0-9]+", name)) == 1 else ""
    for mean in (True, False):
        words = _words(name, mean)
        yield from ((text, "") for text in candidates if _words(text, mean) == words)
        if number:
            without = [_words(name.replace(number, replacement), mean) for replacement in ("", "k")]
            yield from ((text, number) for text in candidates if _words(text, mean) in without)
        else:
            yield from ((text, "") for text in candidates if _words(re.sub("[0-9]", "", text), mean) == words)


def _words(text: str, mean: bool) -> list[str]:
    """The words in full, without those that say nothing, and without "mean" if not `mean`."""
    compacted = compact(text)
    tokens = _TOKENS.findall(compacted) if compacted not in _WORDS else [compacted]
    meaningful = [token for token in tokens if token not in _NOISE] or [compacted]
    full = [_SINGLE_WORDS.get(token, token) for token in meaningful] if len(meaningful) == 1 else meaningful
    return sorted(word for token in full for word in _WORDS.get(token, token).split() if mean or word != "mean")
