"""Files of reports: the stored record, and a file that is uploaded."""

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A stored file of a report."""

    id: str
    name: str
    media_type: str
    size: int

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "mediaType": self.media_type, "size": self.size}


_LONGEST = 128


class Upload(Protocol):
    """A file to be stored, read in pieces."""

    filename: str
    content_type: str

    async def read(self, size: int = -1) -> bytes:
        """Read the next piece; empty at the end."""
        ...


def safe_name(name: str, fallback: str) -> str:
    """Remove characters that file names cannot contain on all systems."""
    last = name.replace("\\", "/").rpartition("/")[2]
    kept = "".join(letter for letter in last if letter.isalnum() or letter in "._- ()")[-_LONGEST:].strip(". ")
    return kept or fallback
