"""``details`` of the types that run programs: exe, clickonce, citrix, childWindow and node."""

from typing import Literal

from pydantic import Field

from rostrum.contracts.addresses import PageAddress
from rostrum.contracts.apps.desktop_window import DesktopWindow
from rostrum.contracts.apps.types import Download, LayoutKinds, OnTop, Placement
from rostrum.contracts.choice import OneOf
from rostrum.contracts.shape import Maybe, Open, member
from rostrum.contracts.values import AnyCase, Free, Number, Table

WindowStyle = AnyCase[Literal["Normal", "Hidden", "Minimized", "Maximized"]]
TrackingType = AnyCase[Literal["None", "Process", "AGM"]]
StartingContextMode = AnyCase[Literal["environment", "interop", "interopCmdLine", "none"]]


class Compatibility(Open):
    """Options for programs without support for the platform."""

    emulate_dpi_changed_message: bool = member(
        "Send a message to the program when the resolution changes.", default=False, alias="emulateDPIChangedMessage"
    )


class NativeSaveInLayout(Open):
    """Data of a native app that saved layouts contain."""

    command: Maybe[bool] = member("The command it ran.")
    parameters: Maybe[bool] = member("Its arguments.")
    env: Maybe[bool] = member("Its environment.")
    title: Maybe[LayoutKinds] = member("Its title: always, never, or in these kinds of layouts.")


class CommandOverride(Open):
    """Members that may be changed when the app is started."""

    command: bool = member("The command.", default=False)


class _Native(DesktopWindow):
    """Members of all native types."""

    has_size_areas: bool = member("Can be resized by its borders.", default=True)
    window_style: WindowStyle = member("Style of the main window.", default="Normal")
    terminate_on_shutdown: bool = member("Ends with the platform.", default=True)
    timeout: Maybe[Number] = member("Maximum wait for the start, seconds.")


class _Program(_Native):
    """Members of types that are started as programs."""

    tracking_type: TrackingType = member("How its lifetime is tracked; AGM means by its connection.", default="AGM")
    agm_tracking_launch_timeout: Number = member("Time limit for that connection, seconds; 0 for none.", default=120)
    starting_context_mode: StartingContextMode = member("How the start context is passed.", default="interop")
    start_failed_message: Maybe[str] = member("Text shown when it fails to start.")
    logging: bool = member("Its output is written to the log folder.", default=False)
    save_in_layout: Maybe[NativeSaveInLayout] = member("Data stored in saved layouts.")


class ExeDetails(_Program):
    """A program, a script or a document."""

    path: Maybe[str] = member("Working folder; needed unless useShellExecute.")
    command: Maybe[str] = member("Program, script or resource to open.")
    parameters: Maybe[str] = member("Arguments, used as written.")
    env: Maybe[Table[str]] = member("Variables added to the environment.")
    use_shell_execute: bool = member("Open through the OS association; path must be empty.", default=False)
    show_console: bool = member("Its console window is visible.", default=False)
    tracking_type: TrackingType = member("How its lifetime is tracked; AGM means by its connection.", default="Process")
    starting_context_mode: StartingContextMode = member("How the start context is passed.", default="environment")
    pass_glue_token: bool = member("Gets a gateway token in its environment (ROSTRUM_TOKEN).", default=False)
    glue_token_argument: str = member("Ignored: all users of the machine can read arguments.", default="--token")
    compatibility: Maybe[Compatibility] = member("Options for programs without support for the platform.")
    allow_overrides: CommandOverride = member(
        "May be started with another command.", default={"command": False}, of=CommandOverride
    )
    placement: Maybe[Placement] = member("Position relative to the screen.")
    on_top: OnTop = member("Above other windows: true until grouped or hidden.", default=False)
    jump_list: Maybe[Free] = member("Taskbar menu, as in windows.jumpList.")


class ClickOnceDetails(_Program):
    """A program that its deployment file installs."""

    url: Maybe[PageAddress] = member("Address of the deployment file.")
    app_parameters: Maybe[Free] = member("Parameters by name.")
    on_top: OnTop = member("Above other windows: true until grouped or hidden.", default=False)
    jump_list: Maybe[Free] = member("Taskbar menu, as in windows.jumpList.")


class CitrixDetails(_Program):
    """A published Citrix app."""

    name: Maybe[str] = member("Name of the published app.")
    parameters: Maybe[str] = member("Arguments, used as written.")
    dont_replace_localhost: bool = member("Do not replace localhost in arguments.", default=False)
    starting_context_mode: StartingContextMode = member("How the start context is passed.", default="interopCmdLine")


class ChildWindowDetails(_Native):
    """A window that lives inside another native app."""

    owner: str = Field(description="Name of the app that hosts it.")
    compatibility: Maybe[Compatibility] = member("Options for programs without support for the platform.")
    on_top: OnTop = member("Above other windows: true until grouped or hidden.", default=False)
    jump_list: Maybe[Free] = member("Taskbar menu, as in windows.jumpList.")


class RemoteScript(Download):
    """A script to be fetched."""

    url: Maybe[str] = member("Its address.")


class NodeDetails(Open):
    """A Node.js script."""

    path: Maybe[str] = member("File of the script.")
    remote: Maybe[RemoteScript] = member("Script to download.")
    parameters: Maybe[str] = member("Arguments.")
    node_version: Maybe[str] = member("Version of Node.js.")
    node_cli_options: str = member(
        "Options of the Node.js process.", default="--dns-result-order=ipv4first", alias="nodeCLIOptions"
    )
    show_console: bool = member("Its console is visible.", default=False)
    pass_glue_token: bool = member("Gets a gateway token in its environment.", default=False)
    debug: OneOf[bool | str] = member("As inspect; the port as text.", default=False)
    inspect: OneOf[bool | Number] = member("Inspector, with its port if given.", default=False)
    inspect_brk: OneOf[bool | Number] = member(
        "Inspector that stops at the start, with its port if given.", default=False
    )
    timeout: Maybe[Number] = member("Maximum wait for the start, seconds.")
    logging: bool = member("Its output is written to the log folder.", default=False)
    terminate_on_shutdown: bool = member("Ends with the platform.", default=True)
