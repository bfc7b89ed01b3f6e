"""The wording linter: the text that it extracts, and its rules."""

import re
from pathlib import Path

import pytest

from tools.prose import RULES, Passage, Rule, check, main, passages, read_rules


def texts(path: str, content: str, kind: str) -> list[str]:
    return [" ".join(passage.text.split()) for passage in passages(path, content) if passage.kind == kind]


def test_headings_and_paragraphs_of_pages_are_extracted_without_code() -> None:
    page = "# A heading\n\nText with `code` and [a link](whole.md).\n\n```console\n$ whole\n```\n\n| a | cell |\n"
    assert texts("docs/a.md", page, "heading") == ["# A heading"]
    assert texts("docs/a.md", page, "page") == ["Text with … and [a link….", "…", "| a | cell |"]


def test_text_between_two_pieces_of_code_is_checked() -> None:
    page = "```console\n$ make\n```\n\nThe settings in force.\n\n`code`\n"
    rules, _ = read_rules(RULES)
    assert [finding.line for finding in check("docs/a.md", page, rules)] == [5]


def test_docstrings_comments_and_messages_of_python_code_are_extracted() -> None:
    code = '''"""A module."""

X = "identifier"
"""An attribute."""
# One
# two
raise ValueError(f"the file {X} is wrong")
'''
    assert texts("src/a.py", code, "comment") == ["A module.", "An attribute.", "# One # two"]
    assert texts("src/a.py", code, "message") == ["the file", "is wrong"]


def test_strings_of_tests_are_data_and_their_names_are_sentences() -> None:
    code = 'def test_the_whole_truth() -> None:\n    assert "some text here"\n'
    assert texts("tests/test_a.py", code, "message") == []
    assert texts("tests/test_a.py", code, "test name") == ["the whole truth"]


def test_labels_messages_and_comments_of_pages_are_extracted() -> None:
    code = """/** A comment. */
const label = "Two words";
const name = "identifier";
return <Text>Shown to people; always.</Text>;
"""
    assert texts("admin-ui/src/a.tsx", code, "comment") == ["/** A comment. */"]
    assert texts("admin-ui/src/a.tsx", code, "message") == ['"Two words"', "Shown to people; always."]


def test_a_finding_has_its_line_and_the_replacement() -> None:
    rules = [Rule(re.compile("whole"), 'write "entire"', frozenset({"page"}))]
    [finding] = check("docs/a.md", "# Title\n\nFirst line\nthe whole text\n", rules)
    assert str(finding) == 'docs/a.md:4: "whole": write "entire"'


def test_a_rule_applies_only_to_its_kinds_of_text() -> None:
    rules = [Rule(re.compile("What"), "use a noun", frozenset({"heading"}))]
    assert check("docs/a.md", "What is it?\n", rules) == []
    assert len(check("docs/a.md", "# What is it\n", rules)) == 1


@pytest.mark.parametrize(
    ("kind", "wrong", "right"),
    [
        ("comment", "The file is replaced whole.", "The whole window is drawn; a whole number."),
        ("message", "nobody can sign in", "no user can sign in"),
        ("page", "The client is told of changes.", "The client is notified of changes."),
        ("message", "settings in force", "effective settings"),
        ("page", "Groups expand to others.", "Groups inherit from others."),
        ("message", "What it does", "What is your name?"),
        ("heading", "## What it does", "## Limits"),
        ("comment", "to whoever listens", "to all subscribers"),
        ("page", "People log in here.", "People sign in here."),
        ("test name", "it shall start", "it starts"),
        ("message", "As it is, it would be refused", "Cannot save"),
        ("message", "It is for members, and the user is none.", "Requires membership."),
    ],
)
def test_the_rules_find_unclear_wording_and_accept_the_replacement(kind: str, wrong: str, right: str) -> None:
    rules, _ = read_rules(RULES)

    def found(text: str) -> bool:
        passage = Passage(1, kind, text)
        return any(rule.pattern.search(passage.text) for rule in rules if kind in rule.kinds)

    assert found(wrong)
    assert not found(right)


def test_a_rule_with_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text('ignored = []\n[[rule]]\npattern = "a"\nmessage = "b"\nkinds = ["poem"]\n')
    with pytest.raises(ValueError, match="poem"):
        read_rules(file)


def test_the_command_fails_only_with_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Title\n\nThe settings in force.\n")
    assert main(["README.md", "admin-ui/src/mark.svg"]) == 0
    assert main([str(page)]) == 1
    assert f'{page}:3: "in force"' in capsys.readouterr().out
