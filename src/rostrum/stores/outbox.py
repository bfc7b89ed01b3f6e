"""Edits that were not sent to the service yet, stored on disk."""

import hashlib
import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rostrum.base.ids import new_id
from rostrum.base.json_file import DamagedFile, JsonFile, NewerFile
from rostrum.base.json_text import dump
from rostrum.stores.errors import StoreFailed

_log = logging.getLogger(__name__)
_MOST = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A change that was made here.

    Attributes:
        key: Key of the changed item.
        action: The kind of change.
        base: The content before the change, or its digest; ``None`` if it is not known.
    """

    id: str
    key: str
    action: str
    body: Any = None
    base: Any = None


class Outbox:
    """A list of edits in one file, which is rewritten with each change.

    Attributes:
        under_way: The edit that is being sent; later edits must not replace it.
    """

    def __init__(self, path: Path) -> None:
        """Read the edits of earlier runs; a file that cannot be read is renamed and kept."""
        self._file = JsonFile(path, private=True)
        self._edits: list[Edit] = []
        self.under_way: Edit | None = None
        self._stale = False
        try:
            self._edits = [Edit(**entry) for entry in self._file.read()]
        except FileNotFoundError:
            pass
        except OSError as error:
            raise StoreFailed(f"{path} cannot be read: {error.strerror or error}") from error
        except (DamagedFile, NewerFile, TypeError) as error:
            set_aside(path, str(error))

    def __iter__(self) -> Iterator[Edit]:
        """Iterate over the edits, oldest first."""
        return iter(tuple(self._edits))

    def __len__(self) -> int:
        return len(self._edits)

    def add(self, key: str, action: str, body: Any = None, base: Any = None) -> Edit:
        """Store an edit; it replaces the last edit if that is of the same kind and for the same key."""
        last = self._edits[-1] if self._edits else None
        if last is not None and last != self.under_way and (last.key, last.action) == (key, action):
            edit = Edit(id=last.id, key=key, action=action, body=body, base=last.base)
            edits = [*self._edits[:-1], edit]
        else:
            if len(self._edits) >= _MOST:
                raise StoreFailed(f"{_MOST:,} edits are already waiting to be sent")
            edit = Edit(id=new_id(), key=key, action=action, body=body, base=base)
            edits = [*self._edits, edit]
        try:
            self._write(edits)
        except OSError as error:
            raise StoreFailed(f"{self._file.path} cannot be written: {error.strerror or error}") from error
        # Only edits on disk count; for others, the caller receives an error.
        self._edits = edits
        return edit

    def done(self, edit: Edit) -> None:
        """Remove an edit; also from disk, as soon as the file can be written."""
        self.under_way = None
        self._edits = [kept for kept in self._edits if kept.id != edit.id]
        self._stale = True
        self.flush()

    def refused(self, edit: Edit) -> Path:
        """Move an edit that the service rejected to a separate file; return that file."""
        aside = JsonFile(self._file.path.parent / "refused" / f"{edit.id}.json")
        try:
            aside.write(asdict(edit))
        except OSError as error:
            _log.warning("%s cannot be written: %s", aside.path, error.strerror or error)
        self.done(edit)
        return aside.path

    def flush(self) -> None:
        """Write changes that could not be written before."""
        if self._stale:
            try:
                self._write(self._edits)
            except OSError as error:
                _log.warning("%s cannot be written: %s", self._file.path, error.strerror or error)

    def _write(self, edits: Sequence[Edit]) -> None:
        self._file.write([asdict(edit) for edit in edits])
        self._stale = False


def digest(value: Any) -> str | None:
    """Return a digest of a value; None for None."""
    return None if value is None else hashlib.sha256(dump(value)).hexdigest()[:32]


def set_aside(path: Path, reason: str) -> Path:
    """Rename a file that cannot be used, so that it is neither lost nor overwritten."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    with suppress(OSError):
        path.rename(aside)
    _log.error("%s cannot be used and is kept as %s: %s", path, aside.name, reason)
    return aside
