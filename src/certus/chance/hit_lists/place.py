"""Percentile of a hit list among equally long ones with as many hits: counted, or from a law."""

from typing import TYPE_CHECKING, cast

from certus.chance.hit_lists.measures import Measures
from certus.chance.hit_lists.scores import Score, name_of, value_of
from certus.chance.hit_lists.standing import (
    Standing,
    TooManyError,
    by_average_precision,
    by_rank_sum,
    by_values,
    check_few,
)
from certus.chance.probability import Percentile
from certus.errors import DataError

if TYPE_CHECKING:
    from certus.chance.hit_list import HitList


class Place(Measures):
    """Place of a hit list among its kind."""

    __slots__ = ()

    def standing(self, score: Score = "average_precision") -> Standing:
        """Count the equally long lists with as many hits that score below, equal to or above this one.

        Exact counts, this list among the equal ones.

        Parameters
        ----------
        score
            ``"average_precision"``, ``"score"`` (whose order does not depend on m), or a function of a hit list that
            gives a number; higher is better.

        Raises
        ------
        DataError
            There are too many lists to count them exactly.
        MetricNameError
            No score has that name.
        """
        hit_list = type(cast("HitList", self))(self.ranks)  # down to the last hit, as the others are
        if self.hits in (1, self.length):
            value_of(hit_list, score)
            # One hit, or no miss: the only list of its kind.
            return Standing(0, 1, 0)
        if score == "average_precision":
            return by_average_precision(self.ranks)
        if score == "score":
            return by_rank_sum(self.ranks)
        score_of_list = value_of(hit_list, score)
        check_few(self.ranks, name_of(score))
        return by_values(score_of_list, [value_of(other, score) for other in hit_list.all(self.length, self.hits)])

    def percentile(self, score: Score = "average_precision") -> Percentile:
        """Percentile among equally long lists with as many hits: the share below plus half the share of ties.

        Counted, as `standing` does, and where there are too many lists to count, found by the law of the score under a
        random ranking; the answer says its method and error.

        Parameters
        ----------
        score
            As for `standing`.

        Returns
        -------
        Percentile
            In [0, 100]; 50 in the middle, and for the only list of its kind.

        Raises
        ------
        DataError
            There are too many lists: to ask a function about, or for the law of average precision, whose reach is
            millions of ranks with few hits and thousands with many.
        MetricNameError
            No score has that name.
        """
        try:
            return Percentile(100 * self.standing(score).share, "enumeration")
        except TooManyError as error:
            from certus.chance.hit_lists.law import by_law

            if not isinstance(score, str):
                raise
            try:
                share = by_law(self.ranks, score)
                return Percentile(100 * share, share.method, 100 * share.error)
            except DataError:
                raise error from None
