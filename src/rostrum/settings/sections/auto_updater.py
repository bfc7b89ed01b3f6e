"""autoUpdater: new versions fetched and applied."""

import base64
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from rostrum.settings.problems import Severity, shown
from rostrum.settings.scope import Scope, Stream, Unit
from rostrum.settings.setting import Section, SectionProblem, setting
from rostrum.settings.types import Number, Strings

PUBLIC_KEY_PREFIX = "ed25519:"

_KIND = "Type of the update source."
_PUBLIC_KEY_BYTES = 32


class ServiceSource(Section, since="10.0", stream=Stream.V10):
    """An update service; it is asked at baseUrl/platform/version/channel."""

    type: Literal["Service"] = setting(..., _KIND)
    base_url: str = setting(..., "First part of the address of the updates.")
    channel: str | None = setting(None, "Last part of the address of a service.")


class StaticStorageSource(Section, since="10.0", stream=Stream.V10):
    """A static storage."""

    type: Literal["StaticStorage"] = setting(..., _KIND)
    base_url: str = setting(..., "First part of the address of the updates.")


UpdateSource = Annotated[ServiceSource | StaticStorageSource, Field(discriminator="type")]


class AutoUpdater(Section, since="10.0", stream=Stream.V10):
    """Automatic updates of installed builds; archives are not updated."""

    enabled: bool = setting(default=False, text="Check for updates.")
    notify_user: bool = setting(default=True, text="Ask the user to apply an update once it is downloaded.")
    update_interval_minutes: Number = setting(10, "Interval of update checks.", unit=Unit.MINUTES, ge=5)
    update_source: UpdateSource | None = setting(None, "Update source.", required=True)
    public_keys: Strings = setting(
        (),
        "Public keys, as `rostrum updates keygen` prints them. A release must be signed by one of them.",
        scope=Scope.LOCAL_ONLY,
        addition=True,
    )
    allow_downgrade: bool = setting(
        default=False,
        text="Also apply a signed release that is older than the newest version installed so far.",
        scope=Scope.LOCAL_ONLY,
        addition=True,
    )

    def findings(self) -> Iterator[SectionProblem]:
        """Point out keys that cannot verify anything."""
        wrong = [key for key in self.public_keys if not _is_public_key(key)]
        if wrong:
            message = f"{shown(wrong[0])} is not a public key; use the text that `rostrum updates keygen` prints"
            yield SectionProblem(severity=Severity.ERROR, member="publicKeys", message=message)


def _is_public_key(text: str) -> bool:
    try:
        raw = base64.b64decode(text.removeprefix(PUBLIC_KEY_PREFIX), validate=True)
    except ValueError:
        return False
    return text.startswith(PUBLIC_KEY_PREFIX) and len(raw) == _PUBLIC_KEY_BYTES
