"""Finds places where a text may name a package for installation that this product must not take from an index.

A place is one of these, without regard to markup, quotes and ends of lines:

- a name, or a variable with such a value, at most 120 characters after a word that installs, such as "install" or "pip"
- a name with extras, a version or an address, or followed by "from PyPI"
- a name at the start of a line in a list of requirements

The places also contain warnings and other harmless sentences, which a test must list. Not found are names before the
word, names that a program computes or joins from parts, names in upper case, and words of other installers. Paths,
imports, commands such as `rostrum up`, and packages that are removed are not places.
"""

import re
from functools import cache

_NAME = re.compile(
    r"[@Rr](?<![^\W_].)(?<![./-].)(?:(?<=@)rostrum/[\w-]+|(?<!@)ostrum(?:[-_.]+[Pp]latform)?)(?!_*[^\W_]|[/-]|\.\w)"
)
_ADDRESS = re.compile(r"git\+[^\s\"']*/[Rr]ostrum")
_PROGRAMS = (
    r"pip[\dx]*|uvx?|p?npm(?! packages?\b| registry\b)|p?npx|yarn|bunx?|deno|dlx|poetry|pdm|rye|pixi|pipenv|hatch"
    r"|conda|(?:micro)?mamba|pypi"
)
_WORD, _PROGRAM = (
    re.compile(rf"(?<![A-Za-z])(?i:{words})(?![a-z]|(?<=[A-Z])[A-Z])")
    # The second is for the product, whose name begins with a capital letter.
    for words in (rf"install(?:ing)?|dependenc(?:y|ies)|{_PROGRAMS}", _PROGRAMS)
)
# Paths and imports, and packages that are removed.
_HARMLESS_BEFORE = re.compile(
    r"""(?:(?<!/)/\s*["']|--target[ =]|-m\W+|\bimport\s+|\bfrom\s+["']|\buninstall\W+(?:-\w+\W+)*)$"""
)
_HARMLESS_AFTER = re.compile(r"""\s+import\b|(?<=platform)(?:\[[^]\n]*\])? ?@ ?["']?(?:file:|[./{$])""")
_COMMAND = re.compile(r" (?:--help|--version|config|desktop|doctor|gateway|manager|up|updates)\b")
_ENDS_COMMAND = re.compile(r"[\n;&|`]|\.whl")
_REQUIREMENT = re.compile(
    r"""\[[ ]*[a-z][\w-]*(?:[ ]*,[ ]*[a-z][\w-]*)*[ ]*\] | [ ]?(?:===?|~=|>=)[ ]?\d
      | [ ]?@[ ]?(?:[./$\{]|file:|http|git\+)
      | ["']?\s*[:=]\s*["'](?:[\^~*<>=]*[\d*]|latest) | [^\w/]+from\W+(?:\w+\W+){0,3}?(?:pypi|index)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_ASSIGNED = re.compile(
    r"""(?:^[ \t-]*([a-z_]\w*):\s*|\b([a-z_]\w*)(?:: ?[\w.[\]]+)?\s*=\s*|^ENV (\w+) )["'`]?\Z""",
    re.IGNORECASE | re.MULTILINE,
)
_LIST = re.compile(
    r"(?:.*/)?(?:requirements.*|constraints.*|environment.*\.ya?ml|Pipfile.*|package(-lock)?\.json|pyproject\.toml)"
)
_MARKUP = re.compile(r"\\[nrt]|</?[a-z][^<>]*>|[^\w./@+-]+", re.IGNORECASE)


@cache
def _names(text: str) -> list[re.Match[str]]:
    # The first condition is fast.
    plain = re.sub(r"\\[nrt]", "  ", text) if "rostrum" in text.lower() else ""
    return [*_NAME.finditer(plain), *_ADDRESS.finditer(plain)]


def constants(text: str) -> set[str]:
    """Return the variables of a text that contain one of the names."""
    before = (name.string[max(0, name.start() - 60) : name.start()] for name in _names(text))
    return {match[match.lastindex or 0] for part in before if (match := _ASSIGNED.search(part))}


def places(text: str, file: str = "", names: frozenset[str] = frozenset()) -> list[str]:
    """Return each place from the word that installs to the last name, without markup and in lower case.

    Args:
        text: The contents of the file.
        file: The path of the file. In a list of requirements, a name at the start of a line is a place.
        names: Constants of other files that contain one of the names.

    """
    variables = "|".join(name for name in names | constants(text) if name in text)
    found = [*_names(text), *(re.finditer(rf"\b(?:{variables})\b", text) if variables else ())]
    ends: dict[int, int] = {}
    for name in sorted(found, key=re.Match.start):
        start, end = _place(name, is_list=_LIST.fullmatch(file) is not None)
        ends[start] = end
    return [_plain(text[start:end]) for start, end in ends.items() if start < end]


def _place(name: re.Match[str], *, is_list: bool) -> tuple[int, int]:
    (start, end), text = name.span(), name.string
    before, after = text[max(0, start - 400) : start], text[end : end + 80]
    if _HARMLESS_BEFORE.search(before) or _HARMLESS_AFTER.match(text, end):
        return start, start
    words = [*(_PROGRAM if name[0] == "Rostrum" else _WORD).finditer(before)]
    command = before[words[-1].start() :] if words else ""
    if command and len(_plain(command)) <= 120 and not (_COMMAND.match(after) and _ENDS_COMMAND.search(command)):
        return start - len(command), end
    if name.re is not _NAME:
        return start, start
    if requirement := _REQUIREMENT.match(after):
        return start, end + requirement.end()
    if is_list and re.search(r"^\W*\Z", before, re.MULTILINE):
        return start, end + len(after.partition("\n")[0])
    return start, start


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub(" ", text).lower().split())
