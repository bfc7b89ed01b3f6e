"""Values and small objects that several parts of a layout share."""

from typing import Literal

from rostrum.contracts.shape import Closed, Maybe, member
from rostrum.contracts.values import Number

WindowState = Literal["maximized", "minimized", "normal"]


class ScreenBounds(Closed):
    """A rectangle in physical pixels."""

    left: Maybe[Number] = member("Left edge.")
    top: Maybe[Number] = member("Top edge.")
    width: Maybe[Number] = member("Width.")
    height: Maybe[Number] = member("Height.")


class Bounds(ScreenBounds):
    """A rectangle on the desktop."""

    right: Maybe[Number] = member("Right edge.")
    bottom: Maybe[Number] = member("Bottom edge.")
