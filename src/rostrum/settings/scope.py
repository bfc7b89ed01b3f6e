"""The scope of a setting: sources, versions, modes and apps."""

from enum import StrEnum


class Scope(StrEnum):
    """The allowed sources of a setting, and whether changes are applied while the platform runs."""

    ANYWHERE = "anywhere"
    LOCAL_ONLY = "local only"
    REAPPLIED = "re-applied"


class Effect(StrEnum):
    """What a setting can do to the users of a desktop, apart from changing the platform's own windows."""

    PLAIN = "plain"
    """Nothing: it changes what the platform shows, and when."""
    CODE = "code"
    """It runs programs or scripts, also in pages of other owners."""
    ADDRESS = "address"
    """It names a service or a page that the platform trusts."""
    FILES = "files"
    """It names files or folders on the user's machine."""
    PERMISSION = "permission"
    """It permits apps or pages to do more than they may by default."""


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
