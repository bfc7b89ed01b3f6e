"""The caption bar of an app window: contents from its definition, and user actions."""

import base64
import logging
from collections.abc import Sequence

from PySide6.QtGui import QPixmap

from rostrum.desktop.hosts.actions import FrameButton
from rostrum.desktop.hosts.port import WindowRequest
from rostrum.desktop.hosts.qt.caption import AddedButton, CaptionBar
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.reports import ButtonClicked, ChannelChosen, ChannelRestricted, Retitled

_log = logging.getLogger(__name__)

_MOST_BUTTONS = 32
_LARGEST_ICON = 2 * 1024 * 1024


def set_up_caption(bar: CaptionBar, request: WindowRequest, shared: Shared) -> None:
    """Show the configured contents, and report input and selections of the user."""
    details, chrome, instance = request.details, request.chrome, request.instance
    bar.set_title(request.title)
    bar.title_editable = chrome.title_editable
    bar.set_buttons(
        minimize=details.get("allowMinimize") is not False and details.get("minimizable") is not False,
        maximize=details.get("allowMaximize") is not False and details.get("maximizable") is not False,
        close=details.get("allowClose") is not False,
    )
    bar.selector.setVisible(chrome.selector is not None)
    if chrome.selector is not None:
        bar.selector.set_selector(chrome.selector)
    bar.selector.set_channels([(one.name, one.color) for one in shared.channels])
    platform = shared.platform
    bar.title_entered.connect(lambda title: platform.report(Retitled(instance=instance, title=title)))
    bar.selector.channels_chosen.connect(
        lambda names: platform.report(ChannelChosen(instance=instance, channels=tuple(names)))
    )
    bar.selector.access_chosen.connect(
        lambda name, read, write: platform.report(
            ChannelRestricted(instance=instance, channel=name, read=read, write=write)
        )
    )
    bar.button_clicked.connect(lambda name: platform.report(ButtonClicked(instance=instance, button=name)))
    bar.menu_wanted.connect(lambda place: shared.open_menu(place))


def added_buttons(buttons: Sequence[FrameButton]) -> list[AddedButton]:
    """Return the buttons that apps have added, with their images."""
    return [AddedButton(one.id, one.tooltip, one.order, picture_of(one.image)) for one in buttons[:_MOST_BUTTONS]]


def picture_of(text: str) -> QPixmap:
    """Decode an image: a data address, or Base64 alone; invalid data is an empty image."""
    picture = QPixmap()
    _, comma, body = text.partition(",")
    encoded = body if comma else text
    if len(encoded) <= _LARGEST_ICON:
        try:
            picture.loadFromData(base64.b64decode(encoded, validate=False))
        except ValueError:
            _log.warning("an icon cannot be read: it is not Base64")
    return picture
