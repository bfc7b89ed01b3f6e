"""licenseKey and manager of the object that starts the browser platform."""

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

    url: str | None = setting(None, "Address of the manager's interface, with its path.")
    auth: BrowserAuth = setting(BrowserAuth, "How to sign in.")
    fetch_interval_ms: Amount | None = setting(None, "Pause between fetches.", unit=Unit.MS, alias="fetchIntervalMS")
    token_refresh_interval_ms: Amount | None = setting(
        None, "Pause between renewals of the token.", unit=Unit.MS, alias="tokenRefreshIntervalMS"
    )


class BrowserConfig(Section):
    """The object that starts the browser platform."""

    license_key: str | None = setting(None, "Licence of the browser platform.", secret=True)
    manager: BrowserManager = setting(BrowserManager, "The manager.")
