"""Built pages: loads the files, compares them with the list of the build, and serves them to browsers.

The build (``admin-ui/scripts/finish.mjs``) writes ``verified.json`` only after every script was parsed and linked. A
file that is missing or differs from that list would show users a blank page, so the manager refuses to serve any of it
and explains the problem instead.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from html import escape
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

from litestar import Response
from msgspec import Struct

from rostrum.base.distribution import Advice

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
_FOR_EVER = "public, max-age=31536000, immutable"
_UNAVAILABLE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{title} unavailable - Rostrum</title>
<style nonce="%nonce%">body{{font:1rem/1.5 system-ui,sans-serif;max-width:38rem;margin:4rem auto;padding:0 1rem}}
code{{font-size:.95em;padding:.1em .3em;border:1px solid color-mix(in srgb,currentColor 30%,transparent)}}
</style></head>
<body><main><h1>The {name} is unavailable</h1>
<p>{problem}</p>
<p>To fix this, run <code>{command}</code> on the server{note}, and reload this page.</p>
<p>The manager itself is running: its API answers at <code>{api}</code>.</p></main></body></html>
"""


class PageUnavailable(Exception):
    """The page is missing or damaged. The message is a sentence with the reason."""


class Asset(Struct, frozen=True, kw_only=True):
    """One file and its compressed versions, by encoding."""

    media_type: str
    content: bytes
    encoded: Mapping[str, bytes]

    def best_for(self, accepted: str) -> tuple[str | None, bytes]:
        """Select the smallest version that the client accepts (``Accept-Encoding``)."""
        wanted = {word.strip() for word in accepted.split(",")}
        return next(
            ((name, self.encoded[name]) for name in _ENCODINGS.values() if name in wanted and name in self.encoded),
            (None, self.content),
        )


class Build(Struct, frozen=True, kw_only=True):
    """A complete page: its document, and its assets by name. The names contain a hash of the content."""

    page: str
    assets: Mapping[str, Asset]


def load_from(folder: Traversable, name: str) -> Build:
    """Load the files of a build and compare each with the build's list; ``name`` is the page's name in messages."""
    contents = dict(_verified(folder, name))
    return Build(page=contents[_PAGE].decode(), assets=_assets(contents))


def explanation(name: str, problem: PageUnavailable, *, repair: Advice, api: str) -> str:
    """Write the page that is served instead; ``%nonce%`` is a placeholder for the nonce of its style."""
    title = name[0].upper() + name[1:]
    text = str(problem)
    reason = f"{text[0].upper()}{text[1:]}."
    values = {"title": title, "name": name, "problem": reason, "command": repair.command, "api": api}
    values["note"] = f" {repair.note}" if repair.note else ""
    return _UNAVAILABLE.format_map({key: escape(value) for key, value in values.items()})


def asset_response(asset: Asset | None, accepted: str) -> Response[bytes]:
    """Send the smallest version of a file that the client accepts; its name changes with its content."""
    if asset is None:
        return Response(b"", status_code=404, media_type="text/plain", headers={"Cache-Control": "no-store"})
    encoding, content = asset.best_for(accepted)
    headers = {"Cache-Control": _FOR_EVER, "Vary": "Accept-Encoding"}
    if encoding:
        headers["Content-Encoding"] = encoding
    return Response(content, media_type=asset.media_type, headers=headers)


def _verified(folder: Traversable, page: str) -> Iterator[tuple[str, bytes]]:
    if not (folder / _PAGE).is_file():
        raise PageUnavailable(f"the {page} has not been built")
    try:
        digests = json.loads((folder / _LIST).read_bytes())["files"]
    except (OSError, ValueError, KeyError, TypeError):
        raise PageUnavailable(f"the build of the {page} did not finish: {_LIST} is missing or damaged") from None
    if _PAGE not in digests:
        raise PageUnavailable(f"the build of the {page} did not finish: {_LIST} does not list {_PAGE}")
    for name, digest in digests.items():
        try:
            content = folder.joinpath(*PurePosixPath(name).parts).read_bytes()
        except OSError:
            raise PageUnavailable(f"the {page} is incomplete: {name} is missing") from None
        if hashlib.sha256(content).hexdigest() != digest:
            raise PageUnavailable(f"the {page} is damaged: {name} was changed after it was built")
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
