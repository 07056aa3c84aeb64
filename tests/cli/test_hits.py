"""``certus hits``: the card of a hit list, and lists that look like options."""

import json
from pathlib import Path

import pytest
from commands import caller

from certus.chance import HitList
from certus.cli import app

call = caller("hits")


def test_the_card_says_all_there_is_to_say(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "xx--x", "--population", "100")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "xx--x  ••◦◦•",
        "3 hits in 5 ranks",
        "",
        "average precision  0.8667  percentile 91.67: of 6 such lists 5 below, 1 equal, 0 above",
        "score s, m = 10    0.6700  percentile 91.67: of 6 such lists 5 below, 1 equal, 0 above",
        "",
        "                                            AP@k, divided by",
        "rank  hit  hit function  precision  recall  all hits  min(k, hits)  hits so far",
        "   1    x             1     1.0000  0.3333    0.3333        1.0000       1.0000",
        "   2    x             2     1.0000  0.6667    0.6667        1.0000       1.0000",
        "   3    -             2     0.6667  0.6667    0.6667        0.6667       1.0000",
        "   4    -             2     0.5000  0.6667    0.6667        0.6667       1.0000",
        "   5    x             3     0.6000  1.0000    0.8667        0.8667       0.8667",
        "",
        "       +R  -R  total",
        "+P      3   2      5",
        "-P      0  95     95",
        "total   3  97    100",
        "",
        "recall        1.0000",
        "precision     0.6000",
        "informedness  0.9794",
        "markedness    0.6000",
    ]


