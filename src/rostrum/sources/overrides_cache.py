"""The configOverrides folder of an environment-region pair: the last responses of remote sources."""

import hashlib
import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from rostrum.base.clock import Clock, SystemClock
from rostrum.base.errors import Invalid
from rostrum.base.json_file import DamagedFile, JsonFile, write_whole
from rostrum.base.json_text import dump
from rostrum.sources.answer import as_answer, checked_files, is_file_name
from rostrum.sources.source import FetchedFile, Source


@dataclass(frozen=True, slots=True)
class Cached:
    """Files from the cache and their age in seconds."""

    files: Mapping[str, FetchedFile]
    age: float


@dataclass(frozen=True, slots=True)
class OverridesCache:
    """Stores the last valid response of each source, and the effective files for administrators to inspect.

    Attributes:
        account_of: The account that a source's response belongs to; responses are never used for another account.
    """

    folder: Path
    clock: Clock = field(default_factory=SystemClock)
    account_of: Callable[[Source], str] = lambda _: ""

    def save(self, source: Source, files: Mapping[str, FetchedFile]) -> None:
        """Replace the stored response of a source atomically."""
        saved = {
            "source": source.name,
            "account": self.account_of(source),
            "savedAt": self.clock.now().isoformat(),
            "answer": as_answer(files),
        }
        self._kept(source).write(saved)

    def load(self, source: Source) -> Cached | None:
        """Return the cached response for the same address and impersonation; raise DamagedFile if it is unusable."""
        kept = self._kept(source)
        try:
            saved = kept.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise DamagedFile(kept.path, error.strerror or str(error)) from error
        try:
            _refuse_other_account(saved.get("account", ""), self.account_of(source))
            age = (self.clock.now() - datetime.fromisoformat(saved["savedAt"])).total_seconds()
            return Cached(checked_files(saved["answer"]), max(0.0, age))
        except (LookupError, AttributeError, TypeError, ValueError, Invalid) as error:
            raise DamagedFile(kept.path, str(error)) from error

    def publish(self, documents: Mapping[str, Any], *, wipe: bool = True) -> None:
        """Write documents as plain files; ``wipe`` first removes files written earlier, but no other files."""
        ours = self._published()
        # Record the names first, so that files are removed later even if the process crashes in between.
        self._note(ours | set(documents))
        for name, document in documents.items():
            write_whole(self.folder / name, msgspec.json.format(dump(document), indent=2) + b"\n")
        if wipe:
            self._remove(ours - set(documents))
            self._note(set(documents))

    def wipe(self) -> None:
        """Remove all files that were written here, and no others."""
        self._remove(self._published())
        shutil.rmtree(self._own, ignore_errors=True)

    @property
    def _own(self) -> Path:
        return self.folder / ".sources"

    def _kept(self, source: Source) -> JsonFile:
        # The configuration of another user must never be used.
        account = self.account_of(source)
        identity = dump([source.source, source.impersonation.body(), *([account] if account else [])])
        return JsonFile(self._own / f"{hashlib.sha256(identity).hexdigest()[:32]}.json", private=True)

    def _published(self) -> set[str]:
        try:
            names = JsonFile(self._own / "published.json").read()
        except (OSError, DamagedFile):
            return set()
        if not isinstance(names, list):
            return set()
        return {name for name in names if isinstance(name, str) and is_file_name(name)}

    def _note(self, names: Iterable[str]) -> None:
        JsonFile(self._own / "published.json").write(sorted(names))

    def _remove(self, names: Iterable[str]) -> None:
        for name in names:
            with suppress(FileNotFoundError):
                (self.folder / name).unlink()


def _refuse_other_account(saved: object, account: str) -> None:
    if saved != account:
        raise Invalid("it belongs to another account")
