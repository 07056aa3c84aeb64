"""The parent of Spark's Python workers, with what they import: Spark starts another worker wherever a task fails."""

from importlib import import_module

if __name__ == "__main__":
    for name in ("certus.spark._workers", "certus.tasks.classification", "certus.tasks.ranking", "pyarrow.compute"):
        import_module(name)
    import_module("pyspark.daemon").manager()