def test_what_follows_the_last_hit_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "xx-x----", "--relevant", "4", "--population", "20", "--cutoff", "3")
    assert status == 0
    lines = out.splitlines()
    assert lines[:2] == ["xx-x----  ••◦•◦◦◦◦", "3 hits in 8 ranks, the last at rank 4, of 4 relevant"]
    # (1 + 1 + 3/4) / 4
    assert lines[3].startswith("average precision  0.6875  percentile")
    assert lines[15].split() == ["8", "-", "3", "0.3750", "0.7500", "0.6875", "0.6875", "0.9167"]
    # 2/4, 2/3, 2/4 + 15/16 - 1, 2/3 + 15/17 - 1
    assert lines[-9:] == [
        "       +R  -R  total",
        "+P      2   1      3",
        "-P      2  15     17",
        "total   4  16     20",
        "",
        "recall        0.5000",
        "precision     0.6667",
        "informedness  0.4375",
        "markedness    0.5490",
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ("-xx-x",),
        ("--", "-xx-x"),
        ("--m", "10", "-xx-x"),
        ("-xx-x", "--m", "10"),
        ("◦••◦•",),
        ("2,3,5",),
        ("5, 2, 3",),
    ],
)
def test_a_list_is_text_or_ranks_and_may_begin_with_a_dash(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    status, out, _ = call(capsys, *arguments)
    assert status == 0
    assert out.startswith("-xx-x  ◦••◦•\n")


@pytest.mark.parametrize("text", ["-x", "--x", "---x", "--xxx", "-x-x", "x", "xx"])
def test_no_list_is_taken_for_an_option(capsys: pytest.CaptureFixture[str], text: str) -> None:
    status, out, _ = call(capsys, text, "--format", "json")
    assert status == 0
    assert json.loads(out)["ranks"] == list(HitList(text).ranks)


def test_json_has_the_numbers_of_the_card(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "x-xx", "--format", "json", "--m", "5", "--population", "6")
    r, card = HitList("x-xx"), json.loads(out)
    assert status == 0
    assert (card["hit_list"], card["length"], card["hits"], card["ranks"]) == ("x-xx", 4, 3, [1, 3, 4])
    assert (card["average_precision"], card["score"], card["m"]) == (r.average_precision(), r.score(5), 5)
    for score, position in card["percentile"].items():
        assert position["value"] == r.percentile(score)
        assert (position["method"], position["error"]) == ("enumeration", 0)
        assert (position["below"], position["equal"], position["above"]) == r.standing(score)
    assert [row["precision"] for row in card["rows"]] == r.precision().tolist()
    assert [row["recall"] for row in card["rows"]] == r.recall().tolist()
    assert [row["hit"] for row in card["rows"]] == r.hit_list().astype(bool).tolist()
    assert [row["hit_function"] for row in card["rows"]] == r.hit_function().tolist() == [1, 1, 2, 3]
    for row in card["rows"]:
        for denominator, value in row["average_precision_at"].items():
            assert value == r.average_precision_at(row["rank"], denominator)
    table = card["contingency"]
    assert [table[name] for name in ("tp", "fp", "fn", "tn", "rp", "rn", "pp", "pn")] == [3, 1, 0, 2, 3, 3, 4, 2]
    assert table["population"] == 6


def test_a_long_list_shows_its_hits_only(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "1,500,1000000000")
    lines = out.splitlines()
    assert status == 0
    assert lines[0] == "3 hits in 1,000,000,000 ranks"
    assert [line.split()[0] for line in lines[7:10]] == ["1", "500", "1,000,000,000"]
    assert lines[10] == "only the ranks with hits are shown"
    assert lines[2].startswith("average precision  0.3347  percentile 100.00 (bound, error about 2e-10)")
    _, out, _ = call(capsys, ",".join(map(str, range(1, 100, 2))))
    assert " (fourier, error about " in out.splitlines()[2]
    assert out.splitlines()[-1] == "only the first ranks with hits are shown"
    assert len(out.splitlines()) == 7 + 40 + 1


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("x-x", "--cutoff", "2"), 2, "is for the contingency table; give --population, too"),
        (("x-x", "--cutoff", "4", "--population", "9"), 2, "--cutoff is 4; it must be a whole number from 1 to 3"),
        (("x-x", "--relevant", "1"), 2, "--relevant is 1; it must be a whole number of at least 2"),
        (("---",), 3, "a hit list has at least one hit, written x; '---' has none"),
        (("",), 3, "a hit list has at least one rank; the text is empty"),
        (("xX",), 3, "character 2 of the hit list is 'X'"),
        (("1,1", "--ranks"), 3, "rank 1 is given twice"),
        (("3,3",), 3, "rank 3 is given twice"),
        (("x-", "--mask"), 2, "--mask: is for a LIST of digits; leave it out"),
        (("11", "--mask", "--ranks"), 2, "--mask: says what LIST is, as --ranks does; give one of them"),
        (("--all", "3", "--mask"), 2, "--mask: is for one list, not for --all"),
        (("1,0", "--scores", "1,x"), 2, "could not convert string to float: 'x'; give numbers, as .2,.9,.5"),
        (("1,0", "--scores", "1"), 3, "--scores has 1 item for 2 labels; they must pair up one to one"),
        (("1.5",), 3, "found '1.5' among the ranks; a rank is a whole number, as in 1,2,5"),
        (("1,,2",), 3, "found '' among the ranks"),
        (("0",), 3, "a hit list has at least one hit; the mask of 1 rank holds none"),
        (("0,1,2",), 3, "found 0 among the ranks; ranks are from 1"),
        (("9" * 25,), 3, "among the ranks; ranks are from 1 to 1,000,000,000"),
        (("xx", "--m", "2"), 2, "--m is 2.0; it must be a finite number above 2"),
        (("xx", "--m", "nan"), 2, "m is nan"),
        (("x-x", "--population", "2"), 2, "--population is 2; it must be a whole number of at least 3"),
        ((), 2, "LIST: is missing; give a list, as xx--x, or --all"),
        (("xx", "x-x"), 2, "got unexpected extra argument"),
        (("-xx-x", "--populaton", "9"), 2, "no such option: --populaton"),
        (("xx", "--format", "xml"), 2, "--format"),
        (("xx", "--plot", "."), 2, ". is a directory; give the name of a file"),
        (("xx", "--plot", "no-such-folder/a.png"), 2, "no-such-folder is not a directory"),
    ],
)
def test_errors_are_one_line_and_a_status(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], status: int, said: str
) -> None:
    got, out, err = call(capsys, *arguments)
    assert (got, out) == (status, "")
    assert err.count("\n") == 1
    assert err.startswith("certus: ")
    assert said in err


def test_a_picture_is_drawn_and_replaced_only_by_force(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "a.png"
    assert call(capsys, "x--x", "--plot", str(file))[0] == 0
    assert file.read_bytes().startswith(b"\x89PNG")
    status, out, err = call(capsys, "x--x", "--plot", str(file))
    assert (status, out) == (2, "")
    assert "exists; add --force to replace it" in err
    assert call(capsys, "x--x", "--plot", str(file), "--force")[0] == 0
    status, _, err = call(capsys, "x--x", "--plot", str(tmp_path / "a.doc"))
    assert status == 2
    assert "must end in .pdf, .png, .svg" in err
    assert list(tmp_path.iterdir()) == [file]


def test_numbers_of_lists_without_making_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "--all", "30", "--hits", "10", "--count", "--format", "csv")[1].splitlines()[1] == (
        "30,10,10015005"
    )
    status, _, err = call(capsys, "--all", "30")
    assert status == 2
    assert "there are 536,870,912 such lists; --count gives their number" in err


