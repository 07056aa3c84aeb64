"""Every kernel with arrays that nobody should give it; as a program, it names each call and what went wrong."""

import faulthandler
import resource
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
from kernel_calls import CALLS

from certus.core import kernels

__all__ = ["REFUSALS", "faults", "hostile_calls"]

SECONDS = 60
"""After which a call counts as one that does not end: they take milliseconds, but machines have other work, too."""

MEMORY = 4 << 30

MANY = 2**32 - 1
"""Items of the longest law."""

REFUSALS = (ValueError, TypeError, OverflowError)
"""What a kernel may answer with; a panic is a RuntimeError."""


def _filled(value: float) -> Callable[[Any], Any]:
    def fill(array: Any) -> Any:
        if array.dtype.kind not in "fiu":
            return array[:0]
        made = array.astype(array.dtype)
        with np.errstate(over="ignore"):  # in float32 the greatest double is infinite
            made.flat[:: max(1, array.size // 2)] = value if array.dtype.kind == "f" else _extreme(array.dtype, value)
        return made

    return fill


def _extreme(dtype: Any, value: float) -> int:
    limits = np.iinfo(dtype)
    if dtype.kind == "u":  # lengths of lists, through which a kernel goes
        return min(70_000, int(limits.max)) if value > 0 else 0
    return int(limits.max if value > 0 else limits.min)


def _fixed(array: Any) -> Any:
    made = array.copy()
    made.flags.writeable = False
    return made


ARRAYS: dict[str, Callable[[Any], Any]] = {
    "empty": lambda array: array[:0],
    "shorter": lambda array: array[:-1],
    "longer": lambda array: np.concatenate([array, array[-1:]]),
    "reversed": lambda array: array[::-1].copy(),
    "backwards": lambda array: array[::-1],
    "every other": lambda array: np.repeat(array, 2, axis=0)[::2],
    "read-only": _fixed,
    "zeros": np.zeros_like,
    "NaN": _filled(float("nan")),
    "infinite": _filled(float("inf")),
    "greatest": _filled(1.7e308),
    "least": _filled(-1.7e308),
    "one more dimension": lambda array: array[np.newaxis],
    "float32": lambda array: array.astype(np.float32) if array.dtype.kind in "fiu" else array[:0],
    "2**63": lambda array: np.full(array.shape, 2**63, dtype=np.uint64),
    "objects": lambda array: array.astype(object),
}
"""What is done to an array."""


def recorded(name: str) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The arguments of the calls of a kernel."""
    found: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
    kernel = getattr(kernels, name)

    def record(*given: Any, **named: Any) -> Any:
        found.append((given, named))
        return kernel(*given, **named)

    setattr(kernels, name, record)
    try:
        CALLS[name]()
    finally:
        setattr(kernels, name, kernel)
    return found


def mutated_arrays(
    given: tuple[Any, ...], named: dict[str, Any]
) -> Iterator[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    """The call with one array changed, in each place and each way."""
    places: list[tuple[Any, ...]] = []
    for at, each in [*enumerate(given), *named.items()]:
        if isinstance(each, np.ndarray):
            places.append((at,))
        elif isinstance(each, tuple):
            places += [(at, i) for i, part in enumerate(each) if isinstance(part, np.ndarray)]
    for position in places:
        for how, change in ARRAYS.items():
            arguments: dict[Any, Any] = {**dict(enumerate(given)), **named}
            old = arguments[position[0]]
            if position[1:]:
                parts = list(old)
                parts[position[1]] = change(parts[position[1]])
                arguments[position[0]] = tuple(parts)
            else:
                arguments[position[0]] = change(old)
            yield (
                f"{how} at {position}",
                tuple(arguments[i] for i in range(len(given))),
                {n: arguments[n] for n in named},
            )


def _methods() -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    """The methods of the compiled classes that take arrays, each with good arguments."""
    numbers, sums = np.array([0.5, -1.0, 2.5]), kernels.ExactSums(4)
    columns = b"q1\0q1\0q2", b"d1\0d2\0d1"
    ranks, grades = np.array([1, 2, 1], np.uint32), np.array([1, 0, 2], np.int32)
    qrels = kernels.Qrels.from_columns("qrels", *columns, grades)
    total = kernels.HitSum([(kernels.HitSource.atoms(numbers, np.log([0.25, 0.25, 0.5])), 0.5, 2)])
    return {
        "ExactSums.add": (lambda values: sums.add(0, values), (numbers,)),
        "ExactSums.add_products": (lambda a, b: sums.add_products(0, a, b), (numbers, numbers)),
        "ExactSums.add_powers": (lambda values: sums.add_powers(0, values), (numbers,)),
        "ExactSums.add_terms": (
            lambda a, b: sums.add_terms(a, b, ["true", "true^2", "product", "R2"], (0.5, 0.0, 7.0, 6.5, 1.5)),
            (numbers, numbers),
        ),
        "ExactSums.add_powers_about": (
            lambda a, b: sums.add_powers_about(a, b, "error", (0.0, 0.0, 0.5, 0.0, 0.0), 0.5, 4.0),
            (numbers, numbers),
        ),
        "ExactSums.of_parts": (lambda parts: kernels.ExactSums.of_parts(parts).rounded(), (sums.parts(),)),
        "HitSource.atoms": (_sum_of_atoms, (numbers, np.log([0.25, 0.25, 0.5]))),
        "HitSum.tilted": (lambda tilts: [total.tilted(tilt).characteristic(0.5, 0, 3) for tilt in tilts], (numbers,)),
        "Qrels.from_columns": (lambda grades: kernels.Qrels.from_columns("qrels", *columns, grades).rows(), (grades,)),
        "Run.from_columns": (
            lambda scores, ranks: kernels.rank_run(qrels, kernels.Run.from_columns("run", *columns, scores, ranks)),
            (numbers, ranks),
        ),
    }


def _sum_of_atoms(values: Any, logs: Any) -> Any:
    total = kernels.HitSum([(kernels.HitSource.atoms(values, logs), 0.5, 2)])
    return total.range(), total.cumulants(0.1), total.tilted(0.1).characteristic(0.5, 0, 3)


def hostile_calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    """All kernels and methods of the compiled module that take arrays, with each array changed in each way."""
    for name in CALLS:
        kernel = getattr(kernels, name, None)
        if kernel is None or isinstance(kernel, type):
            continue
        for given, named in recorded(name):
            for how, args, kwargs in mutated_arrays(given, named):
                yield f"{name}, {how}", partial(kernel, *args, **kwargs)
    for name, (method, given) in _methods().items():
        for how, args, _ in mutated_arrays(given, {}):
            yield f"{name}, {how}", partial(method, *args)
    yield "score_auc, changed while it is read", changed_while_read
    for kind in ("times", "rank", "first", "above"):
        for hits in (0, 1, 3, 2**31, MANY - 2, MANY):
            for gains in ([], [1.0], [0.5, -1.0, 2.0]):
                yield f"HitLaw.{kind}, {hits} hits, {len(gains)} gains", partial(billions, kind, hits, gains)


def billions(kind: str, hits: int, gains: list[float]) -> None:
    """The laws of billions of items: their ends are known, and what would walk through them is refused."""
    law = getattr(kernels.HitLaw, kind)(MANY, hits, gains)
    low, high = law.range()
    assert low <= high
    law.few_above(high, 1000)
    total = kernels.HitSum([(kernels.HitSource.hits(law), 0.5, 2)])
    assert total.range() == (low, high)
    with suppress(*REFUSALS):
        law.halves(1000)
    for question in (total.cumulants, total.tilted):
        with suppress(*REFUSALS):
            question(0.1)


def changed_while_read() -> None:
    """Scores that another thread makes NaN and back while they are merged: any error, but an end."""
    scores, over = np.sort(np.random.default_rng(1).random(1_000_000)), threading.Event()

    def change() -> None:
        at = 0
        while not over.is_set():
            at = (at + 7919) % len(scores)
            kept = scores[at]
            scores[at] = np.nan
            scores[at] = kept

    other = threading.Thread(target=change)
    other.start()
    try:
        for _ in range(5):
            with suppress(RuntimeError, *REFUSALS):  # a count that no longer adds up
                kernels.score_auc(scores, scores)
    finally:
        over.set()
        other.join()


def faults(calls: Iterator[tuple[str, Callable[[], Any]]]) -> Iterator[tuple[str, str]]:
    """The name of each call, and the error that it should not have raised, if any."""
    for name, call in calls:
        fault = ""
        try:
            call()
        except REFUSALS:
            pass
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            fault = f"{type(error).__name__}: {error}"
        yield name, fault


def main() -> int:
    """Exit status 1 where a call fails in another way than by a refusal, or does not end: it has the last line."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    wrong = 0

    def announced() -> Iterator[tuple[str, Callable[[], Any]]]:
        for name, call in hostile_calls():
            print(name, flush=True)
            faulthandler.dump_traceback_later(SECONDS, exit=True)
            yield name, call

    for _, fault in faults(announced()):
        if fault:
            wrong += 1
            print("WRONG:", fault)
    faulthandler.cancel_dump_traceback_later()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
