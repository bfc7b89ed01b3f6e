"""Decides whether apps and layouts are available to a user, and returns the reasons. No other module decides this."""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from enum import StrEnum
from typing import Protocol, TypeVar

from msgspec import Struct


class Because(StrEnum):
    """A reason why an app or a layout is available to a user."""

    OWNER = "owner"
    PUBLIC = "public"
    LIST = "list"
    GROUP = "group"


class Obstacle(StrEnum):
    """A reason why an app or a layout is not available to a user."""

    USER_DISABLED = "userDisabled"
    DISABLED = "disabled"
    NOT_SHARED = "notShared"
    HIDDEN = "hidden"


class Viewer(Struct, frozen=True, kw_only=True):
    """The properties of a user that access decisions depend on.

    Attributes:
        groups: The effective groups, including inherited ones.
        apps: Names of apps that are assigned to the user directly.
        layouts: IDs of layouts that are assigned to the user directly.

    """

    user: str
    groups: frozenset[str] = frozenset()
    apps: Collection[str] = ()
    layouts: Collection[str] = ()
    disabled: bool = False


class Reason(Struct, frozen=True):
    """One reason for access. The group is the one that the access list names."""

    because: Because
    group: str | None = None


class Verdict(Struct, frozen=True):
    """The decision for one item: it is available if there is no obstacle.

    Attributes:
        reasons: All reasons for access, also if there is an obstacle.
        hidden_by: The ID of the layout with the same type and name that is shown instead.

    """

    reasons: tuple[Reason, ...]
    obstacle: Obstacle | None
    hidden_by: str | None = None

    @property
    def visible(self) -> bool:
        """Return whether the item is available to the user."""
        return self.obstacle is None


class DefaultLayout(Struct, frozen=True):
    """The layout with which a desktop starts: selected by the user, or marked as default for other users."""

    type: str
    name: str
    is_chosen: bool


class _Shared(Protocol):
    @property
    def public(self) -> bool: ...
    @property
    def access(self) -> tuple[str, ...]: ...
    @property
    def disabled(self) -> bool: ...


class SharedApp(_Shared, Protocol):
    """The properties of an app that access decisions depend on."""

    @property
    def name(self) -> str: ...


class SharedLayout(_Shared, Protocol):
    """The properties of a layout that access decisions depend on."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def type(self) -> str: ...

    @property
    def owner(self) -> str:
        """The owner; ``*`` for common layouts."""

    @property
    def created(self) -> datetime: ...

    @property
    def default(self) -> bool:
        """Whether it is the default for users who have not selected one."""


L = TypeVar("L", bound=SharedLayout)


def evaluate_app(viewer: Viewer, app: SharedApp) -> Verdict:
    """Decide whether an app is available to a user."""
    reasons = tuple(_by_sharing(viewer, app, is_given=app.name in viewer.apps))
    return Verdict(reasons, _obstacle(viewer, app, reasons))


def evaluate_layouts(viewer: Viewer, layouts: Iterable[L]) -> list[tuple[L, Verdict]]:
    """Decide which layouts are available: of several with the same type and name, the user's own or the oldest."""
    evaluated = [(layout, _evaluate_layout(viewer, layout)) for layout in sorted(layouts, key=_order)]
    best: dict[tuple[str, str], L] = {}
    for layout, verdict in evaluated:
        if verdict.visible and (_key(layout) not in best or layout.owner == viewer.user):
            best[_key(layout)] = layout
    return [
        (layout, verdict)
        if not verdict.visible or best[_key(layout)] is layout
        else (layout, Verdict(verdict.reasons, Obstacle.HIDDEN, best[_key(layout)].id))
        for layout, verdict in evaluated
    ]


def default_layout(evaluated: Iterable[tuple[L, Verdict]], chosen: tuple[str, str] | None) -> DefaultLayout | None:
    """Find the layout for the start: the selected one if it is still available, otherwise the first default one."""
    visible = [layout for layout, verdict in evaluated if verdict.visible]
    if chosen is not None and any(_key(layout) == chosen for layout in visible):
        return DefaultLayout(*chosen, is_chosen=True)
    flagged = next((layout for layout in visible if layout.default), None)
    return None if flagged is None else DefaultLayout(flagged.type, flagged.name, is_chosen=False)


def _evaluate_layout(viewer: Viewer, layout: SharedLayout) -> Verdict:
    shared = _by_sharing(viewer, layout, is_given=layout.id in viewer.layouts)
    reasons = (Reason(Because.OWNER), *shared) if layout.owner == viewer.user else tuple(shared)
    return Verdict(reasons, _obstacle(viewer, layout, reasons))


def _by_sharing(viewer: Viewer, item: _Shared, *, is_given: bool) -> Iterator[Reason]:
    if item.public:
        yield Reason(Because.PUBLIC)
    if is_given:
        yield Reason(Because.LIST)
    for group in item.access:
        if group in viewer.groups:
            yield Reason(Because.GROUP, group)


def _obstacle(viewer: Viewer, item: _Shared, reasons: tuple[Reason, ...]) -> Obstacle | None:
    if viewer.disabled:
        return Obstacle.USER_DISABLED
    if item.disabled:
        return Obstacle.DISABLED
    return None if reasons else Obstacle.NOT_SHARED


def _key(layout: SharedLayout) -> tuple[str, str]:
    return layout.type, layout.name


def _order(layout: SharedLayout) -> tuple[str, str, datetime, str]:
    return layout.type, layout.name, layout.created, layout.id
