"""The documentation is true: what it names exists."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def map_sections() -> list[tuple[Path, str]]:
    """Return the folder that each section of the map describes, and the text of the section."""
    parts = re.split(r"^##+ (.*)\n", (ROOT / "docs/map.md").read_text(), flags=re.MULTILINE)
    sections = zip(parts[1::2], parts[2::2], strict=True)
    return [(ROOT / heading.strip("`") if "`" in heading else ROOT, text) for heading, text in sections]


def described_in_map() -> list[Path]:
    """Return each path in the first column of the map."""
    return [
        folder / path
        for folder, text in map_sections()
        for row in re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE)
        for path in re.findall(r"`([^`]+)`", row)
    ]


def test_every_path_in_the_map_exists() -> None:
    described = described_in_map()
    # Descriptions name further modules, relative to the folder of their row or of the repository.
    mentioned = [
        [root / path for root in (folder, folder / row, ROOT)]
        for folder, text in map_sections()
        for row, description in re.findall(r"^\| `([^`]+)`[^|]* \| (.*) \|$", text, re.MULTILINE)
        for path in re.findall(r"`([\w./-]+(?:/|\.(?:py|ts|tsx|js|mjs|toml|txt|md|html)))`", description)
        if not path.startswith("/")
    ]

    assert len(described) > 300
    assert len(mentioned) > 50
    assert [path for path in described if not path.exists()] == []
    assert [places[0] for places in mentioned if not any(path.exists() for path in places)] == []


def test_the_map_describes_each_path_once() -> None:
    described = described_in_map()

    assert [path for path in set(described) if described.count(path) > 1] == []


def test_the_map_describes_every_folder_of_the_code() -> None:
    packages = [path.parent for path in (ROOT / "src/rostrum").glob("*/**/__init__.py")]
    pages = [
        path
        for parent in ("admin-ui/src", "admin-ui/src/features", "platform-ui/src")
        for path in (ROOT / parent).iterdir()
        if path.is_dir()
    ]
    described = {*described_in_map(), *(folder for folder, _ in map_sections())}

    assert len(packages) > 50
    assert len(pages) > 30
    assert [path for path in (*packages, *pages) if path not in described and path.name != "versions"] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text())

    assert [link for link in links if not (page.parent / link).exists()] == []


def named(pattern: str) -> set[str]:
    """Find what the README, the pages for contributors and the guides name."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *ROOT.glob("docs/guide/*.md")]
    return {name for page in pages for name in re.findall(pattern, page.read_text())}


def test_the_make_verbs_that_pages_name_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    verbs = named(r"`(?:[A-Z]+=\S+ )?make ([a-z-]+)")

    assert {"run", "test", "admin-ui-library"} <= verbs
    assert [verb for verb in verbs if not re.search(rf"^{verb}:", makefile, re.MULTILINE)] == []


def test_the_programs_and_files_that_pages_name_exist() -> None:
    scripts = json.loads((ROOT / "admin-ui/package.json").read_text())["scripts"]
    modules = named(r"`python -m (bench[a-z_. ]*)")
    files = named(r"\b((?:tests|deploy|schemas|requirements)/[a-z_/.@-]+[a-z])")

    assert {name for name in named(r"`npm run ([a-z:-]+)") if name not in scripts} == set()
    assert modules
    places = {name: ROOT / re.sub("[. ]", "/", name.strip()) for name in modules}
    assert [
        name
        for name, place in places.items()
        if not (place.with_suffix(".py").is_file() or (place / "__main__.py").is_file())
    ] == []
    assert len(files) > 5
    assert [file for file in files if not (ROOT / file).exists()] == []


def test_the_continuous_run_is_what_the_readme_says() -> None:
    commands = (ROOT / ".ci/run").read_text().splitlines()

    assert "make check" in commands
    assert "make test" in commands


def test_every_decision_has_a_number_of_its_own() -> None:
    numbers = [path.name[:4] for path in ROOT.glob("docs/decisions/*.md")]

    assert sorted(set(numbers)) == sorted(numbers)
