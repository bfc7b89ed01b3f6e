"""The last valid response of a remote app store, on disk."""

import hashlib
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from rostrum.base.clock import Clock, SystemClock
from rostrum.base.json_file import DamagedFile, JsonFile, NewerFile


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """One file for each address and user, so that no user gets the apps of another."""

    folder: Path
    address: str
    user: str = ""
    clock: Clock = field(default_factory=SystemClock)

    def save(self, answer: Any) -> None:
        self._file().write({"key": self._key, "savedAt": self.clock.now().isoformat(), "answer": answer})

    def load(self) -> tuple[Any, float] | None:
        """Return the response and its age in seconds; None if no usable response is stored."""
        try:
            saved = self._file().read()
            if saved["key"] != self._key:
                return None
            age = (self.clock.now() - datetime.fromisoformat(saved["savedAt"])).total_seconds()
            return saved["answer"], max(0.0, age)
        except (OSError, DamagedFile, NewerFile, LookupError, TypeError, ValueError):
            return None

    @property
    def _key(self) -> str:
        # Neither the file nor its name may contain the address, which can have credentials.
        return hashlib.sha256(f"{self.address}\0{self.user}".encode("utf-8", "surrogatepass")).hexdigest()

    def _file(self) -> JsonFile:
        return JsonFile(self.folder / f"{self._key[:32]}.json", private=True)
