"""The settings of the admin UI: its environment variable and the properties of its component."""

from typing import Literal

from rostrum.settings.setting import Section, setting


class AdminUiBasic(Section):
    """Signing in with user name and password."""

    use_session_cookie: bool = setting(default=True, text="Keep users signed in by a session cookie.")


class AdminUi(Section):
    """The settings of the admin UI."""

    react_app_auth: Literal["basic"] | None = setting(
        None, "Way to sign in, as an environment variable.", alias="REACT_APP_AUTH"
    )
    auth: Literal["basic"] | None = setting(None, "Way to sign in, as a property.")
    api_url: str | None = setting(None, "Address of the manager's interface.", alias="apiURL")
    auth_basic: AdminUiBasic = setting(AdminUiBasic, "Signing in with user name and password.", alias="auth_basic")
