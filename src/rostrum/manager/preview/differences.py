"""Compares the access of users in two access snapshots; pure."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from rostrum.manager.access.reasons import Viewer
from rostrum.manager.effective.snapshot import APPS, CONFIGS, LAYOUTS, AccessSnapshot
from rostrum.manager.groups.model import expand
from rostrum.manager.preview.config_differences import ConfigComparison, Remark, ValueChange
from rostrum.manager.preview.sharing_differences import (
    NO_SHIFT,
    AppComparison,
    LayoutComparison,
    LayoutTitle,
    Shift,
    shift,
)

Remarks = tuple[tuple[Remark, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """All changes for a user; equal for users with the same changes.

    Attributes:
        account: ``created``, ``deleted``, ``enabled`` or ``disabled``.
        layouts: Type and name of each.
        default: Type and name of the default layout before and after, if it differs.
        configs: Each change of a value, with the versions to which it applies.

    """

    account: str | None = None
    groups: Shift = NO_SHIFT
    apps: Shift = NO_SHIFT
    layouts: Shift = NO_SHIFT
    default: tuple[LayoutTitle | None, LayoutTitle | None] = (None, None)
    configs: tuple[tuple[ValueChange, tuple[str, ...]], ...] = ()


NOTHING = Difference()


class Comparison:
    """Compares the access of one user at a time."""

    def __init__(
        self, before: AccessSnapshot, after: AccessSnapshot, parts: Collection[str], versions: Iterable[str]
    ) -> None:
        self._before, self._after = _Side(before), _Side(after)
        self._apps = AppComparison(before, after) if APPS in parts else None
        self._layouts = LayoutComparison(before, after) if LAYOUTS in parts else None
        self._configs = ConfigComparison(before, after, versions) if CONFIGS in parts else None
        self.users = sorted({*before.users, *after.users})

    def of(self, user: str) -> tuple[Difference | None, Remarks]:
        """Return the changes for a user, if any, and the problems of the user's configuration."""
        before, after = self._before.viewer(user), self._after.viewer(user)
        if before is None and after is None:
            # A user who is disabled before and after receives nothing, but can be created or deleted.
            account = self._account(user)
            return (None if account is None else Difference(account=account)), ()
        layouts, default = (NO_SHIFT, (None, None)) if self._layouts is None else self._layouts.of(user, before, after)
        configs = self._configs and self._configs.of(
            user, before.groups if before else None, after.groups if after else None
        )
        difference = Difference(
            account=self._account(user),
            groups=shift(*(dict.fromkeys(side.groups(user)) for side in (self._before, self._after))),
            apps=NO_SHIFT if self._apps is None else self._apps.of(before, after),
            layouts=layouts,
            default=default,
            configs=configs.changes if configs else (),
        )
        return (None if difference == NOTHING else difference), configs.remarks if configs else ()

    def _account(self, user: str) -> str | None:
        before, after = self._before.snapshot.users.get(user), self._after.snapshot.users.get(user)
        if before is None:
            return "created"
        if after is None:
            return "deleted"
        if before.disabled == after.disabled:
            return None
        return "disabled" if after.disabled else "enabled"


class _Side:
    """The users of a snapshot as viewers; users with the same groups share one set."""

    def __init__(self, snapshot: AccessSnapshot) -> None:
        self.snapshot = snapshot
        self._expanded: dict[tuple[str, ...], frozenset[str]] = {}

    def groups(self, user: str) -> frozenset[str]:
        person = self.snapshot.users.get(user)
        if person is None:
            return frozenset()
        if person.groups not in self._expanded:
            self._expanded[person.groups] = expand(person.groups, self.snapshot.groups)
        return self._expanded[person.groups]

    def viewer(self, user: str) -> Viewer | None:
        person = self.snapshot.users.get(user)
        if person is None or person.disabled:
            return None
        return Viewer(user=user, groups=self.groups(user), apps=person.apps, layouts=person.layouts)
