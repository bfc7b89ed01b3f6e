"""The documentation is true: what it names exists."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def test_every_place_in_the_map_exists() -> None:
    places = re.findall(
        r"`((?:src|admin-ui|platform-ui|tools|bench|tests|docs)/[^`]*)`", (ROOT / "docs/map.md").read_text()
    )

    assert len(places) > 20
    assert [place for place in places if not (ROOT / place).exists()] == []


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
    assert [name for name in modules if not (ROOT / f"{re.sub('[. ]', '/', name.strip())}.py").is_file()] == []
    assert len(files) > 5
    assert [file for file in files if not (ROOT / file).exists()] == []


def test_the_continuous_run_is_what_the_readme_says() -> None:
    commands = (ROOT / ".ci/run").read_text().splitlines()

    assert "make check" in commands
    assert "make test" in commands


def test_the_map_says_each_thing_once() -> None:
    rows = re.findall(r"^\| ([^|]+) \|", (ROOT / "docs/map.md").read_text(), re.MULTILINE)

    assert sorted(set(rows)) == sorted(rows)


def test_every_decision_has_a_number_of_its_own() -> None:
    numbers = [path.name[:4] for path in ROOT.glob("docs/decisions/*.md")]

    assert sorted(set(numbers)) == sorted(numbers)
