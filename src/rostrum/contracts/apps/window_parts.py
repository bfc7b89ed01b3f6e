"""The smaller objects inside the ``details`` of a window."""

from typing import Any, Literal

from pydantic import Field

from rostrum.contracts.apps.types import LayoutKinds
from rostrum.contracts.choice import OneOf
from rostrum.contracts.shape import Maybe, Open, member
from rostrum.contracts.values import AnyCase, Free, Many, Number

ButtonsVisibility = AnyCase[Literal["off", "onDemand", "always", "onFocus"]]


class Referrer(Open):
    """Referrer of the request."""

    policy: Maybe[str] = member("Referrer policy.")
    url: Maybe[str] = member("The address sent as referrer.")


class PostData(Open):
    """A part of the request's body."""

    type: Literal["file", "base64"] = Field(description="A file, or data written here.")
    data: Maybe[str] = member("The data, as Base64 text.")


class UrlLoadOptions(Open):
    """How a page is requested."""

    base_url_for_data_url: Maybe[str] = member(
        "Base address of relative addresses in a data URL.", alias="baseURLForDataURL"
    )
    extra_headers: Maybe[Any] = member("Further request headers.")
    http_referrer: Maybe[OneOf[str | Referrer]] = member("Referrer of the request.")
    post_data: Maybe[Many[PostData]] = member("Parts of the request's body.")
    user_agent: Maybe[str] = member("User agent of the request.")
    query_string: Maybe[Any] = member("Added to the address.")


class Docking(Open):
    """How a window docks to the edges of the screen."""

    enabled: bool = member("May dock.", default=False)
    claim_screen_area: Maybe[bool] = member("Reserves the docked area.")
    initial_position: Maybe[Any] = member("Edge it is docked to at the start.")
    allowed_positions: Many[str] = member("Edges it may dock to.", default=["top"])
    width: Maybe[Number] = member("Width when docked left or right.")
    height: Maybe[Number] = member("Height when docked at top or bottom.")


class SnapToScreenEdges(Open):
    """Snapping to the edges of the screen."""

    enabled: bool = member("Snaps.", default=False)
    distance: Number = member("Snapping distance, px.", default=20)


class Loader(Open):
    """The animation shown while a page loads."""

    enabled: bool = member("Enabled.", default=True)
    type: Maybe[str] = member("Which one.")
    background: Maybe[str] = member("Background colour.")
    speed: Maybe[Number] = member("Speed.")
    size: Maybe[Number] = member("Its size, px.")
    size_factor: Maybe[Number] = member("Its size relative to the window.")
    hide_on_load: bool = member("Ends when the page has loaded.", default=True)
    text: Maybe[str] = member("Text below it.")
    text_size: Maybe[Number] = member("Size of the text.")
    text_color: Maybe[str] = member("Colour of the text.")


class ReloadOptions(Open):
    """Loading again after a failure."""

    timeout: Maybe[Number] = member("Pause before the next attempt, ms.")
    max_attempts: Maybe[Number] = member("Maximum number of attempts.")


class Fdc3Library(Open):
    """Where the FDC3 library comes from."""

    source: Maybe[str] = member("Its address.")
    fallback: Maybe[str] = member("Address used when the first fails.")
    timeout: Maybe[Number] = member("Maximum wait, ms.")


class AutoInjectFdc3(Open):
    """The FDC3 library put into a page."""

    enabled: bool = Field(description="Enable the injection.")
    library: Maybe[Fdc3Library] = member("Another library than the built-in one.")
    auto_init: Maybe[OneOf[bool | Free]] = member("Also initialize it, with the given options.")


class PageMetric(Open):
    """Publishing how fast a page is."""

    enabled: bool = Field(description="Publish it.")
    publish_interval: Maybe[Number] = member("Time between two reports, ms.")
    initial_publish_timeout: Maybe[Number] = member("Time before the first, ms.")


class ProcessAffinity(Open):
    """Which pages share a process."""

    affinity: Maybe[str] = member("Pages with the same word share one.")
    dedicated_process: bool = member("Run in a separate process.", default=False)


class Navigation(Open):
    """The addresses to which a page may navigate."""

    allowed: Maybe[str] = member("Address, or regular expression, of the allowed addresses.")
    track_in_page_navigation: bool = member("Also applies to navigation within the page.", default=False)


class WindowOpen(Open):
    """The windows that a page may open."""

    allowed: Maybe[str] = member("Address, or regular expression, of the allowed addresses.")


class Search(Open):
    """Searching in a page."""

    enabled: Maybe[bool] = member("There is a search box.")


class Handlers(Open):
    """Handlers of a page that can delay an operation."""

    enabled: Maybe[bool] = member("Call the handlers of the page.")
    timeout: Maybe[Number] = member("Maximum wait, ms.")


class HeaderDirective(Open):
    """A change to one directive of a header."""

    name: Maybe[str] = member("The directive.")
    action: Maybe[Literal["append", "remove", "replace"]] = member("Operation on the header.")
    value: Maybe[str] = member("Its new value.")


class ResponseHeader(Open):
    """A change to one response header."""

    remove: Maybe[bool] = member("Remove it.")
    directives: Maybe[Many[HeaderDirective]] = member("Changes to its directives.")


class Taskbar(Open):
    """The entry in the taskbar."""

    allow_pin: bool = member("May be pinned.", default=False)
    app_id: Maybe[str] = member("Its id for the OS.", deprecated=True)
    display_name: Maybe[str] = member("Its name.")
    command: Maybe[str] = member("Command of a pinned entry.")
    command_env_var: Maybe[str] = member("Variable that holds the command.")
    icon_path: Maybe[str] = member("File with its icon.")
    icon_index: Number = member("Number of the icon in that file.", default=0)
    combine_icons: Maybe[Literal["sameIcon", "sameApp", "never"]] = member("Which entries share one icon.")


class SaveInLayout(Open):
    """Data of a window that saved layouts contain."""

    url: Maybe[LayoutKinds] = member("Its address: always, never, or in these kinds of layouts.")
    title: Maybe[LayoutKinds] = member("Its title: always, never, or in these kinds of layouts.")


class UrlOverride(Open):
    """Members that may be changed when the app is started."""

    url: bool = member("The address.", default=False)
