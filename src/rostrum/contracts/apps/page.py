"""The part of ``details`` shared by the kinds that show a web page: window, workspaces, webGroup."""

from typing import Literal

from pydantic import Field

from rostrum.contracts.addresses import GroupPageAddress
from rostrum.contracts.choice import OneOf
from rostrum.contracts.shape import Maybe, Open, member
from rostrum.contracts.values import Free, Many, Number


class Source(Open):
    """A file put into a page."""

    url: str = Field(description="Address of the file.")
    fallback: Maybe[str] = member("Address used when the first fails.")
    timeout: Maybe[Number] = member("Maximum wait, ms.")
    critical: Maybe[bool] = member("The page must not load without it.")


class PreloadScripts(Open):
    """Scripts run before those of the page."""

    scripts: Many[OneOf[str | Source]] = Field(description="Addresses, or objects with address and fallback.")
    use_base64_preload_scripts: bool = member("Pass them as Base64 text.", default=False)


class Style(Open):
    """A style sheet put into a page."""

    url: Maybe[str] = member("Address of the style sheet.")
    fallback: Maybe[str] = member("Address used when the first fails.")
    timeout: Maybe[Number] = member("Maximum wait, ms.")
    critical: Maybe[bool] = member("The page must not load without it.")


class InjectedStyles(Open):
    """Style sheets put into a page."""

    replace: Maybe[bool] = member("Replace the styles set for all windows.")
    styles: Maybe[Many[Style]] = member("The style sheets.")


class CertificateErrors(Open):
    """Handling of certificate errors."""

    action: Literal["allow", "deny", "ask"] = member("Action for matching pages.", default="deny")
    report_url: Maybe[str] = member("Where the error is reported.", alias="reportURL")


class Security(Open):
    """Permissions of a page; the system-wide values win unless the store is trusted."""

    web_security: bool = member("Same-origin rules apply.", default=True)
    allow_running_insecure_content: bool = member("Secure pages may load insecure content.", default=False)
    navigate_on_drag_drop: bool = member("Dropping a file or an address opens it.", default=False)
    sandbox: bool = member("Pages run in a sandbox.", default=True)
    context_isolation: bool = member("Preload scripts are isolated from the page.", default=False)
    node_integration: bool = member("Pages may use Node.js.", default=False)
    on_certificate_error: Maybe[CertificateErrors] = member("Handling of certificate errors.")
    allowed_external_uri_schemes: Maybe[Many[str]] = member(
        "Schemes opened by other programs.", alias="allowedExternalURISchemes"
    )
    permissions: Maybe[Many[str]] = member(
        "Permissions granted to the page: camera, microphone, screen, geolocation, notifications, clipboard, fonts, "
        "mouseLock."
    )


class ContextMenu(Open):
    """The menu of the right mouse button."""

    enabled: bool = member("Enabled.", default=False)
    mode: Maybe[Literal["native", "custom"]] = member("Native or custom menu.")


class Switched(Open):
    """Something that can be enabled."""

    enabled: Maybe[bool] = member("Enabled.")


class ConsoleCapture(Switched):
    """The console messages that are logged."""

    level: Maybe[str] = member("Minimum level.")


class PageLogging(Open):
    """The events of a page that are logged."""

    console_messages: Maybe[ConsoleCapture] = member("Console messages.")
    network_request_errors: Maybe[Switched] = member("Failed requests.")
    unhandled_errors: Maybe[Switched] = member("Uncaught errors.")


class AutoInjectApi(Open):
    """The client library put into a page."""

    enabled: bool = Field(description="Enable the injection.")
    auto_init: Maybe[OneOf[bool | Free]] = member("Also initialize it, with the given options.")


class Page(Open):
    """Features of a web page, for all purposes."""

    allowed_origins: Maybe[Many[str]] = member(
        "Origins, besides that of the page's address, whose pages get the platform's API and a token."
    )
    preload_scripts: Maybe[OneOf[Many[str] | PreloadScripts]] = member("Scripts run before those of the page.")
    injected_styles: Maybe[InjectedStyles] = member("Style sheets put into the page.")
    native_window_open: Maybe[OneOf[Literal["off", "window", "browser"] | Free]] = member("Behavior of window.open.")
    native_window_open_options: Maybe[Free] = member("Options of windows opened with window.open.")
    security: Maybe[Security] = member("Permissions and restrictions of the page.")
    context_menu: Maybe[ContextMenu] = member("Context menu.")
    context_menu_enabled: Maybe[bool] = member("Use contextMenu.enabled.", deprecated=True)
    context_menu_mode: Maybe[str] = member("Use contextMenu.mode.", deprecated=True)
    zoom: Maybe[Free] = member("Zoom, as in windows.zoom.")
    logging: OneOf[bool | PageLogging] = member("Logged errors and messages.", default=False)
    user_agent: Maybe[OneOf[str | Free]] = member("User agent, as in windows.userAgent.")
    auto_open_dev_tools: bool = member("Developer tools open at the start.", default=False)


class FramePage(Page):
    """A page that users work in: common members of window and workspaces, in addition to ``Page``."""

    auto_inject_api: Maybe[AutoInjectApi] = member("Client library put into the page.", alias="autoInjectAPI")
    sync_title_with_document_title: Maybe[OneOf[bool | Literal["preserveCustomTitle"]]] = member(
        "The window's title follows the document's."
    )
    jump_list: Maybe[Free] = member("Taskbar menu, as in windows.jumpList.")
    hidden: bool = member("Starts hidden.", default=False)
    allow_os_info: bool = member("May read information about the OS.", default=False, alias="allowOSInfo")
    allow_auth_info: bool = member("May read the sign-in data.", default=False)
    allow_proxy_setting_manipulation: Maybe[bool] = member("May change the proxy.")
    allow_env_vars: bool = member("May read environment variables.", default=False)


class Pool(Open):
    """Preloaded frames."""

    min: Number = member("Fewest.", default=3)
    max: Number = member("Most.", default=10)


class WebGroupDetails(Page):
    """The page that draws window groups."""

    url: GroupPageAddress = Field(description="Address of the page.")
    use_os_system_buttons: bool = member(
        "Buttons of the OS; default mode only.", default=False, alias="useOSSystemButtons"
    )
    pool: Maybe[Pool] = member("Preloaded frames.")
    timeout: Number = member("Time to become ready after navigation, seconds.", default=30)
    navigation_response_timeout_seconds: Number = member("Maximum wait for the page to respond, seconds.", default=300)
    retry_count: Number = member("Number of retries.", default=5)
    retry_interval: Number = member("Increment of the pauses between retries, ms.", default=1000)
    retry_failed_message: Maybe[str] = member("Text shown when all attempts fail.")
    capture_errors: bool = member("Errors of the page are logged.", default=False)
