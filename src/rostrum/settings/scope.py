"""The scope of a setting: sources, versions, modes and apps."""

from enum import StrEnum


class Scope(StrEnum):
    """The allowed sources of a setting, and whether changes are applied while the platform runs."""

    ANYWHERE = "anywhere"
    LOCAL_ONLY = "local only"
    REAPPLIED = "re-applied"


class Stream(StrEnum):
    """A line of platform versions."""

    V9 = "9.0"
    V10 = "10.x"


class Mode(StrEnum):
    """The mode of the platform, selected by ``advancedMode``."""

    DEFAULT = "default"
    ADVANCED = "advanced"


class Unit(StrEnum):
    """The unit of a number."""

    MS = "ms"
    S = "s"
    MINUTES = "minutes"
    PX = "px"
    BYTES = "bytes"


class AppType(StrEnum):
    """The app types to which a setting can be limited."""

    WINDOW = "window"
    EXE = "exe"
    NODE = "node"
    WORKSPACES = "workspaces"
    WEB_GROUP = "webGroup"
    CLICKONCE = "clickonce"
    CITRIX = "citrix"
    CHILD_WINDOW = "childWindow"
