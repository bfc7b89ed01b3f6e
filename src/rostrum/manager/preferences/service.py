"""Preferences: the data that each app stores for each user."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.ids import new_id
from rostrum.base.problems import Problem
from rostrum.contracts.preference_entries import NewPreference, PreferenceChange, PreferenceDocument
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.audit.preparation import prepares_audit
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import Conflict, Expected, NotFound, found, same_revision
from rostrum.manager.history.restore import DocumentService, member_text, stamp_after
from rostrum.manager.kinds import Kind
from rostrum.manager.preferences.model import Preference
from rostrum.manager.preferences.repository import Preferences
from rostrum.manager.quotas.repository import Amount, Usage
from rostrum.manager.quotas.service import Quotas
from rostrum.manager.storage import Storage, Work
from rostrum.manager.users.repository import Users


class PreferenceService(DocumentService):
    """The preference store."""

    kind = Kind.PREFERENCE

    def __init__(self, storage: Storage, quotas: Quotas) -> None:
        self._storage = storage
        self._quotas = quotas

    async def own(self, identity: Identity, apps: Iterable[str] | None = None) -> list[Preference]:
        """Read the caller's preferences, all or those of some apps."""
        async with self._storage.read() as work:
            return await work.of(Preferences).of_user(identity.user, apps)

    async def save(self, identity: Identity, app: str, data: Any) -> None:
        """Store the preferences of one app for the caller."""
        await self.store(identity, app, _unwrapped(data))

    async def store(self, identity: Identity, app: str, data: Any, *, merge: bool = False) -> Preference:
        """Store the data of one app for the caller unchanged, or merge it into the stored object."""
        text = json_text.dump(data)
        self._quotas.require_size(len(text))
        return await self._store(identity, app, text.decode(), data if merge and isinstance(data, dict) else None)

    @prepares_audit
    async def _store(self, identity: Identity, app: str, text: str, merged: dict[str, Any] | None) -> Preference:
        async with self._storage.write(identity.user) as work:
            before = await work.of(Preferences).find(identity.user, app)
            if before is not None and merged is not None:
                text = _merged(before.data, merged)
            size = len(text.encode())
            self._quotas.require_size(size)
            used = await work.of(Usage).preferences(identity.user)
            freed = 0 if before is None else len(before.data.encode())
            wanted = Amount(used.count + (before is None), used.bytes - freed + size)
            self._quotas.require_amount("preferences", "preferenceBytes", used=used, wanted=wanted)
            self._quotas.limit_history(work, identity.user)
            if before is None:
                after = _preference(work, identity.user, app, text)
                await work.of(Preferences).add(after)
            else:
                after = replace(before, data=text, stamp=work.stamp(before.stamp))
                await work.of(Preferences).put(after)
            return after

    @prepares_audit
    async def remove_own(self, identity: Identity, app: str) -> None:
        """Delete the caller's preferences of one app."""
        async with self._storage.write(identity.user) as work:
            if await work.of(Preferences).find(identity.user, app) is None:
                raise NotFound("preferences of yours for the app", app)
            self._quotas.limit_history(work, identity.user)
            await work.of(Preferences).remove_of_user(identity.user, app)

    @prepares_audit
    async def clear(self, identity: Identity, app: str | None) -> None:
        """Delete the preferences of one app, or of all apps, for the caller."""
        async with self._storage.write(identity.user) as work:
            self._quotas.limit_history(work, identity.user)
            await work.of(Preferences).remove_of_user(identity.user, app)

    async def page(self, identity: Identity, query: Query) -> Page[Preference]:
        require(identity, Permission.PREFERENCES_READ)
        async with self._storage.read() as work:
            return await work.of(Preferences).page(query)

    async def get(self, identity: Identity, preference_id: str) -> Preference:
        require(identity, Permission.PREFERENCES_READ)
        async with self._storage.read() as work:
            return found(await work.of(Preferences).get(preference_id), "preference", preference_id)

    @prepares_audit
    async def create(self, identity: Identity, body: NewPreference) -> Preference:
        require(identity, Permission.PREFERENCES_WRITE)
        async with self._storage.write(identity.user) as work:
            preference = _preference(work, body.user, body.app, json_text.dump(body.data).decode())
            await save_preference(work, None, preference)
            return preference

    async def replace(
        self, identity: Identity, preference_id: str, body: PreferenceDocument, expected: Expected = None
    ) -> Preference:
        return await self._put(identity, preference_id, body.data, expected, {"user": body.user, "app": body.app})

    @prepares_audit
    async def change(
        self, identity: Identity, preference_id: str, body: PreferenceChange, expected: Expected = None
    ) -> Preference:
        """Change the data of a preference, if any was sent."""
        if "data" not in body.given():
            require(identity, Permission.PREFERENCES_WRITE)
            async with self._storage.write(identity.user) as work:
                preference = found(await work.of(Preferences).get(preference_id), "preference", preference_id)
                same_revision(expected, preference.stamp.revision, "preference", preference_id)
                return preference
        return await self._put(identity, preference_id, body.data, expected, {})

    @prepares_audit
    async def remove(self, identity: Identity, preference_id: str, expected: Expected = None) -> None:
        require(identity, Permission.PREFERENCES_WRITE)
        async with self._storage.write(identity.user) as work:
            preference = found(await work.of(Preferences).get(preference_id), "preference", preference_id)
            same_revision(expected, preference.stamp.revision, "preference", preference_id)
            await work.of(Preferences).remove(preference_id)

    @prepares_audit
    async def _put(
        self, identity: Identity, preference_id: str, data: Any, expected: Expected, fixed: dict[str, str | None]
    ) -> Preference:
        require(identity, Permission.PREFERENCES_WRITE)
        async with self._storage.write(identity.user) as work:
            before = found(await work.of(Preferences).get(preference_id), "preference", preference_id)
            same_revision(expected, before.stamp.revision, "preference", preference_id)
            moved = [name for name, value in fixed.items() if value not in (None, getattr(before, name))]
            if moved:
                raise Invalid(
                    "invalid document",
                    [Problem(path=name, message="cannot be changed; create another") for name in moved],
                )
            after = replace(before, data=json_text.dump(data).decode(), stamp=work.stamp(before.stamp))
            await save_preference(work, before, after)
            return after

    @staticmethod
    async def restore(work: Work, identity: Identity, key: str, body: str | None) -> None:  # noqa: ARG004
        """Restore a preference of a user."""
        before = await work.of(Preferences).get(key)
        if body is None:
            await work.of(Preferences).remove(key)
            return
        members = json_text.parse(body)
        after = Preference(
            id=key,
            user=members["user"],
            app=members["app"],
            data=member_text(body, "data"),
            stamp=stamp_after(work, before),
        )
        await save_preference(work, before, after)


async def save_preference(work: Work, before: Preference | None, after: Preference) -> None:
    """Store a new or changed preference. Its user exists and has no other one for the same app."""
    if before is None:
        if await work.of(Users).login(after.user) is None:
            raise Invalid("unknown user", [Problem(path="user", message=f"there is no user {after.user!r}")])
        if await work.of(Preferences).find(after.user, after.app) is not None:
            raise Conflict(f"{after.user!r} has preferences for {after.app!r} already")
    await (work.of(Preferences).add if before is None else work.of(Preferences).put)(after)


def _merged(stored: str, sent: dict[str, Any]) -> str:
    before = json_text.parse(stored)
    return json_text.dump({**before, **sent} if isinstance(before, dict) else sent).decode()


def _unwrapped(data: Any) -> Any:
    # Some desktops send the complete preferences object as data, which would be wrapped twice.
    if isinstance(data, dict) and "data" in data and isinstance(data.get("app"), str):
        return data["data"]
    return data


def _preference(work: Work, user: str, app: str, text: str) -> Preference:
    return Preference(id=new_id(), user=user, app=app, data=text, stamp=work.stamp())
