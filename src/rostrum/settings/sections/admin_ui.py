"""The settings of the admin UI: its environment variable and the properties of its component."""

from typing import Literal

from rostrum.settings.setting import Section, setting


class AdminUiBasic(Section):
    """Logging in with user name and password."""

    use_session_cookie: bool = setting(default=True, text="Keep users logged in by a session cookie.")


class AdminUi(Section):
    """The settings of the admin UI."""

    react_app_auth: Literal["basic"] | None = setting(
        None, "Way to log in, as an environment variable.", alias="REACT_APP_AUTH"
    )
    auth: Literal["basic"] | None = setting(None, "Way to log in, as a property.")
    api_url: str | None = setting(None, "Address of the manager's interface.", alias="apiURL")
    auth_basic: AdminUiBasic = setting(AdminUiBasic, "Logging in with user name and password.", alias="auth_basic")
