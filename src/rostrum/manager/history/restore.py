"""Brings documents back to what they were, under the same rules as any other change of them."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import msgspec

from rostrum.base import json_text
from rostrum.manager.access.guards import DesktopGuard
from rostrum.manager.access.identity import Identity
from rostrum.manager.apps.model import App
from rostrum.manager.apps.service import app_with_definition, keep_app
from rostrum.manager.configs.model import ConfigFile, Scope
from rostrum.manager.configs.service import keep_config
from rostrum.manager.groups.model import Group
from rostrum.manager.groups.service import keep_group, remove_group
from rostrum.manager.kinds import Kind
from rostrum.manager.layouts.model import Layout
from rostrum.manager.layouts.service import keep_layout, layout_with_definition
from rostrum.manager.preferences.model import Preference
from rostrum.manager.preferences.service import keep_preference
from rostrum.manager.stamp import Stamp
from rostrum.manager.storage import Work
from rostrum.manager.users.model import User
from rostrum.manager.users.service import keep_user, remove_user

_raw_members = msgspec.json.Decoder(dict[str, msgspec.Raw])


async def restore(work: Work, identity: Identity, kind: Kind, key: str, body: str | None) -> None:
    """Make a document what a kept body says; without one, make it go."""
    await _KINDS[kind](work, identity, key, body)


async def step_aside(work: Work, kind: Kind, key: str) -> None:
    """Free what a document is known by, because another one that comes back may have had it."""
    if kind is Kind.LAYOUT and (layout := await work.layouts.get(key)):
        await work.layouts.put(replace(layout, owner="", name=key))
    if kind is Kind.CONFIG and (config := await work.configs.get(key)):
        await work.configs.put(replace(config, target="", file=key))


async def _app(work: Work, identity: Identity, name: str, text: str | None) -> None:
    before = await work.apps.get(name)
    if text is None:
        await work.apps.remove(name, work.stamp())
        return
    body = json_text.parse(text)
    bare = App(
        name=name,
        type="",
        title="",
        definition="",
        public=body["public"],
        access=tuple(body["accessList"]),
        disabled=body["disabled"],
        stamp=_stamp(work, before),
    )
    after = replace(app_with_definition(bare, body["definition"]), definition=_member(text, "definition"))
    await keep_app(work, identity, before, after)


async def _layout(work: Work, identity: Identity, layout_id: str, text: str | None) -> None:
    before = await work.layouts.get(layout_id)
    if text is None:
        await work.layouts.remove(layout_id, work.stamp())
        return
    body = json_text.parse(text)
    bare = Layout(
        id=layout_id,
        name="",
        type="",
        owner=body["owner"],
        definition="",
        public=body["public"],
        access=tuple(body["accessList"]),
        default=body["default"],
        disabled=body["disabled"],
        stamp=_stamp(work, before),
    )
    after = replace(layout_with_definition(bare, body["definition"]), definition=_member(text, "definition"))
    await keep_layout(work, identity, before, after)


async def _preference(work: Work, _identity: Identity, preference_id: str, text: str | None) -> None:
    before = await work.preferences.get(preference_id)
    if text is None:
        await work.preferences.remove(preference_id)
        return
    body = json_text.parse(text)
    after = Preference(
        id=preference_id,
        user=body["user"],
        app=body["app"],
        data=_member(text, "data"),
        stamp=_stamp(work, before),
    )
    await keep_preference(work, before, after)


async def _config(work: Work, identity: Identity, config_id: str, text: str | None) -> None:
    before = await work.configs.get(config_id)
    if text is None:
        if before is not None:
            await DesktopGuard(work, identity).check_config(before)
        await work.configs.remove(config_id)
        return
    body = json_text.parse(text)
    scope = next((scope for scope in Scope if scope.value in body), Scope.BASE)
    after = ConfigFile(
        id=config_id,
        file=body["file"],
        scope=scope,
        target=body.get(scope.value, ""),
        contents=_member(text, "contents"),
        stamp=_stamp(work, before),
    )
    await keep_config(work, identity, before, after)


async def _user(work: Work, identity: Identity, user_id: str, text: str | None) -> None:
    before = await work.users.get(user_id)
    if text is None:
        if before is not None:
            await remove_user(work, identity, before)
        return
    body = json_text.parse(text)
    # A password is never brought back: a user who had been deleted gets a new one, or cannot sign in.
    bare = before or User(id=user_id, epoch=work.revision, stamp=work.stamp())
    lists: dict[str, Any] = {name: tuple(body[name]) for name in ("groups", "apps", "layouts")}
    await keep_user(work, identity, before, replace(bare, email=body["email"], disabled=body["disabled"], **lists))


async def _group(work: Work, identity: Identity, name: str, text: str | None) -> None:
    before = await work.groups.get(name)
    if text is None:
        if before is not None:
            await remove_group(work, identity, before)
        return
    body = json_text.parse(text)
    expands_to = tuple(body["expandsTo"])
    after = Group(name=name, priority=body["priority"], expands_to=expands_to, stamp=_stamp(work, before))
    await keep_group(work, identity, before, after)


_KINDS: dict[Kind, Callable[[Work, Identity, str, str | None], Awaitable[None]]] = {
    Kind.APP: _app,
    Kind.LAYOUT: _layout,
    Kind.PREFERENCE: _preference,
    Kind.CONFIG: _config,
    Kind.USER: _user,
    Kind.GROUP: _group,
}


def _member(text: str, name: str) -> str:
    """Take a member out of a body as it was written, letter by letter."""
    return bytes(_raw_members.decode(text)[name]).decode()


def _stamp(work: Work, before: App | Layout | Preference | ConfigFile | Group | None) -> Stamp:
    return work.stamp(None if before is None else before.stamp)
