"""The content of the report of a comparison."""

from typing import TYPE_CHECKING, Any

from certus.comparison._layout import blocks
from certus.comparison._sentences import notes, probability
from certus.pages.page import Report, Section, short
from certus.table.report import finite, values_of, with_shown

if TYPE_CHECKING:
    from certus.comparison.result import Comparison


def report(comparison: "Comparison") -> Report:
    """The differences with their verdicts, the values, those of single units, and how they were made."""
    systems = list(comparison.systems)
    against = comparison.baseline is not None
    differences = [
        {
            "metric": row.metric,
            "name": short(row.system) if against else f"{short(row.system)} − {short(row.baseline)}",
            "of": [systems.index(row.system), systems.index(row.baseline)],
            "value": finite(row.difference),
            "low": finite(row.low),
            "high": finite(row.high),
            "p": probability(row.p_adjusted),
            "verdict": row.verdict,
        }
        for row in comparison.rows
    ]
    data: dict[str, Any] = {
        "differences": [row for row in differences if row["value"] is not None],
        "margin": comparison.margin,
        "values": values_of(comparison.values.summary, systems),
    }
    sections = [
        Section("Differences", list(blocks(comparison, None, "rows")), kind="differences"),
        Section("Values", kind="values"),
    ]
    if comparison.per_unit:
        unit = next(row.unit for row in comparison.rows)
        size = max(len(values) for each in comparison.per_unit.values() for values in each.values())
        data["units"] = {
            "unit": unit,
            "ids": list(map(short, comparison.units)) or [str(place) for place in range(1, size + 1)],
            "values": {
                metric: {systems.index(name): list(map(finite, values.tolist())) for name, values in each.items()}
                for metric, each in comparison.per_unit.items()
            },
        }
        sections.append(Section(f"By {unit}", kind="units"))
    title = f"{len(systems)} systems" if not against else f"compared with {short(str(comparison.baseline))}"
    own = Report(
        title=f"certus: {title}",
        answer=comparison.sentences(),
        systems=systems,
        sections=sections,
        warnings=list(map(str, comparison.notices)),
        notes=notes(comparison, warnings=False),
        made={**comparison.conventions, "inputs": dict(comparison.inputs)},
        data=data,
    )
    return with_shown(own, comparison.shown)
