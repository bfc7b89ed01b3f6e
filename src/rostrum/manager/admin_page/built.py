"""The files of the built admin UI, read once: the page, and assets with their compressed forms."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath

__all__ = ["Asset", "assets", "is_built", "page"]

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
_ENCODINGS = {".br": "br", ".gz": "gzip"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """One file and its compressed forms, by the name of their encoding."""

    media_type: str
    content: bytes
    encoded: Mapping[str, bytes]

    def best_for(self, accepted: str) -> tuple[str | None, bytes]:
        """Choose the smallest form that the caller takes, as ``Accept-Encoding`` says it."""
        wanted = {word.strip() for word in accepted.split(",")}
        return next(
            ((name, self.encoded[name]) for name in _ENCODINGS.values() if name in wanted and name in self.encoded),
            (None, self.content),
        )


@cache
def page() -> str | None:
    """Return the page, or nothing in a source tree where nobody has built it."""
    file = files(__package__) / "build" / "index.html"
    return file.read_text(encoding="utf-8") if file.is_file() else None


def is_built() -> bool:
    """Say whether there is a page to serve."""
    return page() is not None


@cache
def assets() -> dict[str, Asset]:
    """Read every asset by its name; the names hold a hash of the content."""
    folder = files(__package__) / "build" / "assets"
    if not folder.is_dir():
        return {}
    contents = {entry.name: entry.read_bytes() for entry in folder.iterdir()}
    return {
        name: Asset(
            media_type=_TYPES[PurePosixPath(name).suffix],
            content=content,
            encoded={
                encoding: contents[name + suffix]
                for suffix, encoding in _ENCODINGS.items()
                if name + suffix in contents
            },
        )
        for name, content in contents.items()
        if PurePosixPath(name).suffix in _TYPES
    }
