"""Why a user gets an app or a layout, or why not: the one place that decides it."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol, TypeVar


class Because(StrEnum):
    """What gives a user an app or a layout."""

    OWNER = "owner"
    PUBLIC = "public"
    LIST = "list"
    GROUP = "group"


class Obstacle(StrEnum):
    """What keeps an app or a layout from a user."""

    USER_DISABLED = "userDisabled"
    DISABLED = "disabled"
    NOT_SHARED = "notShared"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """A user as far as it matters for what they see.

    Attributes:
        groups: All groups, expanded.
        apps: Names of apps given to the user directly.
        layouts: Ids of layouts given to the user directly.

    """

    user: str
    groups: frozenset[str] = frozenset()
    apps: Collection[str] = ()
    layouts: Collection[str] = ()
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason to get something; the group is the one that the access list names."""

    because: Because
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a user gets something: when nothing is in the way.

    Attributes:
        reasons: All that speaks for it, even when something is in the way.
        hidden_by: The id of the layout of the same type and name that is shown instead.

    """

    reasons: tuple[Reason, ...]
    obstacle: Obstacle | None
    hidden_by: str | None = None

    @property
    def visible(self) -> bool:
        """Return whether the user gets it."""
        return self.obstacle is None


@dataclass(frozen=True, slots=True)
class DefaultLayout:
    """The layout a desktop starts with: chosen by the user, or flagged for those who have chosen none."""

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
    """An app, as far as it matters for who sees it."""

    @property
    def name(self) -> str: ...


class SharedLayout(_Shared, Protocol):
    """A layout, as far as it matters for who sees it."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def type(self) -> str: ...

    @property
    def owner(self) -> str:
        """Whose it is, ``*`` for all."""

    @property
    def created(self) -> datetime: ...

    @property
    def default(self) -> bool:
        """Whether it is the default for those who have chosen none."""


L = TypeVar("L", bound=SharedLayout)


def evaluate_app(viewer: Viewer, app: SharedApp) -> Verdict:
    """Decide whether a user gets an app."""
    reasons = tuple(_by_sharing(viewer, app, is_given=app.name in viewer.apps))
    return Verdict(reasons, _obstacle(viewer, app, reasons))


def evaluate_layouts(viewer: Viewer, layouts: Iterable[L]) -> list[tuple[L, Verdict]]:
    """Decide which layouts a user gets: of several with the same type and name, the own one or the oldest."""
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
    """Find the layout a desktop starts with: the chosen one if the user still gets it, else the first flagged one."""
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
