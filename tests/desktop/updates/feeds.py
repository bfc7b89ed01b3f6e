"""Signed feeds, and a storage on loopback that serves them well or badly."""

import hashlib
import json
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rostrum.desktop.updates.release import Package, Release, public_key_text, sign_release
from rostrum.installation.build import this_target
from rostrum.settings.parse import parse_system
from rostrum.settings.sections.auto_updater import AutoUpdater
from tests.sources.server import Request, response

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
PUBLIC = public_key_text(KEY.public_key())


def settings(kind: str = "Service", base: str = "http://127.0.0.1:9", **members: Any) -> AutoUpdater:
    source = {"type": kind, "baseUrl": base, **({"channel": "stable"} if kind == "Service" else {})}
    document = {"enabled": True, "publicKeys": [PUBLIC], "updateSource": source, **members}
    parsed = parse_system({"autoUpdater": document})
    assert not parsed.problems
    return parsed.settings.auto_updater


class Storage:
    """Serves one feed and one file; knows ranges."""

    def __init__(self, content: bytes, version: str = "2.0", **members: Any) -> None:
        self.content = content
        self.package = Package("new.pyz", this_target(), len(content), hashlib.sha256(content).hexdigest())
        self.release = Release(version, (self.package,))
        self.envelope: Any = json.loads(sign_release(self.release, KEY)) | members
        self.asked: list[str] = []

    async def answer(self, request: Request) -> bytes:
        self.asked.append(request.path)
        if not request.path.endswith("/new.pyz"):
            return response(200, json.dumps(self.envelope).encode(), "Content-Type: application/json")
        asked = request.headers.get("range")
        if asked is None:
            return response(200, self.content)
        start = int(asked.removeprefix("bytes=").removesuffix("-"))
        return response(206, self.content[start:]) if start < len(self.content) else response(416)
