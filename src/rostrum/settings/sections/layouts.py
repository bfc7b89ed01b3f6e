"""layouts: how layouts are kept and restored."""

from collections.abc import Iterator
from typing import Literal

from rostrum.settings.scope import Unit
from rostrum.settings.sections.rest_only import rest_only
from rostrum.settings.setting import Finding, Section, setting
from rostrum.settings.types import Amount, Auth


class LayoutComponents(Section):
    """Parts of a layout."""

    max_size: Amount = setting(
        8192, "Largest width or height; a larger part is fitted to the screen.", unit=Unit.PX, since="9.9.4"
    )


class LayoutSplash(Section):
    """The loader shown while a layout is restored."""

    disabled: bool | None = setting(None, "Show no loader.")
    height: Amount | None = setting(None, "Height of the loader.", unit=Unit.PX)
    width: Amount | None = setting(None, "Width of the loader.", unit=Unit.PX)
    title: str | None = setting(None, "Title of the loader.")
    url: str | None = setting(None, "Page of the loader; environment variables are expanded.")


class LayoutStore(Section):
    """The store of layouts."""

    type: Literal["file", "rest", "server"] = setting("file", "Kept in local files, by a REST service or the manager.")
    rest_url: str | None = setting(None, "Address of the service.", alias="restURL")
    rest_fetch_interval: Amount = setting(60, "How often to ask again.", unit=Unit.S)
    rest_client_auth: Auth = setting("negotiate", "How to prove to the service who asks.")
    reject_unauthorized: bool = setting(default=True, text="Refuse certificates that cannot be verified.")

    def findings(self) -> Iterator[Finding]:
        """Tell what counts in rest mode only."""
        names = ("rest_url", "rest_fetch_interval", "rest_client_auth", "reject_unauthorized")
        yield from rest_only(self, self.type, names)


class Layouts(Section):
    """Layouts."""

    restore_default_global_on_startup: bool = setting(
        default=True, text="Restore the default Global layout at start-up."
    )
    components: LayoutComponents = setting(LayoutComponents, "Parts of a layout.")
    splash: LayoutSplash = setting(LayoutSplash, "The loader shown while restoring.")
    store: LayoutStore = setting(LayoutStore, "Where layouts are kept.")
