"""The answer of `certus.audit.plan.split`."""

from dataclasses import dataclass

from certus.inference.declare import LABELS

__all__ = ["Split"]


@dataclass(frozen=True)
class Split:
    """Numbers of retrieved and of discarded items to check; made by `certus.audit.plan.split`.

    Attributes
    ----------
    retrieved, discarded, level, method
        As they were given.
    precision, elusion, recall
        The guesses, as shares of whole numbers of items, and the recall that they come to.
    retrieved_checked, discarded_checked
        How many to check.
    expected
        The expected half width of the interval of recall.
    half_width, chance
        The half width that was asked for, and the probability that the interval will be no wider; None where only a
        number of items was given.
    """

    retrieved: int
    discarded: int
    precision: float
    elusion: float
    recall: float
    retrieved_checked: int
    discarded_checked: int
    level: float
    method: str
    expected: float
    half_width: float | None = None
    chance: float | None = None

    @property
    def checked(self) -> int:
        """The number of items to check in all."""
        return self.retrieved_checked + self.discarded_checked

    def __str__(self) -> str:
        text = (
            f"check {self.retrieved_checked} of {self.retrieved} retrieved and {self.discarded_checked} of "
            f"{self.discarded} discarded items\n"
            f"at a recall of {self.recall:.4g} (precision {self.precision:.4g}, elusion {self.elusion:.4g}) its "
            f"{100 * self.level:g}% {LABELS[self.method]} interval is ±{self.expected:.4f} on average"
        )
        if self.half_width is None:
            return text
        return f"{text},\nand within ±{self.half_width:g} with probability {self.chance:.2f}"
