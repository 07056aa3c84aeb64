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

run = run.collect().lazy()
found = run.join(qrels.filter(pl.col("grade") > 0), on=["query", "document"])
# A rank is the number of documents not behind; among equal scores the greater id is ahead, as in trec_eval.
ahead = (pl.col("score_other") > pl.col("score")) | (
    (pl.col("score_other") == pl.col("score")) & (pl.col("document_other") >= pl.col("document"))
)
hits = (
    found.join(run, on="query", suffix="_other")
    .filter(ahead)
    .group_by("query", "document", "grade")
    .agg(rank=pl.len().cast(pl.Int64))
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
