"""The workflows, the recipe and the check of wheels agree with pyproject.toml and take no risk that can be avoided."""

import base64
import hashlib
import re
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTIONS = sorted(ROOT.glob("*/action.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.parametrize("path", [*WORKFLOWS, *ACTIONS], ids=lambda path: path.name)
def test_every_action_of_others_is_pinned_to_a_commit_and_names_its_version(path: Path) -> None:
    used = re.findall(r"^\s*(?:- )?uses: (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert used
    assert [use for use in used if not re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", use)] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_may_only_read_but_for_the_publishing_job(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "\npermissions:\n  contents: read\n\n" in text
    job = "\n  publish:\n"
    before, publish = text.split(job) if job in text else (text, "")
    assert "write" not in before
    assert sorted(re.findall(r"([\w-]+): write", publish)) in ([], ["attestations", "id-token"], ["id-token", "pages"])
    assert "pull_request_target" not in text
    assert "secrets." not in text  # trusted publishing stores no token


@pytest.mark.parametrize("path", [*WORKFLOWS, *ACTIONS], ids=lambda path: path.name)
def test_no_text_of_others_is_pasted_into_a_script(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    scripts = re.findall(r"^( *)(?:- )?run: (.*(?:\n\1 +.*|\n)*)", text, re.MULTILINE)
    assert scripts
    assert [script for _, script in scripts if re.search(r"\$\{\{ *(github|inputs|steps)\b", script)] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_run_tools_that_exist(path: Path) -> None:
    named = re.findall(r"tools/\w+\.py", path.read_text(encoding="utf-8"))
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_ci_runs_every_python_that_is_classified_and_the_oldest_dependencies() -> None:
    text = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    (versions,) = re.findall(r"python: \[(.*)\]", text)
    classified = [each.rsplit(" ", 1)[1] for each in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", each)]
    assert re.findall(r"[\d.]+", versions) == classified
    assert "needs: oldest" in text


def test_wheels_are_built_for_every_platform() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    assert sorted(re.findall(r"target: ([\w-]+)", text)) == [
        "aarch64-apple-darwin",
        "aarch64-unknown-linux-gnu",
        "aarch64-unknown-linux-musl",
        "x86_64-apple-darwin",
        "x86_64-pc-windows-msvc",
        "x86_64-unknown-linux-gnu",
        "x86_64-unknown-linux-musl",
    ]


def test_wheels_are_tried_on_every_python_that_is_classified_before_they_are_published() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    classified = [each.rsplit(" ", 1)[1] for each in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", each)]
    (matrix,) = re.findall(r"python: \[(.*)\]", text)
    (alpine,) = re.findall(r"for version in (.*); do", text)
    assert re.findall(r"[\d.]+", matrix) == alpine.split() == classified
    names = re.findall(r"name: ([\w-]+), runner: \S+, target", text)
    assert re.findall(r"name: ([\w-]+), runner: [\w.-]+\}", text) == [name for name in names if "musl" not in name]
    assert "needs: [wheel, try, sdist]" in text


def test_links_of_the_readme_are_absolute_in_a_package() -> None:
    from project_urls import with_absolute_links

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    text = with_absolute_links(readme, "https://github.com/somebody/certus/")
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    assert len(links) == len(re.findall(r"\]\(([^)\s]+)\)", readme)) > 30
    assert {link[:35] for link in links} == {"https://github.com/somebody/certus/"}
    assert "](https://github.com/somebody/certus/raw/HEAD/docs/images/" in text


def test_the_conda_recipe_has_the_dependencies_and_version_of_the_project() -> None:
    text = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    (run,) = re.findall(r"\n  run:\n((?:    - .*\n)+)", text)
    needs = [re.sub(r"(?<=\w)(?=>)", " ", need) for need in PROJECT["dependencies"]]
    assert re.findall(r"- (.*)", run) == [f"python {PROJECT['requires-python']}", *needs]
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    assert f"version: {cargo['workspace']['package']['version']}\n" in text


def test_the_oldest_dependencies_are_the_bounds_of_the_project() -> None:
    from check_wheel import oldest

    assert oldest() == [re.sub(r">=([\d.]+).*", r"==\1", need) for need in PROJECT["dependencies"]]
    assert all(re.fullmatch(r"\w+==\d[\d.]*", need) for need in oldest())


def test_the_wheel_is_tried_with_tests_that_exist_on_interpreters_that_start() -> None:
    from check_wheel import TESTS
    from versions import python

    assert [name for name in TESTS if not (ROOT / name.partition("::")[0]).exists()] == []
    assert python("3.1") is None
    found = python(f"{sys.version_info.major}.{sys.version_info.minor}")
    assert found is None or Path(found).exists()


def test_project_addresses_are_those_of_the_repository_that_is_built_from() -> None:
    from project_urls import with_urls

    text = with_urls((ROOT / "pyproject.toml").read_text(encoding="utf-8"), "https://github.com/somebody/certus/")
    urls = tomllib.loads(text)["project"]["urls"]
    assert urls["Source"] == "https://github.com/somebody/certus"
    assert urls["Changelog"] == "https://github.com/somebody/certus/blob/HEAD/CHANGELOG.md"
    pages = [url.split("/blob/HEAD/")[1] for url in urls.values() if "/blob/HEAD/" in url]
    assert [page for page in pages if not (ROOT / page).is_file()] == []
    with pytest.raises(SystemExit, match=r"no \[project\.urls\]"):
        with_urls(text, "https://github.com/somebody/certus")


def test_the_licences_of_all_linked_crates_are_in_the_wheel() -> None:
    from make_licences import BUNDLED, TARGET, linked

    assert TARGET.name in PROJECT["license-files"]
    text = TARGET.read_text(encoding="utf-8")
    assert [crate for crate in sorted(linked()) if f"\n{' '.join(crate)} (" not in text] == []
    assert [library for library, _ in BUNDLED.values() if f"\n{library}, in " not in text] == []


def test_the_bill_of_materials_of_a_wheel_names_no_folder_of_its_builder(tmp_path: Path) -> None:
    from strip_bom import strip

    wheel, bom = tmp_path / "certus-1-py3-none-any.whl", "certus-1.dist-info/sboms/certus-py.cyclonedx.json"
    folder = "/builder/a b/certus"
    text = (
        f'{{"ref": "path+file://{folder}/crates/certus-py#1", "purl": "pkg:cargo/certus-py@1?download_url=file://."}}'
    )
    with ZipFile(wheel, "w") as archive:
        archive.writestr("certus/a,b.py", "x = 1\n")
        archive.writestr(bom, text)
        archive.writestr("certus-1.dist-info/RECORD", f'"certus/a,b.py",sha256=AA,6\n{bom},sha256=BB,9\nRECORD,,\n')
    assert strip(wheel)
    with ZipFile(wheel) as archive:
        assert archive.read("certus/a,b.py") == b"x = 1\n"
        stripped = archive.read(bom)
        record = archive.read("certus-1.dist-info/RECORD").decode().splitlines()
    assert stripped.decode() == text.replace(folder, "/certus")
    digest = base64.urlsafe_b64encode(hashlib.sha256(stripped).digest()).decode().rstrip("=")
    assert record == ['"certus/a,b.py",sha256=AA,6', f"{bom},sha256={digest},{len(stripped)}", "RECORD,,"]
    assert not strip(wheel)


def test_every_wheel_is_stripped_before_it_is_checked() -> None:
    release = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    made, stripped, checked = map(
        release.index, ("command: build", "strip_bom.py dist/*.whl", "check_wheel.py dist/*.whl")
    )
    assert made < stripped < checked
    assert "maturin build --release --out dist\n\t$(BIN)/python tools/strip_bom.py dist/*.whl\n" in (
        ROOT / "Makefile"
    ).read_text(encoding="utf-8")


def test_no_rust_has_unsafe_code_of_its_own() -> None:
    """The unsafe code that pyo3 and numpy wrap is theirs; certus-core forbids it to the compiler, too."""
    code = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "crates").rglob("*.rs"))]
    assert len(code) > 50
    tools = [path.read_text(encoding="utf-8") for path in (ROOT / "tools").iterdir() if path.is_file()]
    assert [text for text in tools if "unsafe" in text] == []  # some write Rust
    without = [re.sub(r"//.*|\"(?:[^\"\\]|\\.)*\"", "", text) for text in code]
    assert sum(len(re.findall(r"\bunsafe\b", text)) for text in without) == 0
    assert "\n#![forbid(unsafe_code)]\n" in (ROOT / "crates" / "certus-core" / "src" / "lib.rs").read_text(
        encoding="utf-8"
    )
