"""windows: what holds for all windows."""

from typing import Any, Literal

from rostrum.settings.scope import AppType, Scope
from rostrum.settings.setting import Need, Section, setting
from rostrum.settings.types import Strings

__all__ = ["ChannelSelector", "PreloadScripts", "Windows"]

_WITH_SELECTOR = (AppType.WINDOW, AppType.EXE, AppType.CLICKONCE, AppType.CHILD_WINDOW, AppType.CITRIX)
_WITH_SCRIPTS = (AppType.WINDOW, AppType.WORKSPACES, AppType.WEB_GROUP)


class ChannelSelector(Section, app_types=_WITH_SELECTOR):
    """The box that chooses a window's channel."""

    enabled: bool = setting(default=False, text="Show it.", since="9.3")
    channel_id: str | None = setting(None, "Channel joined at start.")
    read_only: bool = setting(default=False, text="Keep users from changing it.")
    type: Literal["single", "directionalSingle", "multi", "directionalMulti"] = setting(
        "single",
        "One channel or many (web groups only), with directions or without.",
        words={"multi": Need(since="9.7"), "directionalMulti": Need(since="9.8")},
    )


class PreloadScripts(Section, app_types=_WITH_SCRIPTS):
    """Scripts run before a page's own, with the way they are put in."""

    scripts: Strings | None = setting(None, "Addresses of the scripts.")
    use_base64_preload_scripts: bool = setting(
        default=False, text="Put the scripts in as Base64 text.", alias="useBase64PreloadScripts"
    )


class Windows(Section):
    """What holds for all windows."""

    channel_selector: ChannelSelector = setting(ChannelSelector, "The box that chooses a channel.")
    preload_scripts: Strings | PreloadScripts | None = setting(
        None, "Scripts run before a page's own.", app_types=_WITH_SCRIPTS
    )
    response_headers: Any = setting(None, "Headers changed in answers to windows.", scope=Scope.REAPPLIED)
    url_filter: Any = setting(None, "Which addresses windows may open.", scope=Scope.REAPPLIED)
