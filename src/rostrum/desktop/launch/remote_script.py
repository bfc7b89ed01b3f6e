"""Scripts that are downloaded before they run: limited in size, cached, and only from permitted origins."""

import asyncio
import hashlib
import ipaddress
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import SplitResult, urlsplit

from rostrum.base.json_file import DamagedFile, JsonFile, NewerFile, write_whole
from rostrum.client.errors import ServiceFailed, Unreachable
from rostrum.client.service import Service
from rostrum.desktop.errors import LaunchFailed

_log = logging.getLogger(__name__)
_MOST_BYTES = 16 * 1024 * 1024
_TIMEOUT = 60.0
_SUFFIXES = (".js", ".cjs", ".mjs")


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteScript:
    """A script of an app definition.

    Attributes:
        headers: Sent with the request; they may contain secrets.
        keep: Whether the cached script is used while the service is offline.
        trusted: Whether the store of the app is trusted, so that the script may come from any origin.
        timeout: Seconds to wait for the whole script.
    """

    url: str
    headers: Mapping[str, str]
    keep: bool = True
    trusted: bool = False
    timeout: float = _TIMEOUT

    @classmethod
    def of(cls, details: Mapping[str, Any], *, trusted: bool) -> "RemoteScript | None":
        """Read the details of an app; None if its script is a file."""
        remote = details.get("remote") or {}
        path = str(details.get("path") or "")
        url = path if path.lower().startswith(("http://", "https://")) else str(remote.get("url") or "")
        if not url or (path and url != path):
            return None
        headers = {str(one.get("name")): str(one.get("value")) for one in remote.get("headers") or ()}
        seconds = details.get("timeout")
        return cls(
            url=url,
            headers=headers,
            keep=not remote.get("noCache"),
            trusted=trusted,
            timeout=float(seconds) if isinstance(seconds, (int, float)) and seconds > 0 else _TIMEOUT,
        )


class RemoteScripts:
    """A folder of downloaded scripts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def fetch(self, script: RemoteScript) -> Path:
        """Return the file of a script: its current version, or the cached one while the service is offline.

        Raises LaunchFailed if there is neither.
        """
        parts = _checked(script)
        file = self._folder / f"{_mark(script.url)}{_suffix(parts)}"
        about = JsonFile(file.with_suffix(".json"))
        etag = await asyncio.to_thread(_etag, about, file) if script.keep else None
        service = Service(script.url, timeout=script.timeout, headers=script.headers)
        try:
            reply = await service.download(etag=etag, limit=_MOST_BYTES)
        except Unreachable as error:
            if not script.keep or not file.is_file():
                raise LaunchFailed(f"the script {service.shown} cannot be fetched: {error}") from error
            _log.warning("%s: %s; the cached script is used", service.shown, error)
            return file
        except ServiceFailed as error:
            raise LaunchFailed(f"the script {service.shown} cannot be fetched: {error}") from error
        finally:
            await service.close()
        if reply.unchanged:
            if etag is None:
                raise LaunchFailed(f"the script {service.shown} cannot be fetched: status 304, but it is not cached")
        else:
            try:
                await asyncio.to_thread(_write, file, about, reply.body, reply.etag)
            except OSError as error:
                raise LaunchFailed(f"the script cannot be written: {error.strerror or error}") from error
        return file


def _checked(script: RemoteScript) -> SplitResult:
    try:
        parts = urlsplit(script.url)
        host = parts.hostname or ""
    except ValueError:
        raise LaunchFailed("the address of the script cannot be read") from None
    if not script.trusted and parts.scheme.lower() != "https" and not _is_loopback(host):
        raise LaunchFailed(
            f"the script comes from {host} without TLS; use https, or a store that is trusted (details.trusted)"
        )
    texts = (text for header in script.headers.items() for text in header)
    if not all(text.isascii() and text.isprintable() for text in texts):
        raise LaunchFailed("the headers for the script hold characters that cannot be sent")
    return parts


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _mark(url: str) -> str:
    # The file name must not contain the address, which may have credentials.
    return hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _suffix(parts: SplitResult) -> str:
    suffix = PurePosixPath(parts.path).suffix.lower()
    return suffix if suffix in _SUFFIXES else ".js"


def _etag(about: JsonFile, file: Path) -> str | None:
    try:
        etag = about.read()["etag"] if file.is_file() else None
    except (OSError, DamagedFile, NewerFile, LookupError, TypeError):
        return None
    return etag if isinstance(etag, str) else None


def _write(file: Path, about: JsonFile, content: bytes, etag: str | None) -> None:
    # Remove the version first: an old script must never be taken for a newer one.
    about.path.unlink(missing_ok=True)
    write_whole(file, content)
    if etag is not None:
        about.write({"etag": etag})
