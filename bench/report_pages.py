"""Time of a report in Chromium: python bench/report_pages.py [--systems 50] [--queries 250] [--repeat 5].

Random runs of 100 documents a query are evaluated and compared by AP and nDCG@10. Each report is opened by Playwright
as often as asked for, and used: a system switched off, a table sorted, a query searched for and opened. Times are in
milliseconds from the action until the browser has painted what it changes: those of the clock, and
those that the page's thread computed, which other work on the machine does not change much. The medians are printed as
a Markdown table, with the size of the file and of the data in it. Exits with 1 if a report computes for 2 s to open, or
an action for 300 ms, or if the file less its data has 2 MB.
"""

import argparse
import re
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page, sync_playwright

import certus

OPEN, ACT, SIZE = 2000.0, 300.0, 2_000_000
OPENED = "open, all charts drawn"
DRAWN = "() => document.querySelector('figure svg') && document.querySelector('[data-table] tbody tr')"
TIMED = """async (act) => {
    const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const start = performance.now();
    eval_(act);
    await painted();
    return performance.now() - start; }"""
ACTIONS = {
    "switch one system off": "document.querySelector('#systems input').click()",
    "switch it on again": "document.querySelector('#systems input').click()",
    "sort the first table": "document.querySelector('table[data-sortable] thead th:nth-child(2) button').click()",
    "sort the queries": "document.querySelector('#units thead th:nth-child(2) button').click()",
    "search a query": """{ const box = document.querySelector('#units input[type=search]');
        box.value = 'q24'; box.dispatchEvent(new Event('input')); }""",
    "open its documents": "document.querySelector('#units tbody button').click()",
    "take another system": """{ const list = document.querySelectorAll('#units select')[1];
        list.value = '7'; list.dispatchEvent(new Event('change')); }""",
}


def reports(systems: int, queries: int) -> Iterator[tuple[str, str]]:
    """The report of an evaluation with the values of all queries, and that of all pairs."""
    rng = np.random.default_rng(1)
    names = [f"q{position:03d}" for position in range(queries)]
    documents = [f"doc-{position:04d}" for position in range(400)]
    qrels = {name: dict(zip(documents[:200], rng.integers(0, 2, 200).tolist(), strict=True)) for name in names}
    runs = {
        f"system-{position:02d}": {
            name: {documents[each]: 100.0 - rank for rank, each in enumerate(rng.permutation(400)[:100].tolist())}
            for name in names
        }
        for position in range(systems)
    }
    yield "evaluate", certus.evaluate(qrels, runs, ["AP", "nDCG@10"], per_query=True).to_report()
    yield "compare", certus.compare(qrels, runs, ["AP", "nDCG@10"], test="t").to_report()


def used(browser: Any, file: Path) -> dict[str, tuple[float, float]]:
    """Milliseconds until the report is open with all charts, and of each action: by the clock, and computed."""
    page: Page = browser.new_page(viewport={"width": 1280, "height": 900})
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def computed() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return 1000 * float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))

    page.goto(file.as_uri(), wait_until="commit")
    page.wait_for_function(DRAWN, polling=100)
    found = {OPENED: (float(page.evaluate("performance.now()")), computed())}
    for name, act in ACTIONS.items():
        before = computed()
        found[name] = (float(page.evaluate(TIMED.replace("eval_(act)", act))), computed() - before)
    page.close()
    return found


def main() -> int:
    """Print the table, and tell whether all is within the bounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", type=int, default=50)
    parser.add_argument("--queries", type=int, default=250)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    slow = False
    print("| report | what | clock, ms | computed, ms |\n|---|---|--:|--:|")
    with sync_playwright() as started, tempfile.TemporaryDirectory() as folder:
        browser: Any = started.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, document in reports(options.systems, options.queries):
            file = Path(folder) / f"{name}.html"
            file.write_text(document, encoding="utf-8")
            times = [used(browser, file) for _ in range(options.repeat)]
            for what in times[0]:
                clock, computed = (
                    statistics.median(column) for column in zip(*(each[what] for each in times), strict=True)
                )
                slow |= computed > (OPEN if what == OPENED else ACT)
                print(f"| {name} | {what} | {clock:.0f} | {computed:.0f} |")
            held = re.search(r'<script type="application/json" id="data">(.*?)</script>', document, re.DOTALL)
            tables = sum(map(len, re.findall(r"<table.*?</table>", document, re.DOTALL)))
            data = tables + (len(held[1]) if held else 0)
            slow |= len(document) - data > SIZE
            print(f"| {name} | size: {len(document) / 1e6:.1f} MB, of which {data / 1e6:.1f} MB data | | |")
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
