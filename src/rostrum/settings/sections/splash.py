"""splash: the window shown while the platform starts."""

from rostrum.settings.scope import Scope, Unit
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Amount


class Splash(Section, scope=Scope.LOCAL_ONLY):
    """The window shown while the platform starts."""

    always_on_top: bool | None = setting(None, "Keep it above other windows.", since="9.5")
    block_startup: bool = setting(default=True, text="Wait for it before anything else starts.")
    disabled: bool | None = setting(None, "Show none.")
    height: Amount = setting(233, "Its height.", unit=Unit.PX)
    width: Amount = setting(350, "Its width.", unit=Unit.PX)
    show_in_taskbar: bool = setting(default=True, text="Give it an entry in the taskbar.", since="9.7")
    show_on_shutdown: bool = setting(default=True, text="Show it at shutdown too.")
    timeout: Amount = setting(5000, "Longest wait for it.", unit=Unit.MS)
    transparent: bool = setting(default=True, text="Let what is behind it shine through.")
    url: str | None = setting(None, "Its page; by default the one among the assets.")
