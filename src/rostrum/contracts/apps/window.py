"""``details`` of type window: a web page in a window of its own."""

from typing import Literal

from pydantic import Field

from rostrum.contracts.addresses import PageAddress
from rostrum.contracts.apps.desktop_window import DesktopWindow
from rostrum.contracts.apps.page import FramePage
from rostrum.contracts.apps.types import Bounds, OnTop, Placement, StartLocation, StartWord, WindowState
from rostrum.contracts.apps.window_parts import (
    AutoInjectFdc3,
    ButtonsVisibility,
    Docking,
    Handlers,
    Loader,
    Navigation,
    PageMetric,
    ProcessAffinity,
    ReloadOptions,
    ResponseHeader,
    SaveInLayout,
    Search,
    SnapToScreenEdges,
    Taskbar,
    UrlLoadOptions,
    UrlOverride,
    WindowOpen,
)
from rostrum.contracts.choice import OneOf
from rostrum.contracts.shape import Maybe, Open, member
from rostrum.contracts.values import Free, Many, Number, Table

_NO_MARGIN = "0, 0, 0, 0"


class _Start(Open):
    """The contents of the window, and how it opens."""

    url: PageAddress = Field(description="Address of the page.")
    url_load_options: Maybe[UrlLoadOptions] = member("How the page is requested.")
    open_in_browser: Maybe[Literal["frame", "window", "tab"]] = member(
        "Where the browser platform opens it; in a frame when missing."
    )
    name: Maybe[str] = member("Name of the window.")
    window_name: Maybe[str] = member("Use name.", deprecated=True)
    title: Maybe[str] = member("Title of the window.")
    context: Maybe[Free] = member("Context it starts with.")
    icon: Maybe[str] = member("Taskbar icon; the app's when missing.")
    focus: bool = member("Takes focus when created.", default=True)
    window_state: WindowState = member("State it starts in.", default="normal")
    is_collapsed: bool = member("Starts collapsed.", default=False)
    is_child: bool = member("Closes with the window that opened it.", default=False)
    is_popup: bool = member("Use isChild.", default=False, deprecated=True)
    is_pinned: bool = member("Pinned tab, in web groups.", default=False)
    start_location: Maybe[OneOf[StartWord | StartLocation]] = member("Place on the screen.")
    placement: Maybe[Placement] = member("Position relative to the screen.")
    docking: Docking = member("How it docks to a screen edge.", default={"enabled": False}, of=Docking)
    on_top: OnTop = member("Above other windows: true until grouped or hidden.", default=False)
    loader: Loader = member("Animation shown while the page loads.", default={}, of=Loader)
    reload_options: Maybe[ReloadOptions] = member("Behavior after a failed load.")


class _Look(Open):
    """How the window looks, snaps, moves and is sized."""

    snap_to_screen_edges: Maybe[SnapToScreenEdges] = member("Snapping to the edges of the screen.")
    auto_snap: bool = member("Snaps when moved near another window.", default=True)
    auto_align: Maybe[bool] = member("Aligns when snapped.")
    snapping_edges: str = member("Edges that snap: top, left, right, bottom, all, or a comma list.", default="all")
    sticky_group: str = member("Groups only with windows of the same group name.", default="Any")
    sticky_frame_color: str = member("Highlight colour while snapping.", default="#5b8dc9")
    use_random_frame_color: bool = member("Uses a random frame colour.", default=False)
    border_color: Maybe[str] = member("Colour of the border.")
    background_color: Maybe[OneOf[str | bool]] = member("Background colour, or whether there is one.")
    allow_forward: bool = member("Shows the forward button of activities.", default=True)
    collapse_height: Number = member("Height when collapsed; -1 is automatic.", default=-1)
    has_move_areas: bool = member("Can be moved (html windows).", default=True)
    move_area_thickness: str = member('Move border, "left, top, right, bottom".', default="0, 12, 0, 0")
    move_area_left_margin: str = member("Margin of the left move area.", default=_NO_MARGIN)
    move_area_top_margin: str = member("Margin of the top move area.", default=_NO_MARGIN)
    move_area_right_margin: str = member("Margin of the right move area.", default=_NO_MARGIN)
    move_area_bottom_margin: str = member("Margin of the bottom move area.", default=_NO_MARGIN)
    move_area_pass_through_mouse_hover: bool = member("Hovering passes through the move area.", default=False)
    size_area_thickness: str = member('Resize border, "left, top, right, bottom".', default="5, 5, 5, 5")
    size_area_pass_through_mouse_hover: bool = member("Hovering passes through the resize border.", default=False)
    show_title_bar: bool = member("Shows a title bar.", default=True)
    buttons_visibility: ButtonsVisibility = member("When buttons show (html windows).", default="onDemand")
    visible_areas: Maybe[Many[Bounds]] = member("Only these rectangles of the window are visible.")
    transparent: bool = member("Transparent (frameless windows).", default=True)
    rounded_corners: Maybe[bool] = member("Rounded corners (frameless windows).")
    tab_selected: bool = member("Its tab is selected when opened.", default=True)
    tab_title: Maybe[str] = member("Use title.", deprecated=True)
    tab_width: Number = member("Width of the tab; 0 is automatic.", default=0)
    hide_tab_header: bool = member("Has no tab header.", default=False)
    tab_tool_tip: str = member("Use tabTooltip.", default="", deprecated=True)
    tab_tooltip: str = member("Tooltip of the tab.", default="")
    hide_group_header: Maybe[bool] = member("Has no group header.")
    taskbar: Maybe[Taskbar] = member("Its entry in the taskbar.")


