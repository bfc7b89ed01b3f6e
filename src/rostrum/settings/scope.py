"""Where, since when, in which mode and for which apps a setting counts."""

from enum import StrEnum


class Scope(StrEnum):
    """From where a setting may come, and whether a change counts while running."""

    ANYWHERE = "anywhere"
    LOCAL_ONLY = "local only"
    REAPPLIED = "re-applied"


class Stream(StrEnum):
    """A line of platform versions."""

    V9 = "9.0"
    V10 = "10.x"


class Mode(StrEnum):
    """The mode of the platform, chosen by ``advancedMode``."""

    DEFAULT = "default"
    ADVANCED = "advanced"


class Unit(StrEnum):
    """What a number counts."""

    MS = "ms"
    S = "s"
    MINUTES = "minutes"
    PX = "px"
    BYTES = "bytes"


class AppType(StrEnum):
    """The kinds of app a setting can be limited to."""

    WINDOW = "window"
    EXE = "exe"
    NODE = "node"
    WORKSPACES = "workspaces"
    WEB_GROUP = "webGroup"
    CLICKONCE = "clickonce"
    CITRIX = "citrix"
    CHILD_WINDOW = "childWindow"
