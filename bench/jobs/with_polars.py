"""The job written directly in polars: what a careful user can do without an evaluation library."""

import sys

import polars as pl

from report import report

TEXT = pl.String

qrels = pl.scan_csv(
    sys.argv[1], separator=" ", has_header=False, schema={"query": TEXT, "_": TEXT, "document": TEXT, "grade": pl.Int32}
).select("query", "document", "grade")
run = pl.scan_csv(
    sys.argv[2],
    separator=" ",
    has_header=False,
    schema={"query": TEXT, "_": TEXT, "document": TEXT, "rank": pl.Int32, "score": pl.Float64, "tag": TEXT},
).select("query", "document", "score")

run = run.with_columns(above=pl.col("score").rank("min", descending=True).over("query"))
hits = run.join(qrels.filter(pl.col("grade") > 0), on=["query", "document"])
# Among equal scores the greater id comes first, as in trec_eval.
ahead = (
    hits.join(run, on=["query", "score"], suffix="_tied")
    .filter(pl.col("document_tied") > pl.col("document"))
    .group_by("query", "document")
    .agg(ahead=pl.len())
)
hits = (
    hits.join(ahead, on=["query", "document"], how="left")
    .with_columns(rank=(pl.col("above") + pl.col("ahead").fill_null(0)).cast(pl.Int64))
    .sort("query", "rank")
)
queries = run.select("query").unique().join(qrels, on="query", how="semi")
relevant = qrels.filter(pl.col("grade") > 0).group_by("query").agg(total=pl.len())
ideal = (
    qrels.filter(pl.col("grade") > 0)
    .sort("grade", descending=True)
    .with_columns(rank=pl.int_range(1, pl.len() + 1).over("query"))
    .filter(pl.col("rank") <= 10)
    .group_by("query")
    .agg(ideal=(pl.col("grade") / (pl.col("rank") + 1).log(2)).sum())
)
rank, grade = pl.col("rank"), pl.col("grade")
sums = (
    hits.with_columns(seen=pl.int_range(1, pl.len() + 1).over("query"))
    .group_by("query")
    .agg(
        precisions=(pl.col("seen") / rank).sum(),
        gain=(grade / (rank + 1).log(2)).filter(rank <= 10).sum(),
        rr=1 / rank.min(),
        in_100=(rank <= 100).sum(),
        in_1000=(rank <= 1000).sum(),
        in_10=(rank <= 10).sum(),
    )
)
total = pl.col("total")
table = (
    queries.join(sums, on="query", how="left")
    .join(relevant, on="query", how="left")
    .join(ideal, on="query", how="left")
    .select(
        "query",
        ap=pl.col("precisions") / total,
        ndcg=pl.col("gain") / pl.col("ideal"),
        rr="rr",
        r100=pl.col("in_100") / total,
        r1000=pl.col("in_1000") / total,
        p10=pl.col("in_10") / 10,
    )
    .fill_null(0.0)
    .collect()
)
report({row[0]: list(row[1:]) for row in table.iter_rows()})
