"""Regression: a number for each sample, or one for each of several outputs."""

from certus.tasks._task import GROUPS, WEIGHT, Argument, Task

TASK = Task(
    name="regression",
    data=(
        Argument("y_true", "true numbers; repeat for several outputs", option="truth", several=True, axes=(1, 2)),
        Argument("y_pred", "predicted numbers", option="pred", several=True, predicted=True),
    ),
    conventions=(WEIGHT, GROUPS),
    needs=(("y_true", "y_pred"),),
    usual=("MAE", "RMSE", "MedAE", "R2", "ExplainedVariance", "CCC", "Pearson", "Spearman"),
    compared=("MAE", "R2"),
    metrics="certus.metrics.regression",
    example="Pinball(alpha=0.9)",
    part="output",
    scored=True,
)
