"""applicationPreferences: where the preferences of apps are kept."""

from collections.abc import Iterator
from typing import Literal

from rostrum.settings.problems import Severity
from rostrum.settings.scope import Unit
from rostrum.settings.sections.rest_only import rest_only
from rostrum.settings.setting import Finding, Section, setting
from rostrum.settings.types import Amount, Auth


class PreferencesStore(Section):
    """The store of the preferences."""

    type: Literal["file", "rest", "server"] = setting("file", "Kept in local files, by a REST service or the manager.")
    rest_url: str | None = setting(None, "Address of the service; needed when the type is rest.", alias="restURL")
    rest_client_auth: Auth | None = setting(None, "How to prove to the service who asks.")
    new_data_check_interval: Amount = setting(
        1800, "How often to look for newer data while somebody is subscribed.", unit=Unit.S
    )
    rest_backoff_factor: Amount = setting(
        1000, "Factor of the growing pause between retries.", unit=Unit.MS, since="9.10"
    )
    rest_retries: Amount = setting(3, "How often to try again.", since="9.10")

    def findings(self) -> Iterator[Finding]:
        """Want an address in rest mode, and tell what counts in rest mode only."""
        yield from rest_only(self, self.type, ("rest_url", "rest_client_auth", "new_data_check_interval"))
        if self.type == "rest" and not self.rest_url:
            yield Finding(severity=Severity.ERROR, member="restURL", message="is required when the type is rest")


class ApplicationPreferences(Section):
    """Preferences of apps."""

    store: PreferencesStore = setting(PreferencesStore, "Where preferences are kept.")
