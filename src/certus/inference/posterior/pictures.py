"""The numbers that the picture of a posterior law shows."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from certus.inference.posterior.law import PosteriorLaw

__all__ = ["draw_posterior"]

POINTS = 600


def draw_posterior(law: "PosteriorLaw", ax: Any, level: float, name: str | None) -> Any:
    """Draw the density between its farthest quantiles that a reader can see."""
    from certus.plot.law import law as draw_law

    low, high = law.interval(level)
    first, last = (law._quantile(2e-4, upper=upper) for upper in (False, True))
    x = np.unique(np.concatenate([np.linspace(first, last, POINTS), [low, high]]))
    said = f"{name or law.name}: {law.mean():.3f} [{low:.3f}, {high:.3f}]"
    return draw_law(
        x,
        law.pdf(x),
        ax,
        name=f"{said}, {100 * level:g}% of the posterior",
        shaded=(low, high),
        xlabel="Value",
        ylabel="Posterior density",
    )
