"""Finds commands and requirements in texts that would install Rostrum, or the project called rostrum, from an index."""

import ast
import re
from collections.abc import Iterator, Mapping

_NAME = r"rostrum(?:[-_.]+platform)?"
_EXTRAS = r"\[[^\]\n]*\]"
_VERSION = r"(?:===|==|~=|!=|<=|>=|<|>)"
# Options between a program and its verb: `pip --python environment install`.
_OPTIONS = r"(?:[ ]+-[^\s`]+(?:[ ]+[^-\s`][^\s`]*)??)*"
_COMMAND = re.compile(
    rf"""\b(?:
        pip[\d.]*{_OPTIONS}[ ]+(?:install|download|wheel)
      | pipx{_OPTIONS}[ ]+(?:install|inject|run|upgrade)
      | uv{_OPTIONS}[ ]+(?:pip[ ]+(?:install|compile)|tool[ ]+(?:install|run|upgrade)|add|run)
      | (?:npm|pnpm|yarn){_OPTIONS}[ ]+(?:install|i|add|exec)
      | (?:poetry|pdm|conda){_OPTIONS}[ ]+(?:install|add)
      | uvx | npx | easy_install
    )(?=\s)(?P<arguments>[^\n`;|&]*)(?:\n[ \t]*(?P<next>[^\s`;|&]+))?""",
    re.VERBOSE,
)
_FROM_INDEX = re.compile(rf"(?:{_NAME}|@rostrum/[\w-]+)(?:{_EXTRAS})?(?:(?:{_VERSION}|@).*)?")
_FROM_FILE = re.compile(rf"rostrum[-_.]+platform(?:{_EXTRAS})?@(?:file:|[./{{$]).*")
_REQUIREMENT = re.compile(
    rf"(?:{_NAME}{_EXTRAS}|{_NAME}[ ]?(?:===|==|~=|>=)[ ]?\d[\w.]*|rostrum[ ]?@[ ]?(?=file:|https?:|git\+|[.$/{{]))"
    rf"(?P<place>[ ]*@[ ]*(?:file:|[./{{$\"']|\Z))?"
)
_EXTRA_NAMES = re.compile(r"\[[ ]*[a-z][\w-]*(?:[ ]*,[ ]*[a-z][\w-]*)*[ ]*\]")
_ENDS_NAME = re.compile(r"[\w./*-]")
_LINE = re.compile(rf"^{_NAME}[ ]*(?:[;#\\].*|--hash.*)?$", re.MULTILINE)
_NPM_LINE = re.compile(r'"rostrum(?:-platform)?"[ ]*:[ ]*"[\^~*<>=]?[\d*]')
_TAG = re.compile(r"</?[a-z][^>\n]*>")
_JOINED = re.compile(r"""["'`]\s*\+\s*["'`]|\\\r?\n[ \t]*""")
_PROGRAMS = ("pip", "uv", "npm", "npx", "pnpm", "yarn", "poetry", "pdm", "conda", "easy_install")
_PROGRAM = re.compile(rf"\b(?:{'|'.join(_PROGRAMS)})[x\d.]*\b")
CONSTANT = re.compile(rf'^(\w+)(?:: [\w.\[\]]+)? = "({_NAME}(?:{_EXTRAS})?)"$', re.MULTILINE | re.IGNORECASE)
"""A constant with one of the names, which f-strings can contain."""


def installs(text: str, file: str = "", constants: Mapping[str, str] | None = None) -> list[str]:
    """Return what a text installs from an index.

    Args:
        text: The contents of the file.
        file: The path of the file. Strings of Python are joined, and files with requirements have names in lines.
        constants: Constants of other modules.

    """
    found = _in_text(text)
    if file.endswith(".py") and "rostrum" in text.lower() and _has_program(text):
        for string in _strings(ast.parse(text), {**(constants or {}), **dict(CONSTANT.findall(text))}):
            found += _in_text(string)
    if file.startswith("requirements"):
        found += [line.group() for line in _LINE.finditer(text.lower())]
    if file.endswith(("package.json", "package-lock.json")):
        found += _NPM_LINE.findall(text)
    return list(dict.fromkeys(found))


def _in_text(text: str) -> list[str]:
    lower = text.lower()
    if "rostrum" not in lower:
        return []
    if not _has_program(lower):
        return list(_in_requirements(lower))
    joined = _JOINED.sub("", lower)
    return [*_in_commands(joined), *_in_requirements(joined)]


def _has_program(text: str) -> bool:
    # The first condition is fast.
    return any(name in text for name in _PROGRAMS) and _PROGRAM.search(text) is not None


def _in_commands(text: str) -> Iterator[str]:
    for command in _COMMAND.finditer(text):
        words = [word for word in _words(command["arguments"]) if word]
        # A command that goes on in the next line, such as wrapped text.
        if command["next"] and all(word.startswith("-") for word in words):
            words += _words(command["next"])
        if any(_is_from_index(word) for word in _packages(words)):
            yield " ".join(command.group().split())


def _words(arguments: str) -> list[str]:
    # Direct references can contain spaces: `name @ file:…`; so can requirements: `name >= 1`.
    compact = re.sub(rf"[ ]*(@(?= )|{_VERSION})[ ]*(?=\S)", r"\1", _TAG.sub(" ", arguments))
    return [word.strip("\"'\\(),.:") for word in compact.split()]


def _packages(words: list[str]) -> list[str]:
    """Return the words that can be packages: with `--from FILE`, the next word is only the name of a command."""
    for option in ("--from", "--spec"):
        if option in words:
            return words[words.index(option) + 1 :][:1]
    return words


def _is_from_index(word: str) -> bool:
    return _FROM_INDEX.fullmatch(word) is not None and _FROM_FILE.fullmatch(word) is None


def _in_requirements(text: str) -> Iterator[str]:
    for match in _REQUIREMENT.finditer(text):
        extras = re.search(_EXTRAS, match.group())
        # Other brackets are an index in code, such as rostrum[0]; other names end with this one.
        if (extras and not _EXTRA_NAMES.fullmatch(extras.group())) or _ENDS_NAME.match(
            text[max(0, match.start() - 1) : match.start()]
        ):
            continue
        if not (match["place"] and "platform" in match.group()):
            yield match.group()


def _strings(tree: ast.AST, constants: Mapping[str, str]) -> Iterator[str]:
    """Join the parts of strings, and the strings of lists and calls, which can be the arguments of a program."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr | ast.BinOp | ast.Constant):
            yield _text(node, constants)
        elif isinstance(node, ast.List | ast.Tuple):
            yield " ".join(_text(part, constants) for part in node.elts)
        elif isinstance(node, ast.Call):
            yield " ".join(_text(part, constants) for part in node.args)


def _text(node: ast.AST, constants: Mapping[str, str]) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_text(part, constants) for part in parts)
        case ast.FormattedValue(value=part) | ast.Starred(value=part):
            return _text(part, constants)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _text(left, constants) + _text(right, constants)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return " ".join(_text(part, constants) for part in parts)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return constants.get(name, f"{{{name}}}")
    return "{}"
