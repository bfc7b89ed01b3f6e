"""Signatures of crash reports. Reports with the same cause should have the same signature."""

import re
from collections.abc import Mapping
from hashlib import sha256

from rostrum.manager.crash_formats.minidump import DumpSummary

_REASONS = ("reason", "crash_reason", "exception", "exception_type", "electron.v8-fatal.message", "error")
_CODES = ("exitCode", "exit_code", "exitcode")
_APPS = ("app", "application", "applicationName", "app_name")
_STACKS = ("stack", "stacktrace", "stack_trace")
_LONGEST = 160
_LONGEST_STACK = 16 * 1024

_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE)
_ADDRESS = re.compile(r"\b0x[0-9a-f]+\b", re.IGNORECASE)
# Exit codes are kept, because they describe the cause.
_NUMBER = re.compile(r"(?<![\d-])(?<!ended with )(?<!code )\d[\d.,]{3,}")
_SPACE = re.compile(r"\s+")
_PYTHON_FRAME = re.compile(r'^ *File "([^"\n]{1,500})", line \d+, in ([^\n]{1,100})$', re.MULTILINE)
_PAGE_FRAME = re.compile(r"^ *at (?:async )?([\w$.<> ]{1,100}) \(([^()\n]{1,500})\)$", re.MULTILINE)


def app_of(fields: Mapping[str, str]) -> str:
    """Return the app that a report names; empty if the report names none."""
    return _single_line(fields, _APPS)


def machine_of(fields: Mapping[str, str]) -> str | None:
    """Return the ID that the crash reporter sends. It is used only if the report belongs to no session."""
    return "".join(letter for letter in fields.get("guid", "")[:256] if letter.isprintable()) or None


def signature_of(process_type: str, fields: Mapping[str, str], dump: DumpSummary | None = None) -> str:
    """Return the signature: the type of the process, the reason, and the place if it is known."""
    code = "".join(letter for letter in _text(fields, _CODES)[:32] if letter.isprintable())
    reason = _single_line(fields, _REASONS) or (dump.reason if dump else "") or (f"exit code {code}" if code else "")
    place = (dump.place if dump else "") or _frame(_text(fields, _STACKS))
    return f"{process_type or 'process'}: {reason or 'unknown reason'}" + (f" at {place}" if place else "")


def group_id(product: str, app: str, version: str, signature: str) -> str:
    """Return the ID of the group of reports with these values."""
    # With the length of each part, "a" + "bc" and "ab" + "c" have different IDs.
    parts = "".join(f"{len(part)}:{part}" for part in (product, app, version, signature))
    return sha256(parts.encode()).hexdigest()[:32]


def is_newer(version: str, other: str) -> bool:
    """Return whether a version is newer than another one; only the numbers in them are compared."""
    return _numbers(version) > _numbers(other)


def _numbers(version: str) -> tuple[int, ...]:
    numbers = [int(number) for number in re.findall(r"[0-9]{1,9}", version)[:8]]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _text(fields: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((fields[name] for name in names if fields.get(name)), "")


def _single_line(fields: Mapping[str, str], names: tuple[str, ...]) -> str:
    """Return the text as one line, without addresses, IDs and long numbers, which differ between reports."""
    text = _text(fields, names)[:1024]
    for pattern, instead in ((_UUID, "#"), (_ADDRESS, "0x#"), (_NUMBER, "#"), (_SPACE, " ")):
        text = pattern.sub(instead, text)
    return "".join(letter for letter in text if letter.isprintable())[:_LONGEST].strip()


def _frame(stack: str) -> str:
    """Return the function in which an exception occurred; without the line, which can change with each version."""
    found = _PYTHON_FRAME.findall(stack[-_LONGEST_STACK:])
    if found:
        path, function = found[-1]
    else:
        first = _PAGE_FRAME.search(stack[:_LONGEST_STACK])
        if first is None:
            return ""
        function, path = first.groups()
        path = re.sub(r"(:\d+){1,2}$", "", path)
    file = path.replace("\\", "/").partition("?")[0].rpartition("/")[2]
    return "".join(letter for letter in f"{function} ({file})" if letter.isprintable())[:_LONGEST]
