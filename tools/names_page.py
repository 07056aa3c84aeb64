"""docs/names.md: the names of metrics in other tools, from the declarations; `tools/make_docs.py` writes it."""

from collections.abc import Iterator
from pathlib import Path

from certus.metrics import Metric, declared
from certus.metrics.names import REFUSED
from certus.metrics.spellings import Spelling
from certus.tasks import Task, tasks

__all__ = ["fresh"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "names.md"
INTRODUCTION = """\
# Names of metrics in other tools

Written by `make docs` from the declarations; do not edit. Every name below works wherever certus takes the name of a
metric: in `certus evaluate -m`, in `certus.parse` and in `certus.evaluate`. `certus metrics NAME` explains it, and says
which tools use it. Measure objects of ir_measures (`ir_measures.AP(rel=2) @ 100`) are metrics, too.

In a name, `{cutoff}` stands for a number, `{average}` for a word and `{beta^2}` for the square of a number; `rbp.95`
stands for any decimals. Behind an `@`, a name of any tool takes a cutoff: `ndcg_burges@10`.
`-l2` at the end is ranx's `rel=2`.

## One name, one meaning

1. **The data decide on the task.** `recall` of a ranking is the share of its relevant documents; `recall` of labels is
   that of the positive class. `certus metrics recall` lists both.
2. **A name of certus comes before the same name of another tool**, in any case, with or without hyphens and
   underscores. So `rbp` is `RBP` and `f1` of labels is `F1` of two classes, whatever another tool means by it.
3. **A measure object says which tool it is from**, and means what that tool computes: `IPrec @ 0.7` of ir_measures
   rounds recall levels as trec_eval does, the name `IPrec@0.7` takes the level exactly. Where certus has no metric of
   the same numbers, the object is refused (`RBP` without `rel`).
4. **A name that is used for two metrics, neither by right, is refused** with both meanings: `accuracy@10`.

| what differs between tools | the rule here | to get the other |
|---|---|---|
| gains of nDCG and DCG | the grade itself (Järvelin & Kekäläinen), as trec_eval, ranx's `ndcg` and scikit-learn | \
`nDCG(gain='exp')`: `2^grade - 1`, as ranx's `ndcg_burges`, gdeval, LightGBM and XGBoost |
| divisor of average precision at a cutoff | all relevant documents, as trec_eval, ir_measures, ranx and MTEB | \
`AP(denominator='min')@10`, as sentence-transformers; `AP(denominator='hits')@10`, as some recommender libraries |
| grades in RBP | a document is relevant or not | `RBP(graded=True)`: grades as shares of the highest |
| scale of ERR | grades up to 4, as gdeval | `ERR(max_grade=1)`, or another scale |
| precision of a list shorter than the cutoff | divided by the cutoff, as trec_eval, ranx and MTEB | `P` of the list |
| `hits@10` | number of relevant documents, as ranx; where every query has one, the hit rate | `Success@10` |
| `recall@10` of question answering | share of relevant documents | `Success@10` |
| `F1` of a ranking | of precision and recall of one query, then averaged, as ranx | `MicroF`, all queries together |
| order of tied documents | by document id, descending, as trec_eval; ranx's is that of its sort | `--ties input` |
| 0/0 of a sample, label or class (`precision_samples`, `f1_macro`) | the average is undefined, and the reason is \
stated | `Precision(undefined=0)`: such a sample counts 0, as by scikit-learn's default `zero_division`; `1` counts it \
1, `'skip'` leaves it out, as scikit-learn does with `zero_division=nan` |
| sign of a loss | the loss itself; lower is better | `certus.scorer`, which turns it as `neg_` names do |"""


def fresh() -> dict[Path, str]:
    """The page, by its path."""
    parts = [INTRODUCTION, *(_of(task) for task in tasks() if _rows(task)), _refused()]
    return {PAGE: "\n\n".join(parts) + "\n"}


def _of(task: Task) -> str:
    """The table of a task."""
    head = "| name | tool | is | differs |\n|---|---|---|---|"
    return "\n".join([f"## {task.name.capitalize()}\n", head, *_rows(task)])


def _rows(task: Task) -> list[str]:
    found = [(spelling, metric) for metric in declared(task.name) for spelling in metric.spelled]
    found.sort(key=lambda each: (each[0].tool.lower(), each[0].text.lower(), each[0].text))
    return [
        f"| `{spelling}` | {spelling.tool} | {_link(task, metric, spelling)} | {spelling.note} |"
        for spelling, metric in found
    ]


def _link(task: Task, metric: Metric, spelling: Spelling) -> str:
    """Meaning of the name, with a link to the metric."""
    anchor = "".join(each for each in metric.name.lower() if each.isalnum() or each in "-_")
    return f"[`{_text(metric, spelling)}`](metrics/{task.name}.md#{anchor})"


def _text(metric: Metric, spelling: Spelling) -> str:
    """The metric, with the parameters that the name says."""
    held = [*spelling.holes, *(name for name, value in spelling.arguments.items() if isinstance(value, tuple))]
    told = list(_told(metric, spelling, held))
    return (
        metric.name
        + (f"({','.join(told)})" if told else "")
        + (f"@{{{metric.at_parameter}}}" if metric.at_parameter in held else "")
    )


def _told(metric: Metric, spelling: Spelling, held: list[str]) -> Iterator[str]:
    for name, value in spelling.chosen.items():
        yield f"{name}={value!r}"
    for name in held:
        if name != metric.at_parameter:
            yield f"{name}={{{name}}}"


def _refused() -> str:
    """The names that are refused, with the reasons."""
    rows = [f"| `{each.names}` | {each.tool} | {each.reason.replace('{0}', '{k}')} |" for each in REFUSED]
    head = "The message says what to write instead.\n\n| name | tool | why |\n|---|---|---|"
    return "\n".join(["## Refused\n", head, *rows])
