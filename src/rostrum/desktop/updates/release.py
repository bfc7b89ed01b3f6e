"""Releases of a feed, signed with Ed25519 in a DSSE envelope.

A feed is a DSSE envelope (https://github.com/secure-systems-lab/dsse): the payload is the text that was signed, and the
signature also covers the type of the payload. Nothing outside the payload is trusted, except the addresses of packages:
their sizes and digests are in the payload.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from rostrum.base.addresses import url_origin
from rostrum.base.errors import Invalid
from rostrum.base.json_text import dump, parse
from rostrum.desktop.errors import DesktopError
from rostrum.installation.build import InstallationError, version_key
from rostrum.settings.sections.auto_updater import PUBLIC_KEY_PREFIX

MAX_PACKAGE_BYTES = 1024**3
PAYLOAD_TYPE = "application/vnd.rostrum.release+json"

_MAX_PACKAGES = 100
_MAX_SIGNATURES = 20
_MAX_NOTES = 10_000
_MAX_ELEMENTS = 10_000
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,150}")
_TARGET = re.compile(r"[a-z0-9_]{1,40}-[a-z0-9_]{1,40}-cp[0-9]{2,4}")
_DIGEST = re.compile(r"[0-9a-f]{64}")


class FeedInvalid(DesktopError):
    """A feed cannot be used: it is malformed, or no configured key has signed it."""


@dataclass(frozen=True, slots=True)
class Package:
    """One file of a release, for one operating system, processor and Python."""

    file: str
    target: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Release:
    """A version, and its packages."""

    version: str
    packages: tuple[Package, ...]
    notes: str = ""

    def package_for(self, target: str) -> Package | None:
        """Return the package for a target."""
        return next((package for package in self.packages if package.target == target), None)


@dataclass(frozen=True, slots=True)
class Feed:
    """A verified release, and the addresses of its packages."""

    release: Release
    packages_url: str

    def address_of(self, package: Package) -> str:
        """Return the address of a package."""
        return urljoin(self.packages_url, package.file)


def read_feed(content: bytes, address: str, keys: Sequence[Ed25519PublicKey]) -> Feed:
    """Verify a feed that was downloaded from an address; raise FeedInvalid if it is not valid."""
    envelope = _envelope(content)
    payload = _payload(envelope)
    _verify(payload, envelope.get("signatures"), keys)
    where = envelope.get("packagesUrl", ".")
    if not isinstance(where, str):
        raise FeedInvalid("packagesUrl of the feed must be text.")
    try:
        packages_url = urljoin(address, where)
    except ValueError:
        packages_url = ""
    # A feed must not redirect desktops, which are inside the firm's network, to other servers.
    if url_origin(packages_url) is None or url_origin(packages_url) != url_origin(address):
        raise FeedInvalid("packagesUrl of the feed names another origin than the feed has.")
    return Feed(_release(payload), packages_url if packages_url.endswith("/") else f"{packages_url}/")


def unverified_release(content: bytes) -> Release:
    """Return the release in a feed without verifying it, for servers; desktops use read_feed."""
    return _release(_payload(_envelope(content)))


def sign_release(release: Release, key: Ed25519PrivateKey, packages_url: str | None = None) -> bytes:
    """Return the feed of a release."""
    payload = dump(
        {
            "version": release.version,
            "notes": release.notes,
            "packages": [
                {"file": one.file, "target": one.target, "size": one.size, "sha256": one.sha256}
                for one in release.packages
            ],
        }
    )
    envelope: dict[str, Any] = {
        "payloadType": PAYLOAD_TYPE,
        "payload": base64.b64encode(payload).decode(),
        "signatures": [
            {
                "keyid": public_key_text(key.public_key()),
                "sig": base64.b64encode(key.sign(_signed_bytes(payload))).decode(),
            }
        ],
    }
    if packages_url is not None:
        envelope["packagesUrl"] = packages_url
    return dump(envelope)


def describe_package(file: Path, target: str) -> Package:
    """Return the entry of a file in a release."""
    size = file.stat().st_size
    if not _FILE.fullmatch(file.name):
        raise DesktopError(f"{file.name}: the name of a package may contain letters, digits, '.', '_', '+' and '-'.")
    if size > MAX_PACKAGE_BYTES:
        raise DesktopError(f"{file.name} is larger than {MAX_PACKAGE_BYTES:,} bytes.")
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    return Package(file.name, target, size, digest)


def public_key_text(key: Ed25519PublicKey) -> str:
    """Format a public key for the configuration."""
    return PUBLIC_KEY_PREFIX + base64.b64encode(key.public_bytes_raw()).decode()


def read_public_key(text: str) -> Ed25519PublicKey:
    """Read a public key of the configuration; raise DesktopError if it is invalid."""
    try:
        raw = base64.b64decode(text.removeprefix(PUBLIC_KEY_PREFIX), validate=True)
        return Ed25519PublicKey.from_public_bytes(raw)
    except ValueError:
        raise DesktopError(
            f"autoUpdater.publicKeys contains an invalid key. Use the text that `rostrum updates keygen` prints; "
            f"it starts with {PUBLIC_KEY_PREFIX}"
        ) from None


def _envelope(content: bytes) -> dict[str, Any]:
    try:
        envelope = parse(content, max_elements=_MAX_ELEMENTS)
    except Invalid as error:
        raise FeedInvalid(f"The feed is not JSON: {error}") from None
    if not isinstance(envelope, dict) or envelope.get("payloadType") != PAYLOAD_TYPE:
        raise FeedInvalid(f"The feed is not a signed release (payloadType {PAYLOAD_TYPE}).")
    return envelope


def _payload(envelope: dict[str, Any]) -> bytes:
    return _decoded(envelope.get("payload"), "payload")


def _signed_bytes(payload: bytes) -> bytes:
    """Return the pre-authentication encoding of DSSE."""
    kind = PAYLOAD_TYPE.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def _verify(payload: bytes, signatures: Any, keys: Sequence[Ed25519PublicKey]) -> None:
    if not isinstance(signatures, list) or not 1 <= len(signatures) <= _MAX_SIGNATURES:
        raise FeedInvalid("The feed is not signed.")
    signed = _signed_bytes(payload)
    for one in signatures:
        signature = _decoded(one.get("sig") if isinstance(one, dict) else None, "sig")
        for key in keys:
            try:
                key.verify(signature, signed)
            except InvalidSignature:
                continue
            return
    raise FeedInvalid("The feed is not signed by a key in autoUpdater.publicKeys.")


def _decoded(text: Any, member: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, TypeError, ValueError):
        raise FeedInvalid(f"{member} of the feed is not Base64.") from None


def _release(payload: bytes) -> Release:
    """Read the signed content, which may also contain mistakes."""
    try:
        document = parse(payload, max_elements=_MAX_ELEMENTS)
    except Invalid as error:
        raise FeedInvalid(f"The release in the feed is not JSON: {error}") from None
    if not isinstance(document, dict):
        raise FeedInvalid("The release in the feed is not an object.")
    version, notes, packages = document.get("version"), document.get("notes", ""), document.get("packages")
    if not isinstance(version, str) or not isinstance(notes, str) or len(notes) > _MAX_NOTES:
        raise FeedInvalid("The release in the feed has no valid version and notes.")
    try:
        version_key(version)
    except InstallationError as error:
        raise FeedInvalid(f"The release in the feed: {error}") from None
    if not isinstance(packages, list) or len(packages) > _MAX_PACKAGES:
        raise FeedInvalid("The release in the feed has no list of packages.")
    return Release(version, tuple(map(_package, packages)), notes)


def _package(document: Any) -> Package:
    if not isinstance(document, dict):
        raise FeedInvalid("A package of the release is not an object.")
    file, target = document.get("file"), document.get("target")
    size, sha256 = document.get("size"), document.get("sha256")
    if not isinstance(file, str) or not _FILE.fullmatch(file):
        raise FeedInvalid("A package of the release has no valid file name.")
    if not isinstance(target, str) or not _TARGET.fullmatch(target):
        raise FeedInvalid(f"{file}: target must be text such as linux-x86_64-cp311.")
    if not isinstance(size, int) or isinstance(size, bool) or not 0 < size <= MAX_PACKAGE_BYTES:
        raise FeedInvalid(f"{file}: size must be a number from 1 to {MAX_PACKAGE_BYTES:,}.")
    if not isinstance(sha256, str) or not _DIGEST.fullmatch(sha256):
        raise FeedInvalid(f"{file}: sha256 must have 64 hexadecimal digits.")
    return Package(file, target, size, sha256)
