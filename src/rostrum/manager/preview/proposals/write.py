"""Proposed writes: the rules of each document kind, and the decoding and application of a write."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.app_entries import AppChange, AppEntry
from rostrum.contracts.body import Body, Change
from rostrum.contracts.fdc3 import app_name
from rostrum.contracts.groups import GroupChange, GroupDocument, NewGroup
from rostrum.contracts.layout_entries import LayoutChange, LayoutEntry
from rostrum.contracts.previews import Proposal
from rostrum.contracts.system_config import ConfigChange, ConfigDocument, Scope, may_be_array
from rostrum.contracts.users import NewUser, UserChange, UserDocument
from rostrum.contracts.validation_messages import problems_of, under
from rostrum.manager.access.permissions import ADMIN_GROUP, refuse_unknown_rights
from rostrum.manager.apps.model import AppAccess
from rostrum.manager.apps.service import check_definition, new_app_name
from rostrum.manager.audiences import COMMON
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.configs.scopes import scope_of
from rostrum.manager.errors import Conflict, DuringRollout, found
from rostrum.manager.layouts.model import LayoutAccess
from rostrum.manager.layouts.service import checked_definition
from rostrum.manager.preview.proposals.snapshot import NEW, Given, ProposedSnapshot, Rules, names, without
from rostrum.manager.users.model import Person

_BODIES: Mapping[str, Mapping[str, type[Body]]] = {
    "configs": {"create": ConfigDocument, "replace": ConfigDocument, "change": ConfigChange},
    "apps": {"create": AppEntry, "replace": AppEntry, "change": AppChange},
    "layouts": {"create": LayoutEntry, "replace": LayoutEntry, "change": LayoutChange},
    "users": {"create": NewUser, "replace": UserDocument, "change": UserChange},
    "groups": {"create": NewGroup, "replace": GroupDocument, "change": GroupChange},
}


class AppRules(Rules):
    """Rules of apps: an app is identified by the name in its definition."""

    def create(self, given: Given) -> None:
        check_definition(given["definition"], "definition")
        name = new_app_name(given["definition"])
        if name in self.proposed.apps:
            raise Conflict(f"the app {name!r} already exists")
        self.proposed.apps[name] = self.proposed.shared(name, AppAccess(name=name, title=""), given)

    def change(self, key: str, given: Given) -> None:
        """Change the access to an app, or its definition."""
        before = found(self.proposed.apps.get(key), "app", key)
        if "definition" in given:
            check_definition(given["definition"], "definition")
            if app_name(given["definition"]) != key:
                message = f"an app cannot be renamed; it is {key!r}"
                raise Invalid("invalid definition", [Problem(path="definition.name", message=message)])
        self.proposed.apps[key] = self.proposed.shared(key, before, given)

    def delete(self, key: str) -> None:
        """Delete an app, also from the lists of users."""
        del self.proposed.apps[found(self.proposed.apps.get(key), "app", key).name]
        self.proposed.everyone_without("apps", key)


class ConfigRules(Rules):
    """Rules of configuration files: names are unique in a scope."""

    def create(self, given: Given) -> None:
        self._put(self.proposed.new_id(), given)

    def change(self, key: str, given: Given) -> None:
        """Replace a file, which may move to another scope, or its contents only."""
        before = found(self.proposed.configs.get(key), "configuration file", key)
        if "file" in given:
            self._put(key, given)
        elif "contents" in given:
            if isinstance(given["contents"], list) and not may_be_array(before.file):
                raise Invalid("invalid contents", [Problem(path="contents", message="must be an object")])
            self.proposed.configs[key] = self._with_contents(before, given["contents"])

    def delete(self, key: str) -> None:
        del self.proposed.configs[found(self.proposed.configs.get(key), "configuration file", key).id]

    def _put(self, key: str, given: Given) -> None:
        scope, target = scope_of(ConfigDocument.model_construct(**given))
        if scope is Scope.USER and target not in self.proposed.users:
            raise Invalid("unknown user", [Problem(path="user", message=f"there is no user {target!r}")])
        if scope is Scope.GROUP:
            self.proposed.name_groups([target])
        after = ConfigFile(
            id=key, file=given["file"], scope=scope, target=target, contents="", stamp=self.proposed.stamp()
        )
        for other in self.proposed.configs.values():
            if _file_place(other) == _file_place(after) and other.id != key:
                where = f"{scope.value} {target}".strip()
                raise Conflict(f"{after.file} already exists in the scope {where}; its ID is {other.id}")
        self.proposed.configs[key] = self._with_contents(after, given["contents"])

    def _with_contents(self, config: ConfigFile, contents: Any) -> ConfigFile:
        return replace(config, contents=json_text.dump(contents).decode(), stamp=self.proposed.stamp())


def _file_place(config: ConfigFile) -> tuple[str, Scope, str]:
    return config.file, config.scope, config.target


class GroupRules(Rules):
    """Rules of groups: deletion removes a group from all lists, and is refused if it has configuration."""

    def create(self, given: Given) -> None:
        refuse_unknown_rights("name", [given["name"]])
        if given["name"] in self.proposed.groups:
            raise Conflict(f"the group {given['name']!r} already exists")
        self.proposed.name_groups([given["name"]])
        self.change(given["name"], given)

    def change(self, key: str, given: Given) -> None:
        """Change the priority of a group, or the groups it inherits from."""
        before = found(self.proposed.groups.get(key), "group", key)
        if given.get("name") not in (None, key):
            raise Invalid("invalid group", [Problem(path="name", message=f"cannot be changed; it must be {key!r}")])
        refuse_unknown_rights("expandsTo", given.get("expands_to", ()))
        self.proposed.groups[key] = names(given.get("expands_to", before))
        self.proposed.priorities[key] = given.get("priority", self.proposed.priorities[key])
        self.proposed.name_groups(self.proposed.groups[key])

    def delete(self, key: str) -> None:
        proposed = self.proposed
        found(proposed.groups.get(key), "group", key)
        if key == ADMIN_GROUP:
            raise Conflict("the admin group cannot be deleted")
        files = sum((config.scope, config.target) == (Scope.GROUP, key) for config in proposed.configs.values())
        if files:
            raise Conflict(f"{files} configuration file(s) belong to the group {key!r}: delete them first")
        del proposed.groups[key], proposed.priorities[key]
        proposed.groups = {name: without(further, key) for name, further in proposed.groups.items()}
        proposed.everyone_without("groups", key)
        proposed.apps = {name: replace(app, access=without(app.access, key)) for name, app in proposed.apps.items()}
        proposed.layouts = {
            name: replace(layout, access=without(layout.access, key)) for name, layout in proposed.layouts.items()
        }


class LayoutRules(Rules):
    """Rules of layouts: type and name are unique for an owner."""

    def create(self, given: Given) -> None:
        key = self.proposed.new_id()
        bare = LayoutAccess(id=key, name="", type="", owner=COMMON, created=self.proposed.now, revision=NEW)
        self._put(bare, given)

    def change(self, key: str, given: Given) -> None:
        """Change the owner, access or definition of a layout."""
        self._put(found(self.proposed.layouts.get(key), "layout", key), given)

    def delete(self, key: str) -> None:
        """Delete a layout, also from the lists of users."""
        del self.proposed.layouts[found(self.proposed.layouts.get(key), "layout", key).id]
        self.proposed.everyone_without("layouts", key)

    def _put(self, before: LayoutAccess, given: Given) -> None:
        owner = given.get("owner", before.owner)
        if owner != COMMON and owner not in self.proposed.users:
            raise Invalid("unknown owner", [Problem(path="owner", message=f"there is no user {owner!r}")])
        after = replace(before, owner=owner, default=given.get("default", before.default))
        if "definition" in given:
            definition = checked_definition(given["definition"], "definition")
            given = {**given, "definition": definition}
            after = replace(after, name=definition["name"], type=definition["type"])
        for other in self.proposed.layouts.values():
            if _layout_place(other) == _layout_place(after) and other.id != after.id:
                raise Conflict(f"{owner!r} has a {after.type} layout {after.name!r} already")
        self.proposed.layouts[after.id] = self.proposed.shared(after.id, after, given)


def _layout_place(layout: LayoutAccess) -> tuple[str, str, str]:
    return layout.owner, layout.type, layout.name


class UserRules(Rules):
    """Rules of users: deletion also removes the documents of the user."""

    def create(self, given: Given) -> None:
        if given["id"] in self.proposed.users:
            raise Conflict(f"the user {given['id']!r} already exists")
        self._put(Person(id=given["id"]), given)

    def change(self, key: str, given: Given) -> None:
        before = found(self.proposed.users.get(key), "user", key)
        if given.get("id") not in (None, key):
            raise Invalid("invalid user", [Problem(path="id", message=f"cannot be changed; it must be {key!r}")])
        self._put(before, given)

    def delete(self, key: str) -> None:
        """Delete a user with their layouts and configuration files."""
        del self.proposed.users[found(self.proposed.users.get(key), "user", key).id]
        self.proposed.chosen.pop(key, None)
        for layout in [layout.id for layout in self.proposed.layouts.values() if layout.owner == key]:
            del self.proposed.layouts[layout]
            self.proposed.everyone_without("layouts", layout)
        for config in list(self.proposed.configs.values()):
            if (config.scope, config.target) == (Scope.USER, key):
                del self.proposed.configs[config.id]

    def _put(self, before: Person, given: Given) -> None:
        refuse_unknown_rights("groups", given.get("groups", ()))
        after = replace(
            before,
            groups=names(given.get("groups", before.groups)),
            apps=names(given.get("apps", before.apps)),
            layouts=names(given.get("layouts", before.layouts)),
            disabled=given.get("disabled", before.disabled),
        )
        self.proposed.name_groups(after.groups)
        self.proposed.users[after.id] = after


_RULES: Mapping[str, type[Rules]] = {
    "configs": ConfigRules,
    "apps": AppRules,
    "layouts": LayoutRules,
    "users": UserRules,
    "groups": GroupRules,
}
KINDS = frozenset(_RULES)


def write(proposed: ProposedSnapshot, kind: str, place: str, proposal: Proposal) -> None:
    """Apply a write of one document kind; problems contain its place."""
    try:
        key = "" if proposal.action == "create" else _key(proposal)
        given = {} if proposal.action == "delete" else _given(kind, proposal)
    except Invalid as error:
        raise Invalid(str(error), under(place, error.problems)) from None
    before = _staged(proposed, kind, key)
    try:
        _try(_RULES[kind](proposed), proposal.action, key, given)
    except Invalid as error:
        raise Invalid(str(error), under(f"{place}.document", error.problems)) from None
    if before is not None and before.rollout is not None:
        _refuse_during_rollout(before, _staged(proposed, kind, key))


def _staged(proposed: ProposedSnapshot, kind: str, key: str) -> AppAccess | LayoutAccess | ConfigFile | None:
    """Return a document of a kind that can be rolled out in stages."""
    documents: Mapping[str, Mapping[str, AppAccess | LayoutAccess | ConfigFile]] = {
        "apps": proposed.apps,
        "layouts": proposed.layouts,
        "configs": proposed.configs,
    }
    return documents.get(kind, {}).get(key)


def _refuse_during_rollout(
    before: AppAccess | LayoutAccess | ConfigFile, after: AppAccess | LayoutAccess | ConfigFile | None
) -> None:
    """Refuse what a real write refuses: other content, another owner or scope, and deletion."""
    if isinstance(before, ConfigFile) and isinstance(after, ConfigFile):
        is_same = replace(after, stamp=before.stamp, rollout=before.rollout) == before
    else:
        owners = [getattr(each, "owner", None) for each in (before, after)]
        is_same = getattr(after, "revision", NEW) != NEW and owners[0] == owners[1]
    if not is_same:
        noun = (
            "configuration file"
            if isinstance(before, ConfigFile)
            else "app"
            if isinstance(before, AppAccess)
            else "layout"
        )
        key = before.name if isinstance(before, AppAccess) else before.id
        raise DuringRollout(noun, key, before.rollout or "")


def _try(rules: Rules, action: str, key: str, given: Given) -> None:
    match action:
        case "create":
            rules.create(given)
        case "delete":
            rules.delete(key)
        case _:
            # Replacing changes all members.
            rules.change(key, given)


def _key(proposal: Proposal) -> str:
    if not proposal.key:
        raise Invalid("which one?", [Problem(path="key", message=f"is required for {proposal.action}")])
    return proposal.key


def _given(kind: str, proposal: Proposal) -> Given:
    if proposal.document is None:
        raise Invalid("no document", [Problem(path="document", message=f"is required for {proposal.action}")])
    try:
        body = _BODIES[kind][proposal.action].model_validate(proposal.document)
    except ValidationError as error:
        raise Invalid("the change has problems", under("document", problems_of(error, proposal.document))) from None
    return body.given() if isinstance(body, Change) else dict(body)