class _Content(FramePage):
    """Scripts of the page, and its permissions."""

    auto_inject_fdc3: Maybe[AutoInjectFdc3] = member("FDC3 library put into the page.")
    fdc3_inits_glue: bool = member("The FDC3 library starts the client library.", default=False)
    inject_sid_to_context: bool = member(
        "Adds the session id to the context after the sign-in.", default=False, alias="injectSIDtoContext"
    )
    register_html_container: bool = member("Adds the legacy object to the page.", default=False)
    injection_integration: bool = member("Use allowExtensions.", default=False, deprecated=True)
    allow_extensions: bool = member("May host browser extensions.", default=False)
    dev_tools_enable: bool = member("Developer tools are allowed.", default=True)
    console_log_level: Maybe[str] = member("Level of the console log.")
    page_performance_metric: Maybe[PageMetric] = member("Publishes performance metrics of the page.")
    process_affinity: Maybe[OneOf[ProcessAffinity | str]] = member("Which pages share a process.")
    background_throttling: Maybe[bool] = member("Timers are throttled in the background; default: true.")
    sf_mode: bool = member("Compatibility with one CRM product.", default=False)
    service_window: bool = member("Unused.", default=False, deprecated=True)
    history_navigation_enabled: Maybe[bool] = member("Back and forward keys work.")
    navigation: Maybe[Navigation] = member("Addresses to which the page may navigate.")
    window_open: Maybe[WindowOpen] = member("Windows that the page can open.")
    disable_refresh_on_f5: Maybe[bool] = member("Disables F5.")
    download_settings: Maybe[Free] = member("Downloads, as in windows.downloadSettings.")
    print_to_pdf_settings: Maybe[Free] = member("Printing to PDF, as in windows.printToPdfSettings.")
    print: Maybe[Free] = member("Printing, as in windows.print.")
    search: Maybe[Search] = member("Searching in the page.")
    refresh_handlers: Maybe[Handlers] = member("The page may delay a refresh.")
    close_handlers: Maybe[Handlers] = member("The page may delay closing.")
    response_headers: Maybe[Table[ResponseHeader]] = member("Changes to response headers, by header name.")
    save_in_layout: Maybe[SaveInLayout] = member("Data stored in saved layouts.")
    save_current_url_in_layout: Maybe[OneOf[bool | Many[str]]] = member("Use saveInLayout.url.", deprecated=True)
    save_current_title_in_layout: Maybe[OneOf[bool | Many[str]]] = member("Use saveInLayout.title.", deprecated=True)
    allow_overrides: UrlOverride = member(
        "May be started with another address.", default={"url": False}, of=UrlOverride
    )
    allow_clearing_cache: bool = member("May clear caches.", default=False)
    allow_cookies_manipulation: bool = member("May change cookies.", default=False)


class WindowDetails(_Content, _Look, _Start, DesktopWindow):
    """A web page in a window."""
