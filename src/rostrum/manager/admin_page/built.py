"""The built admin UI: the page and its files, loaded and compared with the list that the build wrote.

The build (``admin-ui/scripts/finish.mjs``) writes ``verified.json`` only after every script was parsed and linked. A
file that is missing or differs from that list would show users a blank page, so the manager refuses to serve any of it
and explains the problem instead.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath

__all__ = ["FOLDER", "AdminUiUnavailable", "Asset", "Build", "how_to_fix", "load", "load_from"]

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
_ENCODINGS = {".br": "br", ".gz": "gzip"}
_PAGE = "index.html"
_LIST = "verified.json"
_ASSETS = "assets/"
FOLDER = files(__package__) / "build"
"""Where ``make admin-ui`` and the wheel put the files."""


class AdminUiUnavailable(Exception):
    """The admin UI is missing or damaged; the text says which, as a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """One file and its compressed forms, by the name of their encoding."""

    media_type: str
    content: bytes
    encoded: Mapping[str, bytes]

    def best_for(self, accepted: str) -> tuple[str | None, bytes]:
        """Choose the smallest form that the client accepts according to its ``Accept-Encoding``."""
        wanted = {word.strip() for word in accepted.split(",")}
        return next(
            ((name, self.encoded[name]) for name in _ENCODINGS.values() if name in wanted and name in self.encoded),
            (None, self.content),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """A complete admin UI: the page, and its assets by name. The names contain a hash of the content."""

    page: str
    assets: Mapping[str, Asset]


@cache
def load() -> Build:
    """Load the admin UI of this installation once. A failure is not remembered: the next call looks again."""
    return load_from(FOLDER)


def load_from(folder: Traversable) -> Build:
    """Load the files of a build and compare each with the build's list."""
    contents = dict(_verified(folder))
    return Build(page=contents[_PAGE].decode(), assets=_assets(contents))


def how_to_fix() -> str:
    """Return the command that brings the admin UI back, for a source tree or for an installed package."""
    is_source_tree = Path(__file__).parents[4].joinpath("admin-ui", "package.json").is_file()
    return "make admin-ui" if is_source_tree else "pip install --force-reinstall --no-deps rostrum"


def _verified(folder: Traversable) -> Iterator[tuple[str, bytes]]:
    if not (folder / _PAGE).is_file():
        raise AdminUiUnavailable("The admin UI has not been built.")
    try:
        digests = json.loads((folder / _LIST).read_bytes())["files"]
    except (OSError, ValueError, KeyError, TypeError):
        raise AdminUiUnavailable(f"The build of the admin UI did not finish: {_LIST} is missing or damaged.") from None
    if _PAGE not in digests:
        raise AdminUiUnavailable(f"The build of the admin UI did not finish: {_LIST} does not list {_PAGE}.")
    for name, digest in digests.items():
        try:
            content = folder.joinpath(*PurePosixPath(name).parts).read_bytes()
        except OSError:
            raise AdminUiUnavailable(f"The admin UI is incomplete: {name} is missing.") from None
        if hashlib.sha256(content).hexdigest() != digest:
            raise AdminUiUnavailable(f"The admin UI is damaged: {name} differs from what was built.")
        yield name, content


def _assets(contents: Mapping[str, bytes]) -> dict[str, Asset]:
    return {
        name.removeprefix(_ASSETS): Asset(
            media_type=_TYPES[PurePosixPath(name).suffix],
            content=content,
            encoded={
                encoding: contents[name + suffix]
                for suffix, encoding in _ENCODINGS.items()
                if name + suffix in contents
            },
        )
        for name, content in contents.items()
        if name.startswith(_ASSETS) and PurePosixPath(name).suffix in _TYPES
    }
