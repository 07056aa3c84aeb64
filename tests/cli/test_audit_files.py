"""``certus audit``: files that are drawn, labelled and read back."""

import csv
import json
import os
import re
from pathlib import Path

import pandas as pd
import pytest
from commands import caller, in_folder, intervals

from certus.audit import (
    Stratum,
    recall_precision,
    sequence,
    strata,
)

DEMO = Path(__file__).parents[2] / "src" / "certus" / "demo" / "predictions.csv"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return in_folder(tmp_path, monkeypatch)


call, rows = caller("audit"), intervals("audit")


def label(path: str, until: int | None = None, words: tuple[str, str] = ("yes", "no"), encoding: str = "utf-8") -> None:
    """Fill in the labels from the column of the truth, as somebody would."""
    with Path(path).open(newline="", encoding=encoding) as file:
        table = list(csv.DictReader(file))
    for row in table[:until]:
        row["label"] = words[row["truth"] != "type"]
    with Path(path).open("w", newline="", encoding=encoding) as file:
        writer = csv.DictWriter(file, list(table[0]))
        writer.writeheader()
        writer.writerows(table)


def test_a_sample_is_drawn_labelled_and_estimated(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "sample", str(DEMO), "--size", "200", "--seed", "7", "-o", "f.csv")
    assert (status, err) == (0, "")
    assert out == ("200 of 1500 rows drawn; fill in column 'label' of f.csv, then: certus audit estimate f.csv\n")
    assert call(capsys, "estimate", "f.csv")[2] == (
        "certus: f.csv: no row has a label yet; say yes or no in at least one\n"
    )
    label("f.csv")
    hits = sum(row["label"] == "yes" for row in csv.DictReader(Path("f.csv").read_text().splitlines()))
    audit = recall_precision(positives=1500, checked=200, hits=hits, predicted=1500)
    found = rows(capsys, "estimate", "f.csv")
    assert found["Rate"] == (audit.recall.value, *audit.recall.interval()[:2])
    assert found["Count"][1:] == audit.hits.interval()[:2]
    truth = (pd.read_csv(DEMO)["truth"] == "type").sum()
    assert found["Count"][1] <= truth <= found["Count"][2]
    # the same seed writes the same file
    call(capsys, "sample", str(DEMO), "--size", "200", "--seed", "7", "-o", "g.csv")
    label("g.csv")
    assert Path("f.csv").read_bytes() == Path("g.csv").read_bytes()


def test_predictions_give_recall(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--predicted", "prediction", "--positive", "type", "--size", "retrieved=80", "--size", "discarded=220"]
    status, out, _ = call(capsys, "sample", str(DEMO), *arguments, "--seed", "1", "--excel", "-o", "f.csv")
    assert (status, out[:52]) == (0, "300 rows drawn: discarded 220 of 1189, retrieved 80 ")
    assert Path("f.csv").read_bytes().startswith(b"\xef\xbb\xbfpackage,")
    assert b"\r\n" in Path("f.csv").read_bytes()
    label("f.csv", words=("1", "0"), encoding="utf-8-sig")
    table = pd.read_csv("f.csv")
    hits = {name: int(part["label"].sum()) for name, part in table.groupby("audit_stratum")}
    audit = strata([Stratum(1189, 220, hits["discarded"], False), Stratum(311, 80, hits["retrieved"])], level=0.9)
    found = rows(capsys, "estimate", "f.csv", "--level", "0.9")
    assert found["Recall"] == (audit.recall.value, *audit.recall.interval()[:2])
    assert list(found) == ["Recall", "Precision", "F1", "Elusion"]


def test_strata_without_predictions_give_a_rate(capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "sample", str(DEMO), "--by", "prediction", "--size", "300", "--seed", "2", "-o", "f.tsv")
    text = Path("f.tsv").read_text()
    assert "\t" in text.splitlines()[0]
    Path("f.csv").write_text(text.replace("\t", ";"))  # as a spreadsheet might
    with Path("f.csv").open(newline="") as file:
        table = list(csv.DictReader(file, delimiter=";"))
    for row in table:
        row["label"] = "yes" if row["truth"] == "type" else "no"
    pd.DataFrame(table).to_csv("f.csv", index=False, sep=";")
    (value, low, high) = rows(capsys, "estimate", "f.csv")["Rate"]
    truth = (pd.read_csv(DEMO)["truth"] == "type").mean()
    assert low < truth < high
    assert low < value < high


def test_a_file_labelled_in_part_is_estimated_with_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "sample", str(DEMO), "--size", "50", "--seed", "3", "-o", "f.csv")
    label("f.csv", until=30)
    status, out, err = call(capsys, "estimate", "f.csv")
    assert status == 0
    assert err.startswith("certus: warning: f.csv: 20 rows have no label; the others are a random sample as long as")
    assert "30 of 50 rows labelled" in out
    status, out, _ = call(capsys, "sequence", "f.csv", "--width", "0.5")
    assert status == 0
    assert re.search(r"no wider than 0\.5 since label \d+", out)
    assert "no wider than 0.05 yet" in call(capsys, "sequence", "f.csv", "--width", "0.05")[1]


