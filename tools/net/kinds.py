"""All kinds of calls with their shares, and the call of a number and a seed."""

from collections.abc import Callable
from typing import Any

from net import commands, distributions, evaluations, faces, inferences, keeping, systems, texts
from net.calls import Node, Program
from net.draw import Draw
from net.metrics import Catalogue

__all__ = ["SHARES", "program_of"]

SHARES: dict[Callable[[Draw, Catalogue], Program], float] = {
    evaluations.one_metric: 14,
    evaluations.one_ranking_metric: 7,
    evaluations.evaluated: 9,
    evaluations.evaluated_classes: 3,
    evaluations.evaluated_frame: 7,
    evaluations.evaluated_batches: 4,
    evaluations.evaluated_rankings: 6,
    evaluations.reported: 4,
    systems.compared: 10,
    systems.compared_frame: 4,
    systems.compared_rankings: 5,
    systems.compared_values: 6,
    systems.gated: 3,
    inferences.inferred: 9,
    distributions.law: 4,
    distributions.hit_list: 1,
    distributions.audited: 4,
    distributions.curved: 3,
    distributions.agreed: 1,
    distributions.pooled: 1,
    keeping.kept: 6,
    keeping.kept_systems: 4,
    keeping.kept_rankings: 2,
    keeping.spilled: 7,
    keeping.summed: 3,
    keeping.rounded: 0.3,
    keeping.filed: 4,
    faces.sklearn: 4,
    faces.pytrec_eval: 1,
    commands.commanded: 17,
    texts.written_table: 6,
    texts.written_ranking: 4,
    texts.written_log: 4,
    texts.audited_file: 1,
}
UNUSUAL: tuple[Node, ...] = (
    *(
        None,
        True,
        False,
        0,
        1,
        2,
        3,
        -1,
        0.5,
        0.9,
        0.0,
        2.5,
        -0.5,
        "",
        "t",
        "x",
        "nan",
        "1kB",
        "AP",
        "auto",
        "b",
        "weight",
    ),
    *("holm", "percentile", "positive", "greater", [], [1, 2], ["a", "b"], {"tuple": [0, 1]}, {"tuple": [0.2, 0.8]}),
)
"""Values of a keyword that lists none."""
SPARK = 0.0005
"""Share of calls on Spark, where they are asked for: one takes a second."""


def program_of(seed: int, number: int, catalogue: Catalogue, *, spark: bool = False, kind: str = "") -> Program:
    """The call of a number: the same for a seed whatever the other calls."""
    draw = Draw(f"{seed}/{number}")
    maker = draw.choices(list(SHARES), list(SHARES.values()))[0]
    if kind:
        maker = next(each for each in (*SHARES, keeping.sparked) if each.__name__ == kind)
    if spark and draw.chance(SPARK):
        maker = keeping.sparked
    program = maker(draw, catalogue)
    program.number = number
    if draw.chance(0.12):
        _with_keyword(draw, catalogue["keywords"], program)
    return program


def _with_keyword(draw: Draw, keywords: dict[str, dict[str, list[Any]]], program: Program) -> None:
    """Give one of the calls a keyword that it takes, with a value that it lists, or with any."""
    name, node = draw.choice(program.steps)
    known = keywords.get(_path(node), {}) if isinstance(node, dict) and "kw" in node else {}
    free = [key for key in known if key not in node["kw"]]
    if free:
        key = draw.choice(free)
        value: Node = draw.choice(known[key] or UNUSUAL)
        changed = {**node, "kw": {**node["kw"], key: value}}
        program.steps = [(step, changed if step == name else each) for step, each in program.steps]


def _path(node: Node) -> str:
    return str(node["call"] if "call" in node else f".{node['method']}")
