"""autoUpdater: new versions fetched and applied."""

import base64
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field

from rostrum.settings.problems import Severity, shown
from rostrum.settings.scope import Effect, Scope, Stream, Unit
from rostrum.settings.setting import Section, SectionProblem, setting
from rostrum.settings.types import Number, Strings

PUBLIC_KEY_PREFIX = "ed25519:"

_KIND = "Type of the update source: an update service (Service) or files on a web server (StaticStorage)."
_PUBLIC_KEY_BYTES = 32


class ServiceSource(Section, since="10.0", stream=Stream.V10):
    """An update service; it is asked at baseUrl/platform/version/channel."""

    type: Literal["Service"] = setting(..., _KIND)
    base_url: str = setting(
        ...,
        "Address of the update source. Rostrum adds the platform, version and channel (Service) or the file name "
        "latest.json (StaticStorage).",
    )
    channel: str | None = setting(None, "Channel of an update service, such as stable.")


class StaticStorageSource(Section, since="10.0", stream=Stream.V10):
    """A static storage."""

    type: Literal["StaticStorage"] = setting(..., _KIND)
    base_url: str = setting(
        ...,
        "Address of the update source. Rostrum adds the platform, version and channel (Service) or the file name "
        "latest.json (StaticStorage).",
    )


UpdateSource = Annotated[ServiceSource | StaticStorageSource, Field(discriminator="type")]


class AutoUpdater(Section, since="10.0", stream=Stream.V10, effect=Effect.CODE):
    """Automatic updates of installed builds; archives are not updated."""

    enabled: bool = setting(default=False, text="Check for updates.")
    notify_user: bool = setting(default=True, text="Ask users before a downloaded update is applied.")
    update_interval_minutes: Number = setting(
        10, "Interval at which the desktop checks for updates.", unit=Unit.MINUTES, ge=5
    )
    update_source: UpdateSource | None = setting(None, "Update source.", required=True)
    public_keys: Strings = setting(
        (),
        "Public keys, as `rostrum updates keygen` prints them. A release must be signed by one of them.",
        scope=Scope.LOCAL_ONLY,
        addition=True,
    )
    allow_downgrade: bool = setting(
        default=False,
        text="Also apply a signed release that is older than the newest version that was ever installed.",
        scope=Scope.LOCAL_ONLY,
        addition=True,
    )

    def findings(self) -> Iterator[SectionProblem]:
        """Point out keys that cannot verify anything, and feeds that others on the network can hold back."""
        if self.update_source is not None and _is_plain(self.update_source.base_url):
            message = "use https: without it, others on the network can hold back updates and see the versions in use"
            yield SectionProblem(severity=Severity.WARNING, member="updateSource", message=message)
        wrong = [key for key in self.public_keys if not _is_public_key(key)]
        if wrong:
            message = f"{shown(wrong[0])} is not a public key; use the text that `rostrum updates keygen` prints"
            yield SectionProblem(severity=Severity.ERROR, member="publicKeys", message=message)


def _is_plain(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        return parts.scheme == "http" and host != "localhost" and not ip_address(host).is_loopback
    except ValueError:
        return url.lower().startswith("http:")


def _is_public_key(text: str) -> bool:
    try:
        raw = base64.b64decode(text.removeprefix(PUBLIC_KEY_PREFIX), validate=True)
    except ValueError:
        return False
    return text.startswith(PUBLIC_KEY_PREFIX) and len(raw) == _PUBLIC_KEY_BYTES
