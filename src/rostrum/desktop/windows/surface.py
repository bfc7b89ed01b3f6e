"""How the surface of a window is drawn: by the graphics card or not, and its transparency; pure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rostrum.settings.scope import AppType, Mode, Stream

if TYPE_CHECKING:
    # For annotations only: without the settings, the window process starts faster.
    from rostrum.settings.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """How a window is drawn.

    Attributes:
        accelerated: Whether the graphics card draws it; None leaves that to the windowing system.
        transparency: How parts of it become transparent; None leaves that to the windowing system.
        key_color: The colour that becomes transparent; None unless ``transparency`` is KeyColor.
        regions: The regions that are transparent; only in the 9.0 stream, for windows that the graphics card draws.

    """

    accelerated: bool | None = None
    transparency: Literal["Transparent", "KeyColor", "Regions"] | None = None
    key_color: str | None = None
    regions: Literal["UseRegions", "UseAppRegion"] | None = None


def surface_of(kind: str, settings: "Settings", mode: Mode, stream: Stream) -> Surface:
    """Compute how a window of an app is drawn."""
    management = settings.window_management
    accelerated = management.hardware_acceleration.enabled if kind == AppType.WINDOW else None
    control = management.transparency_control
    controlled = mode is Mode.ADVANCED and stream is Stream.V10
    return Surface(
        accelerated=accelerated,
        transparency=control.way if controlled else None,
        key_color=control.key_color if controlled and control.way == "KeyColor" else None,
        regions=management.hardware_acceleration.transparency.mode if accelerated and stream is Stream.V9 else None,
    )
