"""Judgments and scored documents of the data sets that the package ir_datasets knows."""

from certus.errors import DataError
from certus.io._format import File, Rows, input_format


@input_format(
    "ir_datasets",
    "ir_datasets",
    told=lambda _: False,
    qrels="`ir_datasets:NAME` instead of a file; needs the package",
    run="`ir_datasets:NAME`, the scored documents of the data set",
    by_name=True,
)
def ir_datasets_of(file: File) -> Rows:
    """The judgments, or the scored documents."""
    _, _, dataset = file.name.partition(":")
    try:
        import ir_datasets
    except ImportError:
        raise DataError(
            "names a data set of ir_datasets, which is not installed", "pip install ir_datasets", place=file.name
        ) from None
    try:
        data = ir_datasets.load(dataset)
    except KeyError:
        raise DataError(
            f"ir_datasets has no data set {dataset!r}", "`ir_datasets list` names them", place=file.name
        ) from None
    if not (data.has_qrels() if file.kind == "qrels" else data.has_scoreddocs()):
        what = "judgments" if file.kind == "qrels" else "scored documents"
        raise DataError(f"the data set has no {what}", place=file.name)
    rows = Rows([], [], [])
    for each in data.qrels_iter() if file.kind == "qrels" else data.scoreddocs_iter():
        rows.queries.append(each.query_id.encode())
        rows.docs.append(each.doc_id.encode())
        rows.values.append(each.relevance if file.kind == "qrels" else each.score)
    return rows
