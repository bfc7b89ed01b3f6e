"""Groups in a draft."""

from dataclasses import replace

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.access.permissions import ADMIN_GROUP, refuse_unknown_rights
from rostrum.manager.configs.model import Scope
from rostrum.manager.errors import Conflict
from rostrum.manager.preconditions import found
from rostrum.manager.preview.proposals.snapshot import Given, Rules, names, without


class GroupRules(Rules):
    """A group goes out of every list that names it, but not while configuration belongs to it."""

    def create(self, given: Given) -> None:
        refuse_unknown_rights("name", [given["name"]])
        if given["name"] in self.proposed.groups:
            raise Conflict(f"there is a group {given['name']!r} already")
        self.proposed.name_groups([given["name"]])
        self.change(given["name"], given)

    def change(self, key: str, given: Given) -> None:
        """Change the priority of a group, or what it expands to."""
        before = found(self.proposed.groups.get(key), "group", key)
        if given.get("name") not in (None, key):
            raise Invalid("wrong document", [Problem(path="name", message=f"a name cannot change; it is {key!r}")])
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
