"""Comparison of a metric's value with its law under chance, shared by all kinds of data."""

from typing import TYPE_CHECKING, Any, Literal

from certus.errors import DataError

if TYPE_CHECKING:
    from certus.chance import Distribution
    from certus.chance.versus import VersusChance
    from certus.metrics._metric import Metric


def checked_draws(seed: int, replicates: int | None) -> tuple[int, int | None]:
    """The seed and the number of draws, whole."""
    from certus.chance.probability import whole

    return whole(seed, "seed"), None if replicates is None else whole(replicates, "replicates", 1)


def check_alike(metric: "Metric", data: Any, items: int | None, reason: str) -> None:
    """Refuse samples with weights or groups, and a number of items, which samples do not need."""
    if items is not None:
        raise DataError("is for lists of documents", "all samples are in the data, leave it out", argument="items")
    for name, values in (("sample_weight", data.weights), ("groups", data.groups)):
        if values is not None:
            raise DataError(f"{metric} was computed with {name}", f"{reason}, leave out {name}")


def held_against(
    metric: "Metric",
    value: float,
    law: "Distribution",
    alternative: Literal["greater", "less", "two-sided"] | None,
    words: str,
    order: str = "ranking",
) -> "VersusChance":
    """The value of a metric against its law; `words` say what is random. None: better than by chance."""
    from certus.chance.versus import VersusChance

    lower = metric.better == "lower"
    side = alternative or ("less" if lower else "greater")
    return VersusChance(value, law, side, str(metric), words, "lower" if lower else "higher", order)
