"""Users in a draft."""

from dataclasses import replace

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.access.permissions import refuse_unknown_rights
from rostrum.manager.configs.model import Scope
from rostrum.manager.errors import Conflict
from rostrum.manager.preconditions import found
from rostrum.manager.preview.proposals.snapshot import Given, Rules, names
from rostrum.manager.users.model import Person


class UserRules(Rules):
    """A user goes with all that belongs to them alone."""

    def create(self, given: Given) -> None:
        if given["id"] in self.proposed.users:
            raise Conflict(f"there is a user {given['id']!r} already")
        self._put(Person(id=given["id"]), given)

    def change(self, key: str, given: Given) -> None:
        before = found(self.proposed.users.get(key), "user", key)
        if given.get("id") not in (None, key):
            raise Invalid("wrong document", [Problem(path="id", message=f"a user id cannot change; it is {key!r}")])
        self._put(before, given)

    def delete(self, key: str) -> None:
        """Delete a user with their layouts and their own configuration."""
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
