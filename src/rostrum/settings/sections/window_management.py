"""windowManagement: groups, snapping and the other ways windows behave together."""

from collections.abc import Iterator
from typing import Literal

from rostrum.settings.problems import Severity
from rostrum.settings.scope import AppType, Effect, Mode, Scope, Stream, Unit
from rostrum.settings.sections.window_groups import Group
from rostrum.settings.setting import Section, SectionProblem, setting
from rostrum.settings.types import Amount, Colour, Number

_ALT = "Reverse the effect of the Alt key for this operation."


class Workspaces(Section, effect=Effect.PLAIN):
    """Workspaces."""

    operation_timeout: Amount = setting(
        30000,
        "Maximum duration of an operation in a workspace. Operations that take longer are cancelled.",
        unit=Unit.MS,
        since="9.9",
    )


class Snapping(Section, effect=Effect.PLAIN):
    """Snapping of windows to each other."""

    enabled: bool = setting(
        default=True, text="Snap windows to each other when users move them.", since="10.0", stream=Stream.V10
    )
    approaching_distance: Number = setting(
        50, "Distance between two windows at which they snap to each other.", unit=Unit.PX, ge=10, le=100
    )
    auto_align: bool = setting(default=True, text="Align the edges of windows when they snap to each other.")
    edge_distance: Number = setting(4, "Gap between windows that are snapped to each other.", unit=Unit.PX, ge=2, le=10)


class CollapseExpand(Section, mode=Mode.ADVANCED, effect=Effect.PLAIN):
    """Collapsing windows of classic groups."""

    mode: Literal["Single", "Proportional"] = setting(
        "Single",
        "Windows that use the space of a collapsed window: one neighbour (Single), or all windows of its column "
        "(Proportional).",
        since="9.4",
    )
    align_bottom_borders_when_expanding: bool = setting(
        default=True, text="Align the lower edges of the windows when a window is expanded."
    )


class SnapToScreenEdges(Section, since="9.3", app_types=(AppType.WINDOW,), effect=Effect.PLAIN):
    """Windows that stick to the edges of the screen."""

    enabled: bool = setting(default=False, text="Snap windows to the edges of the screen when users move them.")
    distance: Number = setting(
        20, "Distance from the edge of the screen at which windows snap.", unit=Unit.PX, ge=5, le=30
    )


class Alternate(Section, effect=Effect.PLAIN):
    """The effect of the Alt key on one operation."""

    reverse: bool | None = setting(None, _ALT)


class AlternateSnapping(Section, effect=Effect.PLAIN):
    """The effect of the Alt key while snapping."""

    reverse: bool | None = setting(None, _ALT, since="9.9")


class AlternateBehavior(Section, effect=Effect.PLAIN):
    """Effects of the Alt key."""

    snapping: AlternateSnapping = setting(
        AlternateSnapping, "Effect of the Alt key while users move windows: windows do not snap."
    )
    drop_in_tab_group: Alternate = setting(
        Alternate, "Effect of the Alt key while users drop a window on tabs: the window is not added to them."
    )
    drop_in_workspace: Alternate = setting(
        Alternate, "Effect of the Alt key while users drop a window on a workspace: the window is not added to it."
    )


class EarlyHardwareAcceleration(Section, effect=Effect.PLAIN):
    """The part of hardware acceleration that is known before anything is fetched."""

    enabled: bool | None = setting(
        None,
        "Draw windows with the graphics card. Always enabled in the default mode; disabled by default in the "
        "advanced mode.",
        since="9.3",
        scope=Scope.LOCAL_ONLY,
        app_types=(AppType.WINDOW,),
        by_mode={Mode.DEFAULT: True, Mode.ADVANCED: False},
        forced={Mode.DEFAULT: True},
    )


class Transparency(Section, effect=Effect.PLAIN):
    """Transparent windows with hardware acceleration."""

    mode: Literal["UseRegions", "UseAppRegion"] = setting(
        "UseRegions",
        "How transparent regions are determined. UseAppRegion is recommended; it requires version 4.5.1 or later of "
        "both UI libraries.",
        since="9.15",
        stream=Stream.V9,
    )


