"""Checks files of app definitions: their form, and what windows of this platform cannot provide."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rostrum.base.errors import Invalid
from rostrum.base.json5_text import BadSyntax
from rostrum.settings.problems import SettingProblem, Severity
from rostrum.sources.local_file import read_local_file
from rostrum.sources.source import SYSTEM_FILE

_MEMBERS = frozenset({"type", "name", "details"})


def holds_apps(path: Path) -> bool:
    """Say whether a file holds app definitions, and nothing else."""
    document = _document(path)
    entries = document if isinstance(document, list) else [document]
    return bool(entries) and all(isinstance(one, Mapping) and one.keys() >= _MEMBERS for one in entries)


def app_problems(document: Any) -> Iterator[SettingProblem]:
    """Yield what is wrong with the definitions of a file, and what has no effect."""
    # Imported late: a configuration without such files is checked sooner.
    from rostrum.contracts.apps.check import check_app
    from rostrum.contracts.apps.unsupported import unsupported_details

    for number, entry in enumerate(document if isinstance(document, list) else [document]):
        start = f"[{number}]." if isinstance(document, list) else ""
        wrong = check_app(entry)
        for problem in wrong:
            path = f"{start}{problem.path}".rstrip(".")
            yield SettingProblem(path=path, message=problem.message, severity=Severity.ERROR)
        for path, message, never in () if wrong else unsupported_details(entry):
            severity = Severity.ERROR if never else Severity.WARNING
            yield SettingProblem(path=f"{start}{path}", message=message, severity=severity)


def app_folders(config: Path) -> Iterator[Path]:
    """Yield the folders of the app stores that a configuration folder names; relative ones start beside it."""
    document = _document(config / SYSTEM_FILE)
    stores = document.get("appStores") if isinstance(document, Mapping) else None
    for store in stores if isinstance(stores, list) else ():
        details = store.get("details") if isinstance(store, Mapping) and store.get("type") == "path" else None
        path = details.get("path") if isinstance(details, Mapping) else None
        folder = config.parent / path if isinstance(path, str) and path else None
        if folder is not None and folder.is_dir():
            yield folder


def _document(path: Path) -> Any:
    try:
        return read_local_file(path.name, path, may_be_array=True)[0].document
    except (BadSyntax, Invalid, OSError):
        # Another check reports the file, if it should be there.
        return None
