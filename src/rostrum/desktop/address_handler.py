"""Addresses such as myapp://app/clock, with which other programs start the platform and apps, and their registration.

Any web page can open such an address, so it contains nothing but the name of an app that local files allow.
"""

import hashlib
import logging
import os
import re
import shutil
import subprocess
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

from rostrum.base.json_file import write_whole
from rostrum.desktop.errors import DesktopError

_log = logging.getLogger(__name__)

_LONGEST, _LONGEST_NAME, _MOST_SCHEMES = 2048, 256, 16
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]{1,31}")
_ADDRESS = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]{1,31}):(?://)?(?:app/(?P<app>[^/?#&=]+)/?)?")
_OF_OTHERS = re.compile(
    "about|blob|chrome|data|file|filesystem|ftps?|geo|git|https?|im|imap|irc|javascript|ldap|magnet|mailto|mms|news|nfs|"
    "nntp|openid|pop|rtsp|sftp|sips?|sms|smb|ssh|steam|tel|telnet|urn|view-source|vnc|webcal|wss?|xmpp"
)
"""Schemes that belong to other programs: the platform does not replace them."""
_REFRESH_TIMEOUT = 30.0
_TO_ESCAPE = re.compile(r'(["`$\\])')


class BadAddress(DesktopError):
    """An address has another form than the one that the platform opens, or names an app that it may not start."""


@dataclass(frozen=True, slots=True)
class AddressScheme:
    """A scheme, and the apps that its addresses may start."""

    name: str
    apps: frozenset[str]


def address_schemes(written: Any) -> tuple[AddressScheme, ...]:
    """Read protocolHandler; invalid schemes are reported and ignored."""
    return tuple(_schemes(written if isinstance(written, list) else [written]))[:_MOST_SCHEMES]


def _schemes(written: Iterable[Any]) -> Iterator[AddressScheme]:
    for one in written:
        if not isinstance(one, Mapping) or one.get("enabled") is False or not isinstance(one.get("protocol"), str):
            continue
        name, apps = one["protocol"].lower(), one.get("apps")
        if not _SCHEME.fullmatch(name) or _OF_OTHERS.fullmatch(name):
            _log.warning("protocolHandler: %.40r cannot be a scheme of the platform, and is ignored", name)
            continue
        known = apps if isinstance(apps, list) else []
        yield AddressScheme(name, frozenset(app for app in known if isinstance(app, str)))


def app_of_address(address: str, schemes: Iterable[AddressScheme]) -> str | None:
    """Return the app that an address starts, None if it names none; raise BadAddress for all other addresses."""
    if len(address) > _LONGEST or not (address.isascii() and address.isprintable()):
        raise BadAddress(f"the address must have at most {_LONGEST} printable ASCII characters")
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise BadAddress("the address must have the form scheme: or scheme://app/NAME")
    scheme = next((one for one in schemes if one.name == match["scheme"].lower()), None)
    if scheme is None:
        raise BadAddress(f"protocolHandler does not name the scheme {match['scheme'].lower()}")
    if match["app"] is None:
        return None
    name = _decoded(match["app"])
    if name not in scheme.apps:
        raise BadAddress(f"protocolHandler does not allow the scheme {scheme.name} to start this app")
    return name


def _decoded(text: str) -> str:
    try:
        name = unquote_to_bytes(text).decode()
    except UnicodeDecodeError:
        name = ""
    if not 0 < len(name) <= _LONGEST_NAME or any(unicodedata.category(letter)[0] == "C" for letter in name):
        raise BadAddress(f"the name of the app must have at most {_LONGEST_NAME} visible characters")
    return name


def applications_folder(variables: Mapping[str, str]) -> Path | None:
    """Return the user's folder of desktop entries; None if there is none."""
    data, home = variables.get("XDG_DATA_HOME", ""), variables.get("HOME", "")
    # The specification of the folders ignores relative paths.
    if data.startswith("/"):
        return Path(data) / "applications"
    return Path(home) / ".local/share/applications" if home.startswith("/") else None


def register_schemes(folder: Path, key: str, schemes: Sequence[AddressScheme], command: Sequence[str]) -> bool:
    """Register the schemes of a platform for the user, or remove the registration; return whether it changed.

    ``key`` distinguishes the configurations of a user. Which program opens a scheme if several are registered remains
    the choice of the user.
    """
    path = folder / f"rostrum-{hashlib.sha256(key.encode()).hexdigest()[:16]}.desktop"
    content = _entry(schemes, command).encode() if schemes else None
    if content == _content(path):
        return False
    if content is None:
        path.unlink(missing_ok=True)
    else:
        write_whole(path, content)
    _refresh(folder)
    return True


def _content(path: Path) -> bytes | None:
    # A link or a pipe is not an entry that the platform has written, and is replaced.
    return path.read_bytes() if path.is_file() and not path.is_symlink() else b"" if path.is_symlink() else None


def _entry(schemes: Sequence[AddressScheme], command: Sequence[str]) -> str:
    if any(not argument.isprintable() for argument in command):
        raise DesktopError("protocolHandler: a path of the command contains control characters")
    types = "".join(f"x-scheme-handler/{one.name};" for one in schemes)
    # The system replaces %u with the address, as one argument.
    started = " ".join([*map(_quoted, command), "--address", "%u"])
    lines = ("[Desktop Entry]", "Type=Application", "Name=Rostrum", "NoDisplay=true", "Terminal=false")
    return "\n".join((*lines, f"Exec={started}", f"MimeType={types}", ""))


def _quoted(argument: str) -> str:
    quoted = _TO_ESCAPE.sub(r"\\\1", argument.replace("%", "%%"))
    # Once for the argument, and once for the value of a key.
    return '"' + quoted.replace("\\", "\\\\") + '"'


def _refresh(folder: Path) -> None:
    """Let desktops that read an index of the entries know about the change; others need no index."""
    program = shutil.which("update-desktop-database")
    if program is not None:
        with suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(  # noqa: S603 - a program of the system, with a folder of the user
                [program, "--", os.fspath(folder)],
                timeout=_REFRESH_TIMEOUT,
                check=False,
                capture_output=True,
                stdin=subprocess.DEVNULL,
            )