def test_a_ranking_of_names_and_the_relevant_ones(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "x,a,y,b,c,z", "--of", "a,b,c", "--format", "csv")
    assert out.splitlines() == [
        "rank,item,delta,s,precision,recall",
        "1,x,0,0,0.0,0.0",
        "2,a,1,1,0.5,0.3333333333333333",
        "3,y,0,1,0.3333333333333333,0.3333333333333333",
        "4,b,1,2,0.5,0.6666666666666666",
        "5,c,1,3,0.6,1.0",
        "6,z,0,3,0.5,1.0",
    ]
    _, out, _ = call(capsys, "x,a,y,b,c,z", "--of", "a,b,c")
    assert out.splitlines()[-1].endswith("0.5333  z")


@pytest.mark.parametrize("picture", ["ranks", "area", "cutoffs"])
def test_each_picture_of_a_list(picture: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.png"
    assert call(capsys, "-x-xx-", "--plot", str(target), "--picture", picture)[0] == 0
    assert target.stat().st_size > 5000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--all", "5", "--relevant", "3"], "--relevant: is for one list, not for --all"),
        (["xx-x", "--best-first"], "--best-first: is for the lists of --all"),
        (["--all", "0"], "'0' is neither a length, such as 8, nor a range, such as 2-10"),
        (["--all", "3", "--hits", "4"], "no list of 3 ranks has 4 hits"),
        (["--all", "5", "--count", "--m", "5"], "--m: shows nothing of a number"),
        (["--all", "5", "--plot", "x.png"], "--plot: draws lists with one number of hits; give --hits, too"),
        ([], "LIST: is missing; give a list, as xx--x, or --all"),
        (["xx", "--picture", "area"], "--picture: is for a picture; give --plot, too"),
    ],
)
def test_options_that_do_nothing_here_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    ("text", "first", "note"),
    [
        ("11010000", "xx-x----  ••◦•◦◦◦◦", "read as a mask of 8 ranks; --ranks reads the ranks of the hits"),
        ("1,1,0,1,0,0,0,0", "xx-x----  ••◦•◦◦◦◦", "read as a mask of 8 ranks; --ranks reads the ranks of the hits"),
        ("1, 1,0", "xx-  ••◦", "read as a mask of 3 ranks; --ranks reads the ranks of the hits"),
        ("01", "-x  ◦•", "read as a mask of 2 ranks; --ranks reads the ranks of the hits"),
        ("10", "---------x  ◦◦◦◦◦◦◦◦◦•", "read as rank 10 alone; --mask reads 1 for a hit and 0 for none at each rank"),
    ],
)
def test_digits_0_and_1_are_read_as_the_card_says_and_it_names_the_other_reading(
    capsys: pytest.CaptureFixture[str], text: str, first: str, note: str
) -> None:
    status, out, err = call(capsys, text)
    assert (status, err) == (0, "")
    assert (out.splitlines()[0], out.splitlines()[2]) == (first, note)
    status, _, err = call(capsys, text, "--format", "csv")
    assert (status, err) == (0, f"certus: warning: {note}\n")


def test_what_is_said_to_be_a_mask_or_ranks_needs_no_note(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, ranks, form in (
        (["10", "--mask"], [1], "mask"),
        (["110100", "--ranks"], [110_100], "ranks"),
        (["1,2,5"], [1, 2, 5], "ranks"),
        (["1"], [1], "ranks"),
        (["xx"], [1, 2], "text"),
        (["1,0,1", "--scores", ".2,.9,.5"], [2, 3], "scores"),
        (["b,a", "--of", "a"], [2], "names"),
    ):
        status, out, err = call(capsys, *arguments, "--format", "json")
        card = json.loads(out)
        assert (status, err, card["ranks"], card["read_as"]) == (0, "", ranks, form)
        assert "read as" not in call(capsys, *arguments)[1]


def test_numbers_of_lists_have_their_sum_below(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "--all", "5", "--count")[1].splitlines()[-1] == "16 lists in all"
    assert call(capsys, "--all", "2-4", "--hits", "2", "--count")[1].splitlines()[-1] == "6 lists in all"
    assert len(call(capsys, "--all", "5", "--hits", "2", "--count")[1].splitlines()) == 2


def test_lists_in_csv_have_no_apostrophe(capsys: pytest.CaptureFixture[str]) -> None:
    lines = call(capsys, "--all", "5", "--format", "csv")[1].splitlines()[1:]
    assert [line.split(",")[0] for line in lines] == [str(each) for each in HitList.all(5)]


def test_one_rank_is_no_plural(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["hits", "x"]) == 0
    assert "1 hit in 1 rank\n" in capsys.readouterr().out
