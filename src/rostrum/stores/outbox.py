"""Outbox: edits that have not reached the other side yet, on disk until they have."""

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
    """One change that somebody made here.

    Attributes:
        key: What was changed.
        action: What was done to it.
        base: What the other side had when it was made, as far as known here.

    """

    id: str
    key: str
    action: str
    body: Any = None
    base: Any = None


class Outbox:
    """A list of edits in one file, written completely at each change.

    Attributes:
        under_way: The edit that is being sent: a later one must not take its place.

    """

    def __init__(self, path: Path) -> None:
        """Read what an earlier run has left; a file that cannot be read is set aside, never lost."""
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
        """Go through the edits, oldest first."""
        return iter(tuple(self._edits))

    def __len__(self) -> int:
        return len(self._edits)

    def add(self, key: str, action: str, body: Any = None, base: Any = None) -> Edit:
        """Keep an edit; a second one of the same kind on the same key takes the place of the first."""
        last = self._edits[-1] if self._edits else None
        if last is not None and last != self.under_way and (last.key, last.action) == (key, action):
            edit = Edit(id=last.id, key=key, action=action, body=body, base=last.base)
            edits = [*self._edits[:-1], edit]
        else:
            if len(self._edits) >= _MOST:
                raise StoreFailed(f"{_MOST:,} edits already wait to be sent")
            edit = Edit(id=new_id(), key=key, action=action, body=body, base=base)
            edits = [*self._edits, edit]
        try:
            self._write(edits)
        except OSError as error:
            raise StoreFailed(f"{self._file.path} cannot be written: {error.strerror or error}") from error
        # Only edits on disk count; the caller has received an error for others.
        self._edits = edits
        return edit

    def done(self, edit: Edit) -> None:
        """Forget an edit, on disk too as soon as that can be written."""
        self.under_way = None
        self._edits = [kept for kept in self._edits if kept.id != edit.id]
        self._stale = True
        self.flush()

    def refused(self, edit: Edit) -> Path:
        """Forget an edit that the other side does not take, and keep it for people; the answer is the file."""
        aside = JsonFile(self._file.path.parent / "refused" / f"{edit.id}.json")
        try:
            aside.write(asdict(edit))
        except OSError as error:
            _log.warning("%s cannot be written: %s", aside.path, error.strerror or error)
        self.done(edit)
        return aside.path

    def flush(self) -> None:
        """Write what could not be written before."""
        if self._stale:
            try:
                self._write(self._edits)
            except OSError as error:
                _log.warning("%s cannot be written: %s", self._file.path, error.strerror or error)

    def _write(self, edits: Sequence[Edit]) -> None:
        self._file.write([asdict(edit) for edit in edits])
        self._stale = False


def digest(value: Any) -> str | None:
    """Return a short text that is the same for the same value; None for nothing."""
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
