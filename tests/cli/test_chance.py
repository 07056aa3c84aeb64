"""``certus chance``: what it prints, and how it refuses."""

import json
import subprocess
import sys

import pytest
from commands import caller

from certus import chance
from certus.chance.declare import laws
from certus.cli import app

call = caller("chance")


AP = ("ap", "--items", "1000", "--relevant", "100")


def test_the_published_setting_with_its_exact_values(capsys: pytest.CaptureFixture[str]) -> None:
    """Mean, deviation and quantiles as in shared derivations: 0.1058428, 0.0114085, 0.087623, 0.104432, 0.132105."""
    status, out, err = call(capsys, *AP, "--observed", "0.132")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "AP of a random ranking: items 1000, relevant 100"
    assert lines[2:4] == ["expected   0.10584", "sd         0.01141"]
    assert "2.5% 0.08762" in lines[5]
    assert "50% 0.1044" in lines[5]
    assert "97.5% 0.1321" in lines[5]
    law = chance.average_precision(1000, 100)
    assert lines[7] == f"P(AP >= 0.132 by chance) = {law.tail(0.1315):.4g}  (fourier, right to 10 digits)"
    assert lines[8].startswith("chance-corrected 0.02925")
    assert lines[10] == "0.132 stands for every value that rounds to it: 0.1315 to 0.1325"


def test_a_printed_value_meets_its_atom(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("ap", "--items", "8", "--relevant", "3", "--no-quantiles")
    for written in ("0.9167", "0.917", "9.167e-1", "11/12", "+11/12"):
        _, out, _ = call(capsys, *arguments, "--observed", written)
        assert " by chance) = 0.03571  (enumeration, exact)" in out
        assert ("stands for" in out) == ("/" not in written)
    for written, p in (("1", 1 / 56), ("1.", 1 / 56), ("1e0", 1 / 56), ("1.0", 1 / 56), ("1.00", 1 / 56)):
        _, out, _ = call(capsys, *arguments, "--observed", written, "--format", "json")
        assert json.loads(out)["p"] == pytest.approx(p)
        assert json.loads(out)["digits"] == (len(written) - 2 or None if "." in written else None)


def test_of_very_many_items_mean_and_deviation_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "ap", "--items", "1000000000", "--relevant", "100000")
    assert status == 0
    assert "expected   0.00010002\nsd         3.418e-07" in out
    assert "quantiles" not in out


def test_quantiles_can_be_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "ap", "--items", "50", "--relevant", "5", "--no-quantiles", "--observed", "3/10")
    assert "quantiles" not in out
    assert "P(AP >= 0.3 by chance) = 0.09291  (enumeration, exact)" in out


EVERY = [
    ("ap", "--items", "50", "--relevant", "5"),
    ("ap", "--items", "50", "--relevant", "5", "--cutoff", "10", "--denominator", "min"),
    ("auc", "--positives", "5", "--negatives", "7"),
    ("auc", "--positives", "2", "--negatives", "2", "--ties", "1,2,1"),
    ("hits", "--items", "10", "--relevant", "4", "--cutoff", "3"),
    ("precision", "--items", "10", "--relevant", "4", "--cutoff", "3"),
    ("recall", "--items", "10", "--relevant", "4", "--cutoff", "3"),
    ("success", "--items", "10", "--relevant", "4", "--cutoff", "3"),
    ("rprec", "--items", "10", "--relevant", "4"),
    ("rr", "--items", "10", "--relevant", "4"),
    ("rr", "--items", "10", "--relevant", "4", "--cutoff", "2"),
    ("dcg", "--grades", "3:2,1:3,0:15"),
    ("ndcg", "--grades", "3:2,1:3,0:15", "--cutoff", "5", "--gain", "exp"),
    ("rbp", "--items", "10", "--relevant", "4", "--p", "0.8"),
    ("bpref", "--relevant", "4", "--nonrelevant", "6"),
    ("list-score", "--items", "8", "--relevant", "3", "--scale", "10"),
    ("hit-rank", "--items", "10", "--relevant", "4", "--hit", "2"),
]


