"""Checks the wording of documentation, messages, labels, comments and test names against `prose_rules.toml`.

The linter extracts the text that people read from each file, and applies regular expressions to it. Identifiers, code
blocks and quoted code are not checked.
"""

import argparse
import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = Path(__file__).with_name("prose_rules.toml")
KINDS = ("page", "heading", "message", "comment", "test name")
SUFFIXES = {".md", ".py", ".ts", ".tsx", ".js", ".html"}


@dataclass(frozen=True)
class Passage:
    """A piece of text that people read."""

    line: int
    kind: str
    text: str


@dataclass(frozen=True)
class Rule:
    """A wording that must not occur, and its replacement."""

    pattern: re.Pattern[str]
    message: str
    kinds: frozenset[str]


@dataclass(frozen=True)
class Finding:
    """A place that breaks a rule."""

    path: str
    line: int
    found: str
    message: str

    def __str__(self) -> str:
        return f'{self.path}:{self.line}: "{self.found}": {self.message}'


def main(arguments: list[str] | None = None) -> int:
    """Check the files that are named, or every file of the repository."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", help="files to check, relative to the repository; default: all")
    files = parser.parse_args(arguments).files
    rules, ignored = read_rules(RULES)
    findings = [
        finding
        for path in files or _tracked_files()
        if not path.startswith(ignored) and _has_prose(path)
        for finding in check(path, (ROOT / path).read_text("utf-8"), rules)
    ]
    for finding in findings:
        print(finding)
    if findings:
        print(f"{len(findings)} problems of wording; the rules are in tools/{RULES.name}.", file=sys.stderr)
    return 1 if findings else 0


def read_rules(path: Path) -> tuple[list[Rule], tuple[str, ...]]:
    """Return the rules, and the paths that are not checked."""
    content = tomllib.loads(path.read_text("utf-8"))
    rules = []
    for rule in content["rule"]:
        kinds = frozenset(rule.get("kinds", KINDS))
        if unknown := kinds - set(KINDS):
            raise ValueError(f"{path.name}: unknown kind of text: {', '.join(sorted(unknown))}")
        flags = re.NOFLAG if rule.get("match_case") else re.IGNORECASE
        rules.append(Rule(re.compile(rule["pattern"], flags), rule["message"], kinds))
    return rules, tuple(content["ignored"])


def check(path: str, text: str, rules: list[Rule]) -> list[Finding]:
    """Find the places of a file that break a rule."""
    findings = []
    for passage in passages(path, text):
        for rule in rules:
            if passage.kind in rule.kinds:
                for match in rule.pattern.finditer(passage.text):
                    line = passage.line + passage.text.count("\n", 0, match.start())
                    findings.append(Finding(path, line, " ".join(match[0].split()), rule.message))
    return sorted(findings, key=lambda finding: (finding.line, finding.found))


def passages(path: str, text: str) -> Iterator[Passage]:
    """Extract the text that people read from a file."""
    suffix = Path(path).suffix
    if suffix == ".md":
        yield from _of_markdown(text)
    elif suffix == ".py":
        yield from _of_python(text, messages=not path.startswith(("tests/", "bench/")))
    elif suffix in {".ts", ".tsx", ".js"}:
        yield from _of_script(text, messages="/test" not in path and ".test." not in path)
    elif suffix == ".html":
        yield from _of_html(text)
    elif Path(path).name == "Makefile":
        yield from (Passage(number, "message", line) for number, line in enumerate(text.splitlines(), 1) if "#" in line)


_FENCE = re.compile(r"^[ \t]*```.*?^[ \t]*```[ \t]*$", re.MULTILINE | re.DOTALL)
_QUOTED_CODE = re.compile(r"``?(?:[^`\n]|\n(?!\s*\n))+``?")
# Not a backtick: the next expression would take it for the begin of code.
_PLACEHOLDER = "…"
_ADDRESS = re.compile(r"\]\([^)]*\)|https?://\S+")


def _of_markdown(text: str) -> Iterator[Passage]:
    text = _blank(_ADDRESS, _blank(_QUOTED_CODE, _blank(_FENCE, text)))
    line = 1
    for paragraph in re.split(r"(\n(?:\s*\n)+|\n(?=#|\|))", text):
        if paragraph.strip():
            yield Passage(line, "heading" if paragraph.startswith("#") else "page", paragraph)
        line += paragraph.count("\n")


def _blank(pattern: re.Pattern[str], text: str) -> str:
    """Replace each match, but keep the line breaks, so that lines keep their numbers."""
    return pattern.sub(lambda match: _PLACEHOLDER + "\n" * match[0].count("\n"), text)


def _of_python(text: str, *, messages: bool) -> Iterator[Passage]:
    docstrings = set[ast.expr]()
    for node in ast.walk(ast.parse(text)):
        # Statements come before the values in them.
        if isinstance(node, ast.Expr):
            docstrings.add(node.value)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield Passage(node.lineno, "test name", node.name.removeprefix("test_").replace("_", " "))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node in docstrings:
                yield Passage(node.lineno, "comment", _blank(_QUOTED_CODE, node.value))
            elif messages and _is_prose(node.value):
                yield Passage(node.lineno, "message", _blank(_QUOTED_CODE, node.value))
    yield from _comments(text)


_COMMENT = re.compile(r"^\s*(#.*)$|  (#.*)$")


def _comments(text: str) -> Iterator[Passage]:
    """Consecutive lines of comments belong together. A regular expression is much faster than a tokenizer."""
    start, lines = 0, list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        match = _COMMENT.search(line)
        if match:
            start = start if lines else number
            lines.append(match[0])
        elif lines:
            yield Passage(start, "comment", _blank(_QUOTED_CODE, "\n".join(lines)))
            lines = []
    if lines:
        yield Passage(start, "comment", _blank(_QUOTED_CODE, "\n".join(lines)))


# A comment, a test name, a string, or text between tags.
_SCRIPT = re.compile(
    r"""(?P<comment>/\*.*?\*/|(?<!:)//[^\n]*)
    |\b(?:test|it|describe)\(\s*(?P<test>"(?:[^"\\\n]|\\.)*")
    |(?P<string>"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)
    |(?<=[>}])(?P<text>[^<>{}"`=/]*)(?=[<{])""",
    re.DOTALL | re.VERBOSE,
)
_CODE = re.compile(r"\w\(|;\s*\n|\b(?:const|export|interface|return)\b")
_INSERTED = re.compile(r"\$\{[^{}]*\}")


def _of_script(text: str, *, messages: bool) -> Iterator[Passage]:
    for match in _SCRIPT.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match["comment"]:
            yield Passage(line, "comment", _blank(_QUOTED_CODE, match[0]))
        elif match["test"]:
            yield Passage(line, "test name", match["test"])
        elif messages and match["string"] and _is_prose(match["string"]):
            yield Passage(line, "message", _blank(_INSERTED, match["string"]))
        elif messages and match["text"] and _is_prose(match["text"]) and not _CODE.search(match["text"]):
            yield Passage(line, "message", match["text"])


def _of_html(text: str) -> Iterator[Passage]:
    for match in re.finditer(r">([^<>]+)<|(?:title|aria-label|placeholder)=\"([^\"]+)\"", text):
        yield Passage(text.count("\n", 0, match.start()) + 1, "message", match[1] or match[2])


def _is_prose(text: str) -> bool:
    """Tell sentences and labels of several words from identifiers and code."""
    return bool(re.search(r"[A-Za-z]{2,},? [A-Za-z]{2,}", text))


def _has_prose(path: str) -> bool:
    return (Path(path).suffix in SUFFIXES or Path(path).name == "Makefile") and (ROOT / path).is_file()


def _tracked_files() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return listed.stdout.splitlines()


if __name__ == "__main__":
    sys.exit(main())
