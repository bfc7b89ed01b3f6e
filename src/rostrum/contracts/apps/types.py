"""Values and small objects that several kinds of app definitions share."""

from typing import Any, Literal

from pydantic import Field

from rostrum.contracts.choice import OneOf
from rostrum.contracts.shape import Maybe, Open, member
from rostrum.contracts.values import AnyCase, Many, Number

AppType = AnyCase[
    Literal["window", "activity", "exe", "node", "workspaces", "webGroup", "clickonce", "citrix", "childWindow"]
]
WindowMode = AnyCase[Literal["flat", "tab", "html", "frameless"]]
WindowState = Literal["maximized", "minimized", "normal"]
OnTop = OneOf[bool | Literal["always"]]
LayoutKinds = OneOf[bool | Many[Literal["Global", "ApplicationDefault", "Workspace"]]]
Length = OneOf[str | Number]
StartWord = AnyCase[
    Literal[
        "center",
        "topCenter",
        "bottomCenter",
        "leftCenter",
        "rightCenter",
        "full",
        "topFull",
        "bottomFull",
        "leftFull",
        "rightFull",
    ]
]


class Header(Open):
    """A request header."""

    name: Maybe[str] = member("Name of the header.")
    value: Maybe[str] = member("Its value.")


class Download(Open):
    """How something is fetched."""

    headers: Maybe[Many[Header]] = member("Headers sent with the request.")
    no_cache: bool = member("Download again each time.", default=False)


class Bounds(Open):
    """A rectangle on the screen."""

    left: Maybe[Number] = member("Left edge, px.")
    top: Maybe[Number] = member("Top edge, px.")
    width: Maybe[Number] = member("Width, px.")
    height: Maybe[Number] = member("Height, px.")


class Cascade(Open):
    """How far a further instance is moved away from the one before."""

    enabled: bool = member("Move further instances.", default=True)
    offset: Number = member("Distance, px.", default=50)


class ChannelRight(Open):
    """A channel whose read and write rights users may not change."""

    name: Maybe[str] = member("Name of the channel.")
    read: Maybe[bool] = member("Protects the right to read.")
    write: Maybe[bool] = member("Protects the right to write.")


class ChannelSelector(Open):
    """The control that joins a window to channels."""

    enabled: Maybe[bool] = member("Show the selector.")
    type: Maybe[Literal["single", "directionalSingle", "multi", "directionalMulti"]] = member(
        "One channel or several, with or without a direction."
    )
    read_only: Maybe[bool] = member("Users cannot change the channel.")
    channel_id: Maybe[str] = member("Channel joined at the start.")
    prevent_modifying_restrictions_for: Maybe[Many[ChannelRight]] = member("Channels whose rights users cannot change.")


class Placement(Open):
    """A place the window keeps relative to the screen."""

    snapped: bool = Field(description="Enable the placement.")
    vertical_alignment: Maybe[str] = member("Vertical alignment.")
    horizontal_alignment: Maybe[str] = member("Horizontal alignment.")
    left: Maybe[Length] = member('Left margin: px, "10px" or "10%".')
    top: Maybe[Length] = member('Top margin: px, "10px" or "10%".')
    right: Maybe[Length] = member('Right margin: px, "10px" or "10%".')
    bottom: Maybe[Length] = member('Bottom margin: px, "10px" or "10%".')
    width: Maybe[Length] = member('Width: px, "10px" or "10%".')
    height: Maybe[Length] = member('Height: px, "10px" or "10%".')
    display: Maybe[Any] = member("The display.")


class StartLocation(Open):
    """A place on the screen with a size."""

    location: Maybe[StartWord] = member("The place.")
    stuck: Maybe[bool] = member("Stays there.")
    width: Maybe[Number] = member("Width.")
    height: Maybe[Number] = member("Height.")
    size_mode: Maybe[Literal["pixels", "percents"]] = member("Unit of width and height.")
    display: Maybe[Any] = member("The display.")
