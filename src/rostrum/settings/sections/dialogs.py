"""dialogs: the questions the platform asks."""

from rostrum.settings.scope import Unit
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Amount


class EnableDefaultDialogs(Section):
    """Which built-in questions are asked."""

    prevent_shutdown: bool = setting(default=True, text="Ask when an app holds up the shutdown.")
    prevent_window_close: bool = setting(default=True, text="Ask when an app holds up the closing of a window.")
    unsaved_layout_changes: bool = setting(
        default=False, text="Ask about changes of a layout that are not saved.", since="9.2"
    )


class Dialogs(Section):
    """Questions of the platform."""

    url: str | None = setting(None, "Page of an own dialog app.")
    height: Amount = setting(205, "Height of a dialog.", unit=Unit.PX)
    width: Amount = setting(400, "Width of a dialog.", unit=Unit.PX)
    transparent: bool | None = setting(None, "Let what is behind a dialog shine through.")
    enable_default_dialogs: EnableDefaultDialogs = setting(EnableDefaultDialogs, "Which built-in questions are asked.")
