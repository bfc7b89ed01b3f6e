"""The documentation is true: what it names exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def test_every_place_in_the_map_exists() -> None:
    places = re.findall(r"`((?:src|admin-ui|tools|bench|tests|docs)/[^`]*)`", (ROOT / "docs/map.md").read_text())

    assert len(places) > 20
    assert [place for place in places if not (ROOT / place).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text())

    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_make_verbs_that_the_readme_names_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    named = set(
        re.findall(r"`make ([a-z]+)", (ROOT / "README.md").read_text() + (ROOT / "CONTRIBUTING.md").read_text())
    )

    assert {"run", "test"} <= named
    assert [verb for verb in named if not re.search(rf"^{verb}:", makefile, re.MULTILINE)] == []


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
