"""The answer of ``certus chance``."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from certus.cli._observed import Observed
from certus.errors import DataError

if TYPE_CHECKING:
    from certus.chance import Distribution
    from certus.chance.declare import Law
    from certus.chance.versus import VersusChance


_QUANTILES = (0.025, 0.5, 0.975)


@dataclass(frozen=True)
class Answer:
    """The printed answer."""

    title: str
    given: dict[str, Any]
    law: "Distribution"
    expected: float
    sd: float
    quantiles: dict[float, float]
    versus: "VersusChance | None"

    @classmethod
    def of(
        cls,
        law: "Law",
        given: dict[str, Any],
        made: "Distribution",
        observed: Observed | None,
        alternative: Any,
        quantiles: bool,
    ) -> "Answer":
        from certus.chance.versus import VersusChance

        try:
            found = {q: made.ppf(q) for q in _QUANTILES} if quantiles else {}
        except DataError:  # of very many items only mean and variance are known
            found = {}
        title = f"{law.title}@{given['cutoff']}" if "cutoff" in given else law.title
        versus = None
        if observed is not None:
            value, digits = observed
            versus = VersusChance(value, made, alternative, title, better=law.better, digits=digits)
        return cls(title, given, made, made.mean(), made.std(), found, versus)

    def lines(self) -> Iterator[str]:
        arguments = ", ".join(f"{name} {value}" for name, value in self.given.items())
        yield f"{self.title} of a random ranking: {arguments}"
        yield ""
        low, high = self.law.support()
        yield f"expected   {self.expected:.5g}"
        yield f"sd         {self.sd:.4g}"
        yield f"range      {low:.4g} to {high:.4g}"
        if self.quantiles:
            yield "quantiles  " + "  ".join(f"{100 * q:g}%" + f" {x:.4g}" for q, x in self.quantiles.items())
        if self.versus is not None:
            from certus.chance.versus import asked, how, shown, stands_for

            yield ""
            yield f"{asked(self.versus)} {shown(self.versus.p, 4)}  ({how(self.versus.p)})"
            yield f"chance-corrected {self.versus.corrected:.4g}  (0 at chance, 1 at perfect)"
            yield f"percentile {self.versus.percentile:.4g}"
            yield from stands_for(self.versus)

    def draw(self) -> Any:
        """The picture of the law, with the value observed."""
        about = ", ".join(f"{name} {value}" for name, value in self.given.items())
        label = f"{self.title} of a random ranking"
        if self.versus is None:
            return self.law.plot(xlabel=label, title=about)
        ax = self.versus.plot()
        ax.set_title(about, fontsize=11)
        return ax

    def held(self, name: str) -> dict[str, Any]:
        low, high = self.law.support()
        found: dict[str, Any] = {
            "law": name,
            **self.given,
            "expected": self.expected,
            "sd": self.sd,
            "support": [low, high],
            "quantiles": {f"{q:g}": x for q, x in self.quantiles.items()},
        }
        if self.versus is not None:
            answer = self.versus.to_dict()
            kept = ("digits", "p", "error", "method", "exact", "alternative", "corrected", "percentile")
            found |= {"observed": self.versus.value, **{each: answer[each] for each in kept}}
        # JSON has no NaN; what is undefined is null.
        return {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in found.items()}