class HardwareAcceleration(EarlyHardwareAcceleration, effect=Effect.PLAIN):
    """Hardware acceleration."""

    transparency: Transparency = setting(Transparency, "Transparent windows.")


class FlydownWindows(Section, mode=Mode.ADVANCED, effect=Effect.PLAIN):
    """Windows that open while the pointer rests on a zone."""

    hide_check_interval: Amount = setting(
        100,
        "Interval at which the platform checks whether to hide the window. It should be shorter than hideDelay.",
        unit=Unit.MS,
        since="10.0",
        stream=Stream.V10,
    )
    hide_delay: Amount = setting(
        400, "Delay before the window is hidden after the pointer has left the zone and the window.", unit=Unit.MS
    )
    show_delay: Amount = setting(200, "Delay before the window is shown.", unit=Unit.MS)
    zone_change_callback_timeout: Amount = setting(
        150, "Time within which the app must respond when the pointer enters a zone.", unit=Unit.MS
    )

    def findings(self) -> Iterator[SectionProblem]:
        """Warn if the check is not more frequent than the delay of hiding."""
        if self.hide_check_interval >= self.hide_delay:
            message = f"should be below hideDelay, which is {self.hide_delay}"
            yield SectionProblem(severity=Severity.WARNING, member="hideCheckInterval", message=message)


class TransparencyControl(Section, mode=Mode.ADVANCED, effect=Effect.PLAIN):
    """Transparency of windows."""

    mode: Literal["Transparent", "Auto", "KeyColor", "Regions"] = setting(
        "Transparent",
        "How windows become transparent: with a compositor (Transparent, Auto), or by cutting out the pixels of "
        "keyColor (KeyColor) or the empty areas of the page (Regions).",
        since="10.0",
        stream=Stream.V10,
    )
    key_color: Colour = setting("#FD12EF", "Colour of the pixels that the mode KeyColor cuts out.", effect=Effect.PLAIN)

    @property
    def way(self) -> Literal["Transparent", "KeyColor", "Regions"]:
        """Return the effective mode, whether it is set or the platform's default."""
        return "Transparent" if self.mode == "Auto" else self.mode


class EarlyWindowManagement(Section, since="9.3", effect=Effect.PLAIN):
    """The part of window management that is known before anything is fetched."""

    hardware_acceleration: EarlyHardwareAcceleration = setting(EarlyHardwareAcceleration, "Hardware acceleration.")


class WindowManagement(EarlyWindowManagement, since="9.3", effect=Effect.PLAIN):
    """Window management."""

    group: Group = setting(Group, "Groups.")
    workspaces: Workspaces = setting(Workspaces, "Workspaces.")
    snapping: Snapping = setting(Snapping, "Snapping of windows to each other.")
    collapse_expand: CollapseExpand = setting(CollapseExpand, "Collapsed windows in classic groups.")
    snap_to_screen_edges: SnapToScreenEdges = setting(
        SnapToScreenEdges, "Snapping of windows to the edges of the screen."
    )
    alternate_behavior: AlternateBehavior = setting(AlternateBehavior, "Effects of the Alt key.")
    hardware_acceleration: HardwareAcceleration = setting(HardwareAcceleration, "Hardware acceleration.")
    flydown_windows: FlydownWindows = setting(
        FlydownWindows, "Flydown windows, which are shown while the pointer rests on a zone of another window."
    )
    edit_window_title: bool = setting(
        default=True,
        text="Allow users to edit the titles of windows of the modes flat and tab.",
        since="10.0",
        stream=Stream.V10,
    )
    transparency_control: TransparencyControl = setting(TransparencyControl, "Transparency of windows.")

    def findings(self) -> Iterator[SectionProblem]:
        """Report settings that only classic groups use."""
        if self.group.type == "Classic":
            return
        for name, field in type(self.collapse_expand).model_fields.items():
            if name in self.collapse_expand.model_fields_set:
                message = "has no effect while group.type is Web; it counts in classic groups only"
                yield SectionProblem(
                    severity=Severity.NOTE, member=f"collapseExpand.{field.alias or name}", message=message
                )
