"""Reads one local configuration file as untrusted input."""

import stat
from pathlib import Path

from rostrum.base.errors import Invalid
from rostrum.base.json5_text import MAX_BYTES, parse
from rostrum.base.problems import Problem
from rostrum.sources.source import ARRAY_FILES, FetchedFile


def read_local_file(name: str, path: Path, *, may_be_array: bool = False) -> tuple[FetchedFile, tuple[Problem, ...]]:
    """Read a file, with warnings about it; raise Invalid or OSError if it cannot be used."""
    facts = path.stat()
    if stat.S_ISDIR(facts.st_mode):
        raise Invalid("is a folder where a file should be")
    # Opening a pipe would block.
    if not stat.S_ISREG(facts.st_mode):
        raise Invalid("is not a regular file")
    if facts.st_size > MAX_BYTES:
        raise Invalid(f"has {facts.st_size:,} bytes; {MAX_BYTES:,} are allowed")
    content = path.read_bytes()
    # Configuration files may be empty (R-2.9-11), and then set nothing.
    if not content.strip(b"\xef\xbb\xbf \t\r\n"):
        return FetchedFile(name=name, document={}, text="", path=path), ()
    parsed = parse(content)
    may_be_array = may_be_array or name in ARRAY_FILES
    if not isinstance(parsed.value, dict) and not (may_be_array and isinstance(parsed.value, list)):
        raise Invalid("must hold an object")
    return FetchedFile(name=name, document=parsed.value, text=parsed.text, path=path), parsed.warnings


def why_unreadable(error: Exception) -> str:
    """Describe why a file or folder cannot be read."""
    if isinstance(error, FileNotFoundError):
        return f"there is no {error.filename or error}"
    if isinstance(error, NotADirectoryError):
        return "is neither a folder nor a file"
    if isinstance(error, PermissionError):
        return "may not be read by this user"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error)
