"""Quotas: the limits for the data of each user, and their use."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from rostrum.base.errors import TooLarge
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.config import OPTIONS, ManagerConfig
from rostrum.manager.errors import QuotaExceeded, found
from rostrum.manager.history.repository import History
from rostrum.manager.kinds import Kind
from rostrum.manager.quotas.repository import Amount, Usage
from rostrum.manager.storage import Storage, Work

_PREFIX = "quotas."
_DOCUMENT = "documentBytes"

_ADVICE = {
    "sessions": "close a session that is no longer needed",
    "machines": "ask an administrator to delete machines that are no longer in use",
    "preferences": "clear the preferences of apps that are no longer in use",
    "preferenceBytes": "clear the preferences of apps that are no longer in use, or save less",
    "layouts": "remove layouts that are no longer needed",
    "layoutBytes": "remove layouts that are no longer needed, or save smaller ones",
    "feedback": "ask an administrator to delete feedback that has been dealt with",
    "feedbackBytes": "send a smaller attachment, or ask an administrator to delete feedback that has been dealt with",
    "crashes": "ask an administrator to delete crash reports that have been dealt with",
    "crashBytes": "ask an administrator to delete crash reports that have been dealt with",
    "anonymousCrashes": "ask an administrator to delete crash reports that have been dealt with",
    "anonymousCrashBytes": "ask an administrator to delete crash reports that have been dealt with",
}
"""What to do when a quota is reached."""


class QuotaUse(Struct, frozen=True):
    """The use of one quota; -1 means no limit."""

    name: str
    used: int
    limit: int

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "used": self.used, "limit": None if self.limit < 0 else self.limit}


class Quotas:
    """The limits of the settings ``quotas.…``. Documents that administrators write for others are not limited."""

    def __init__(self, limits: Mapping[str, int]) -> None:
        """Use the limits by the names of their settings, without ``quotas.``."""
        self.limits = limits

    @classmethod
    def of(cls, config: ManagerConfig) -> "Quotas":
        """Read the limits from the settings."""
        names = {field: info.property for field, info in OPTIONS.items() if info.property.startswith(_PREFIX)}
        return cls({name.removeprefix(_PREFIX): getattr(config, field) for field, name in names.items()})

    def require(self, name: str, *, used: int, wanted: int) -> None:
        """Refuse to store more than a quota allows.

        If the limit was reduced, existing data can remain and can become smaller.
        """
        if not self.allows(name, wanted) and wanted > used:
            raise QuotaExceeded(name, limit=self.limits[name], used=used, advice=_ADVICE[name])

    def require_amount(self, count_name: str, bytes_name: str, *, used: Amount, wanted: Amount) -> None:
        """Refuse to exceed the limits for number or size."""
        self.require(count_name, used=used.count, wanted=wanted.count)
        self.require(bytes_name, used=used.bytes, wanted=wanted.bytes)

    def require_size(self, size: int) -> None:
        """Refuse a document that exceeds the maximum size."""
        if not self.allows(_DOCUMENT, size):
            raise TooLarge(
                f"the document has {size} bytes, and the setting quotas.{_DOCUMENT} allows {self.limits[_DOCUMENT]}; "
                "save less, or ask an administrator to raise the limit"
            )

    def allows(self, name: str, amount: int) -> bool:
        """Return whether a use is within a quota."""
        return self.limits[name] < 0 or amount <= self.limits[name]

    def room(self, name: str, used: int) -> int | None:
        """Return the remaining quota; ``None`` if there is no limit."""
        return None if self.limits[name] < 0 else max(0, self.limits[name] - used)

    def limit_history(self, work: Work, user_id: str) -> None:
        """Let a write delete the oldest revisions of the user's documents if they exceed the quota."""
        if self.limits["historyBytes"] >= 0:
            work.limit_history(user_id, self.limits["historyBytes"])


UNLIMITED = Quotas(dict.fromkeys((*_ADVICE, "keptSessions", "historyBytes", _DOCUMENT), -1))
"""For work without a configuration, such as tests of one resource."""


class UsageService:
    """The use of quotas by users."""

    def __init__(self, storage: Storage, quotas: Quotas) -> None:
        self._storage = storage
        self._quotas = quotas

    async def own(self, identity: Identity) -> list[QuotaUse]:
        """Read the caller's own use of each quota."""
        async with self._storage.read() as work:
            return await self._use(work, identity.user)

    async def of_user(self, identity: Identity, user_id: str) -> list[QuotaUse]:
        """Read a user's use of each quota."""
        require(identity, Permission.USERS_READ)
        async with self._storage.read() as work:
            found(await work.documents(Kind.USER).get(user_id), "user", user_id)
            return await self._use(work, user_id)

    async def _use(self, work: Work, user_id: str) -> list[QuotaUse]:
        preferences, layouts = await work.of(Usage).preferences(user_id), await work.of(Usage).layouts(user_id)
        feedback, crashes = await work.of(Usage).feedback(user_id), await work.of(Usage).crashes(user_id)
        used = {
            "sessions": await work.of(Usage).sessions(user_id),
            "machines": await work.of(Usage).machines(user_id),
            "preferences": preferences.count,
            "preferenceBytes": preferences.bytes,
            "layouts": layouts.count,
            "layoutBytes": layouts.bytes,
            "historyBytes": await work.of(History).superseded_bytes(user_id),
            "feedback": feedback.count,
            "feedbackBytes": feedback.bytes,
            "crashes": crashes.count,
            "crashBytes": crashes.bytes,
        }
        return [QuotaUse(name, amount, self._quotas.limits[name]) for name, amount in used.items()]
