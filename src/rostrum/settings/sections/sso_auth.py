"""ssoAuth: the login screen."""

from collections.abc import Iterator
from typing import Literal

from rostrum.settings.problems import Severity
from rostrum.settings.scope import Unit
from rostrum.settings.setting import Finding, Section, setting
from rostrum.settings.types import Amount

__all__ = ["SsoAuth"]


class LoginWindow(Section):
    """The window of the login screen."""

    width: Amount | None = setting(None, "Its width.", unit=Unit.PX)
    height: Amount | None = setting(None, "Its height.", unit=Unit.PX)
    mode: Literal["flat"] | None = setting(None, "Its look.")


class SsoOptions(Section):
    """The login screen."""

    url: str | None = setting(None, "Address of the admin UI, ending with the gd marker.")
    window: LoginWindow = setting(LoginWindow, "Its window.")

    def findings(self) -> Iterator[Finding]:
        """Want the marker by which the admin UI knows who logs in."""
        if self.url and not self.url.endswith("gd"):
            message = "should end with the gd marker, which tells the admin UI that the desktop platform logs in"
            yield Finding(severity=Severity.WARNING, member="url", message=message)


class SsoAuth(Section):
    """Logging in."""

    auth_controller: Literal["sso"] | None = setting(None, "Who logs users in; sso shows the login screen.")
    options: SsoOptions = setting(SsoOptions, "The login screen.")