@pytest.mark.parametrize("arguments", EVERY, ids=" ".join)
def test_every_law_answers_in_json(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    status, out, err = call(capsys, *arguments, "--format", "json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["law"] == arguments[0]
    low, high = found["support"]
    assert low <= found["expected"] <= high
    quantiles = list(found["quantiles"].values())
    assert quantiles == sorted(quantiles)
    status, out, _ = call(capsys, *arguments, "--observed", str(found["expected"]), "--format", "json")
    held = json.loads(out)
    assert status == 0
    assert 0 < held["p"] < 1
    assert held["corrected"] == pytest.approx(0, abs=1e-9)


def test_the_answer_is_that_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    law = chance.precision(1000, 100, 10)
    arguments = ("precision", "--items", "1000", "--relevant", "100", "--cutoff", "10", "--observed", "3/10")
    status, out, _ = call(capsys, *arguments, "--alternative", "two-sided")
    assert status == 0
    p = min(1, 2 * min(law.tail(0.3), law.cdf(0.3)))
    assert f"two-sided p of P@10 0.3 = {p:.4g}  (hypergeometric, exact)" in out
    assert f"expected   {law.mean():.5g}\nsd         {law.std():.4g}\n" in out


def test_of_ranks_the_lower_ones_are_better(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "hit-rank", "--items", "10", "--relevant", "1", "--hit", "1", "--observed", "1")
    assert "P(rank <= 1 by chance) = 0.1 " in out
    assert "chance-corrected 1 " in out


def test_where_chance_is_perfect_json_has_null(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("hits", "--items", "3", "--relevant", "3", "--cutoff", "2", "--observed", "2", "--format", "json")
    found = json.loads(call(capsys, *arguments)[1])
    assert (found["p"], found["corrected"], found["sd"]) == (1.0, None, 0.0)


def test_a_rung_of_the_ladder_can_be_forced(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, *AP, "--observed", "0.132", "--engine", "zhang-su")
    assert status == 0
    assert "(zhang-su" in out


REFUSED = [
    (("nope",), 2, "'nope' is not one of 'ap', 'auc'"),
    (("ap", "--items", "10"), 2, "invalid value for --relevant: ap needs --items and --relevant; see certus chance"),
    ((*AP, "--positives", "3"), 2, "invalid value for --positives: ap does not take it; it takes --items, --relevant"),
    ((*AP, "--observed", "nan"), 2, "invalid value for --observed: nan is not a finite value"),
    ((*AP, "--observed", "inf"), 2, "invalid value for --observed: inf is not a finite value"),
    ((*AP, "--observed", "1e400"), 2, "invalid value for --observed: 1e400 is not a finite value"),
    (
        (*AP, "--observed", "x"),
        2,
        "invalid value for --observed: 'x' is not a number; give a decimal as in 0.9167, or a",
    ),
    ((*AP, "--observed", "1_0"), 2, "invalid value for --observed: '1_0' is not a number"),
    ((*AP, "--observed", ".e5"), 2, "invalid value for --observed: '.e5' is not a number"),
    ((*AP, "--observed", "1/0"), 2, "invalid value for --observed: 1/0 divides by zero"),
    ((*AP, "--method", "magic"), (2, 3), "magic"),
    (("ap", "--items", "10", "--relevant", "20"), 2, "--relevant is 20, but there are only 10 items"),
    (("ap", "--items", "-1", "--relevant", "1"), 2, "-1 is not in the range"),
    (("dcg", "--grades", "3"), 2, "'3' is not grades and how many documents have each, as in 3:5,2:10,0:985"),
    (("auc", "--positives", "2", "--negatives", "2", "--ties", "1,x"), 2, "'1,x' is not a list of sizes"),
    (("auc", "--positives", "2", "--negatives", "2", "--ties", "1,1"), 2, "--ties"),
    (("hit-rank", "--items", "10", "--relevant", "2", "--hit", "3"), 2, "3"),
    (("rbp", "--items", "10", "--relevant", "2", "--p", "1.5"), 2, "1.5"),
]


@pytest.mark.parametrize(("arguments", "expected", "message"), REFUSED, ids=lambda value: str(value)[:40])
def test_what_is_wrong_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], expected: int | tuple[int, ...], message: str
) -> None:
    status, out, err = call(capsys, *arguments)
    assert status in (expected if isinstance(expected, tuple) else (expected,))
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.startswith("certus: ")
    assert message in err


@pytest.mark.parametrize(
    ("written", "echoed"),
    [
        ("0.91670000000000000000001", "0.916700000000000"),
        ("0.123456789012345678", "0.123456789012346"),
        ("0.123456789012345", "0.123456789012345"),
        ("0.9167", "0.9167"),
        ("1e-20", "0.00000000000000000001"),
    ],
)
def test_an_observed_value_is_echoed_with_the_digits_that_a_float_keeps(
    capsys: pytest.CaptureFixture[str], written: str, echoed: str
) -> None:
    _, out, _ = call(capsys, "ap", "--items", "8", "--relevant", "3", "--observed", written)
    assert f"P(AP >= {echoed} by chance)" in out


@pytest.mark.parametrize("value", ["80", "1.2", "-0.1"])
def test_a_value_that_cannot_be_is_refused(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["chance", "ap", "--items", "8", "--relevant", "3", f"--observed={value}"]) == 2
    assert f"{value} is not a possible value, which are from 0 to 1" in capsys.readouterr().err


def test_laws_are_known_by_name_with_the_parameters_that_they_need() -> None:
    assert [each.name for each in laws()][:3] == ["ap", "auc", "bpref"]
    assert [each.name for each in laws()[1].required] == ["positives", "negatives"]


_DECLARED = """
import sys
from certus.chance.declare import CUTOFF, ITEMS, Parameter, law
from certus.chance.laws.hits import hits
from certus.cli import app

@law("coins", "Coins", ITEMS, CUTOFF, Parameter(name="heads", about="coins that fall on heads", minimum=1))
def coins(items, heads, cutoff=2):
    return hits(items, heads, cutoff)

for line in ("coins --items 4 --heads 2 --no-quantiles", "coins --items 4", "coins --help"):
    app.run(["chance", *line.split()])
"""


def test_a_law_that_is_declared_is_asked_for_by_its_name_and_its_parameters() -> None:
    run = subprocess.run([sys.executable, "-c", _DECLARED], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("Coins of a random ranking: items 4, heads 2\n\nexpected   1\n")
    assert "coins needs --items and --heads" in run.stderr
    assert "(coins)." in run.stdout
