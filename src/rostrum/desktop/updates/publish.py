"""Publishing releases: keys, signed feeds in a folder, and a small server for tests of both kinds of feed."""

import os
import shutil
from collections.abc import Sequence
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from rostrum.base.errors import RostrumError
from rostrum.base.json_file import write_whole
from rostrum.base.json_text import dump, parse
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.updates.release import (
    Release,
    describe_package,
    public_key_text,
    read_feed,
    sign_release,
    unverified_release,
)
from rostrum.installation.build import version_key
from rostrum.installation.bundle import read_info

FEED = "latest.json"
_NOWHERE = "https://updates.invalid/latest.json"
_SERVICE_PARTS = 3


def create_key(file: Path) -> str:
    """Create a private key in a file that only its owner can read; return the public key."""
    key = Ed25519PrivateKey.generate()
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as out:
        out.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return public_key_text(key.public_key())


def read_private_key(file: Path) -> Ed25519PrivateKey:
    """Read a private key; raise DesktopError if the file does not contain one."""
    try:
        key = load_pem_private_key(file.read_bytes(), password=None)
    except TypeError:
        raise DesktopError(f"The key {file} is encrypted. Only keys without a password can be used.") from None
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise DesktopError(f"{file} is not a private key of `rostrum updates keygen`.")
    return key


def publish_release(packages: Sequence[Path], folder: Path, key: Ed25519PrivateKey, notes: str = "") -> Release:
    """Copy packages into the folder of a channel, then replace its feed.

    Packages of the published version for other targets are kept, so that each architecture can be built on a separate
    machine. An older version is rejected: desktops would not apply it.
    """
    found = {package: read_info(package) for package in packages}
    versions = sorted({info.version for info in found.values()}, key=version_key)
    if len(versions) != 1:
        raise DesktopError(f"The packages have different versions: {', '.join(versions)}.")
    described = [describe_package(package, info.target) for package, info in found.items()]
    targets = [one.target for one in described]
    if len(set(targets)) != len(targets):
        raise DesktopError(f"Two packages are for the same target: {', '.join(sorted(targets))}.")
    published = _published(folder, key)
    release = Release(versions[0], tuple(described), notes)
    if published is not None:
        if version_key(published.version) > version_key(release.version):
            raise DesktopError(f"{folder} already contains version {published.version}, which is newer.")
        if published.version == release.version:
            kept = [one for one in published.packages if one.target not in targets]
            release = Release(release.version, (*kept, *described), notes or published.notes)
    folder.mkdir(parents=True, exist_ok=True)
    for package in packages:
        # Renamed when complete: a desktop may be downloading.
        beside = folder / f".{package.name}.new"
        shutil.copyfile(package, beside)
        beside.replace(folder / package.name)
    write_whole(folder / FEED, sign_release(release, key))
    (folder / FEED).chmod(0o644)
    return release


def _published(folder: Path, key: Ed25519PrivateKey) -> Release | None:
    try:
        content = (folder / FEED).read_bytes()
    except FileNotFoundError:
        return None
    return read_feed(content, _NOWHERE, [key.public_key()]).release


def feed_server(folder: Path, host: str, port: int) -> ThreadingHTTPServer:
    """Return a server for a folder of channels, for tests; any web server can serve static storage."""
    root = folder.resolve()

    class Handler(_FeedHandler):
        channels = root

    return ThreadingHTTPServer((host, port), Handler)


class _FeedHandler(SimpleHTTPRequestHandler):
    """Serves files of channels, and ``/<platform>/<version>/<channel>`` like an update service."""

    channels: Path
    protocol_version = "HTTP/1.1"

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, directory=str(self.channels), **options)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        """Answer a file, or a feed."""
        parts = [unquote(part) for part in urlsplit(self.path).path.split("/")[1:]]
        if len(parts) != _SERVICE_PARTS or any(part in ("", ".", "..") or "/" in part for part in parts):
            super().do_GET()
            return
        platform, version, channel = parts
        try:
            content = (self.channels / channel / FEED).read_bytes()
            release = unverified_release(content)
            is_newer = version_key(release.version) > version_key(version)
        except (OSError, RostrumError):
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        if not is_newer or not any(one.target.startswith(f"{platform}-") for one in release.packages):
            self.send_response(HTTPStatus.NO_CONTENT)
            self.end_headers()
            return
        envelope = parse(content)
        body = dump({**envelope, "packagesUrl": f"/{channel}/"})
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