def test_a_sequence_is_that_of_python(capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "sample", str(DEMO), "--size", "90", "--seed", "3", "-o", "f.csv")
    label("f.csv")
    labels = [row["label"] == "yes" for row in csv.DictReader(Path("f.csv").read_text().splitlines())]
    for method in ("ppr", "wsr"):
        expected = sequence(labels, population=1500, interval=method, level=0.9)
        found = rows(capsys, "sequence", "f.csv", "--level", "0.9", "--interval", method)
        assert found["Rate"][1:] == expected.interval()[:2]
        assert found["Count"][1:] == expected.counts()


def test_an_edited_row_is_refused_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "sample", str(DEMO), "--size", "20", "--seed", "3", "-o", "f.csv")
    label("f.csv")
    lines = Path("f.csv").read_text().splitlines()
    lines[4] = "x" + lines[4]
    Path("f.csv").write_text("\n".join(lines))
    status, out, err = call(capsys, "estimate", "f.csv")
    assert (status, out) == (3, "")
    assert err.startswith("certus: f.csv:5: the row was changed since it was drawn")


def test_nothing_is_overwritten_without_force(capsys: pytest.CaptureFixture[str]) -> None:
    Path("f.csv").write_text("my labels")
    arguments = ["sample", str(DEMO), "--size", "20", "--seed", "3", "-o", "f.csv"]
    status, _, err = call(capsys, *arguments)
    assert status == 2
    assert "f.csv exists; add --force to replace it" in err
    assert Path("f.csv").read_text() == "my labels"
    assert call(capsys, *arguments, "--force")[0] == 0
    assert Path("f.csv").read_text() != "my labels"
    assert [path.name for path in Path().iterdir()] == ["f.csv"]  # nothing half written is left


def test_own_words_and_columns(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--column", "truth", "--column", "package", "--size", "20", "--seed", "3", "-o", "f.csv"]
    call(capsys, "sample", str(DEMO), *arguments)
    assert Path("f.csv").read_text().startswith("truth,package,label,audit_order")
    label("f.csv", words=("Ja", "nein"))
    assert call(capsys, "estimate", "f.csv")[0] == 3
    assert call(capsys, "estimate", "f.csv", "--yes", "ja", "--no", "nein", "--label", "label")[0] == 0


@pytest.mark.parametrize("name", ["f.csv", "soft.csv", "hard.csv", "../{folder}/f.csv"])
@pytest.mark.parametrize("command", ["estimate", "sequence", "sample"])
def test_the_file_that_is_read_is_never_written(
    capsys: pytest.CaptureFixture[str], folder: Path, command: str, name: str
) -> None:
    call(capsys, "sample", str(DEMO), "--size", "20", "--seed", "7", "-o", "f.csv")
    label("f.csv")
    Path("soft.csv").symlink_to("f.csv")
    os.link("f.csv", "hard.csv")
    before = Path("f.csv").read_bytes()
    more = (
        [
            "--size",
            "3",
            "--seed",
            "1",
        ]
        if command == "sample"
        else []
    )
    for force in ([], ["--force"]):
        status, out, err = call(capsys, command, "f.csv", "-o", name.format(folder=folder.name), *more, *force)
        assert (status, out) == (2, "")
        assert "is the file that is read; give another name" in err
    assert Path("f.csv").read_bytes() == before
    if command != "sample":
        assert call(capsys, command, "f.csv", "-o", "other.csv")[0] == 0


def test_a_sample_is_written_under_the_name_of_a_text_file(capsys: pytest.CaptureFixture[str]) -> None:
    for suffix in (".parquet", ".json", ".xlsx", ".csv.gz"):
        status, _, err = call(capsys, "sample", str(DEMO), "--size", "9", "--seed", "1", "-o", f"x{suffix}")
        assert status == 2
        said = "leave the .gz out" if suffix.endswith(".gz") else "must end in .csv, .txt, .tsv, .tab"
        assert said in err
        assert not Path(f"x{suffix}").exists()
    for suffix in (".csv", ".TSV", ".txt", ""):
        assert call(capsys, "sample", str(DEMO), "--size", "9", "--seed", "1", "-o", f"y{suffix}")[0] == 0


def test_strata_give_the_count_of_positive_items_too(capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "sample", str(DEMO), "--size", "200", "--seed", "7", "--by", "package", "-o", "s.csv")
    label("s.csv")
    found = rows(capsys, "estimate", "s.csv")
    assert found["Count"][1:] == pytest.approx([1500 * each for each in found["Rate"][1:]])
    assert found["Count"][0] == round(1500 * found["Rate"][0])
    assert all(each.is_integer() for each in found["Count"])


def test_the_unit_of_a_plain_sample_is_an_item(capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "sample", str(DEMO), "--size", "50", "--seed", "7", "-o", "s.csv")
    label("s.csv")
    out = call(capsys, "estimate", "s.csv", "--format", "json")[1]
    assert [row["unit"] for row in json.loads(out)["rows"]] == ["checked item"] * 2


def test_a_column_of_the_items_holds_no_labels(capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "sample", str(DEMO), "--size", "9", "--seed", "7", "-o", "s.csv")
    label("s.csv")
    _, _, err = call(capsys, "estimate", "s.csv", "--label", "package")
    assert "the column 'package' is of the items that were drawn and has no labels" in err
    _, _, err = call(capsys, "estimate", "s.csv", "--label", "audit_order")
    assert "the column 'audit_order' is the draw's own" in err
    _, _, err = call(capsys, "estimate", "s.csv", "--label", "lable")
    assert "there is no column named 'lable'" in err
