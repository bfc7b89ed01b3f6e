"""The response of a remote source: an object of file names, each with its contents."""

import re
from collections.abc import Mapping
from typing import Any

from rostrum.base.errors import Invalid
from rostrum.sources.source import ARRAY_FILES, STANDARD_FILES, FetchedFile

_MAX_FILES = 1000
# The name becomes a file on disk, so separators are not allowed.
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,122}\.json")


def is_file_name(name: str) -> bool:
    """Return whether a name is a safe file name."""
    return bool(_FILE_NAME.fullmatch(name))


def as_answer(files: Mapping[str, FetchedFile]) -> dict[str, Any]:
    """Write files in the format of a remote source's response."""
    return {name: {"contents": file.document} for name, file in files.items()}


def checked_files(answer: Any) -> Mapping[str, FetchedFile]:
    """Return the files of a response ``{file: {contents}}``; raise an error with the reason for invalid responses."""
    if not isinstance(answer, dict):
        raise Invalid("the answer must be an object of files")
    if len(answer) > _MAX_FILES:
        raise Invalid(f"the answer holds {len(answer)} files; {_MAX_FILES} are allowed")
    if len({name.casefold() for name in answer}) < len(answer):
        raise Invalid("the answer holds file names that differ only in case")
    return {name: _checked_file(name, entry) for name, entry in answer.items()}


def _checked_file(name: str, entry: Any) -> FetchedFile:
    if not is_file_name(name):
        raise Invalid(f"the answer holds {name[:80]!r}, which is not a file name such as system.json")
    if not isinstance(entry, dict) or "contents" not in entry:
        raise Invalid(f"{name} in the answer must be an object with contents")
    contents = entry["contents"]
    is_free = name in ARRAY_FILES or name not in STANDARD_FILES
    if not isinstance(contents, dict) and not (is_free and isinstance(contents, list)):
        raise Invalid(f"the contents of {name} in the answer must be an object")
    return FetchedFile(name=name, document=contents)
