"""Make two-epochs.eval and one-epoch.json by Inspect itself (inspect_ai 0.3.285): python make.py FOLDER.

Four sums; a solver answers them without a model. Of the JSON log the events of the samples are taken out.
"""

import sys
from typing import Any

import inspect_ai
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import exact, includes
from inspect_ai.solver import solver


def answers_of(answers: list[str], epochs: int) -> Any:
    """A solver that gives these answers, those of the epochs of a question one after the other."""

    async def solve(state: Any, _: Any) -> Any:
        number = int(str(state.sample_id)[1:])
        state.output = ModelOutput.from_content("mockllm/model", answers[number * epochs + state.epoch - 1])
        return state

    return solve


for form, epochs, answers in (
    ("eval", 2, ["0", "It is 0", "2", "3", "4", "4", "x", "6"]),
    ("json", 1, ["0", "2", "I say 4", "5"]),
):
    data = [Sample(id=f"q{i}", input=f"{i}+{i}?", target=str(2 * i)) for i in range(4)]
    task = Task(dataset=data, solver=[solver(answers_of)(answers, epochs)], scorer=[exact(), includes()], name="sums")
    model = get_model("mockllm/model")
    inspect_ai.eval(task, model=model, epochs=epochs, log_dir=sys.argv[1], log_format=form, display="none")
