"""ssoAuth: the login screen."""

import re
from collections.abc import Iterator
from typing import Literal

from rostrum.settings.problems import Severity
from rostrum.settings.scope import Effect, Unit
from rostrum.settings.setting import Section, SectionProblem, setting
from rostrum.settings.types import Amount

_MARKED = re.compile(r"[/?&#]gd$")


class LoginWindow(Section):
    """The window of the login screen."""

    width: Amount | None = setting(None, "Width of the window.", unit=Unit.PX)
    height: Amount | None = setting(None, "Height of the window.", unit=Unit.PX)
    mode: str | None = setting(None, "Mode of the window: flat or tab (caption bar), html (border only) or frameless.")


class SsoOptions(Section):
    """The sign-in page."""

    url: str | None = setting(None, "Address of the sign-in page, such as https://manager.example.com/admin/gd.")
    window: LoginWindow = setting(LoginWindow, "Sign-in window.")

    def findings(self) -> Iterator[SectionProblem]:
        """Require the marker by which the admin UI recognises a desktop."""
        if self.url and not _MARKED.search(self.url):
            message = "must end with the gd marker, such as https://manager.example.com/admin/gd"
            yield SectionProblem(severity=Severity.ERROR, member="url", message=message)


class SsoAuth(Section, effect=Effect.ADDRESS):
    """Signing in."""

    auth_controller: Literal["sso"] | None = setting(None, "Sign-in method. With sso, users sign in on a page.")
    options: SsoOptions = setting(SsoOptions, "The sign-in page.")
