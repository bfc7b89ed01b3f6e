"""The settings of the pages in a browser: those of the browser platform, and those of the admin UI."""

from typing import Literal

from rostrum.settings.scope import Unit
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Amount


class BrowserBasic(Section):
    """A user name and its password."""

    username: str | None = setting(None, "User name.")
    password: str | None = setting(None, "Password.", secret=True)


class BrowserAuth(Section):
    """How the browser platform signs in."""

    basic: BrowserBasic = setting(BrowserBasic, "User name and password.")


class BrowserManager(Section):
    """The manager of the browser platform."""

    url: str | None = setting(
        None, "Address of the manager's API, including the path, such as https://manager.example.com/api."
    )
    auth: BrowserAuth = setting(BrowserAuth, "How to sign in.")
    fetch_interval_ms: Amount | None = setting(
        None, "Interval at which the platform checks for changes.", unit=Unit.MS, alias="fetchIntervalMS"
    )
    token_refresh_interval_ms: Amount | None = setting(
        None, "Interval at which the session token is renewed.", unit=Unit.MS, alias="tokenRefreshIntervalMS"
    )


class BrowserConfig(Section):
    """The object that starts the browser platform."""

    license_key: str | None = setting(None, "Licence key of the browser platform.", secret=True)
    manager: BrowserManager = setting(BrowserManager, "The manager.")


class AdminUiBasic(Section):
    """Signing in with user name and password."""

    use_session_cookie: bool = setting(default=True, text="Keep users signed in with a session cookie.")


class AdminUi(Section):
    """The settings of the admin UI."""

    react_app_auth: Literal["basic"] | None = setting(
        None, "Sign-in method. This name is used in the environment of the build.", alias="REACT_APP_AUTH"
    )
    auth: Literal["basic"] | None = setting(None, "Sign-in method. This name is used in the configuration object.")
    api_url: str | None = setting(None, "Address of the manager's API.", alias="apiURL")
    auth_basic: AdminUiBasic = setting(AdminUiBasic, "Signing in with user name and password.", alias="auth_basic")
