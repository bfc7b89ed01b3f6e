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
        """Make a user."""
        if given["id"] in self.draft.users:
            raise Conflict(f"there is a user {given['id']!r} already")
        self._put(Person(id=given["id"]), given)

    def change(self, key: str, given: Given) -> None:
        """Change what a user was given."""
        before = found(self.draft.users.get(key), "user", key)
        if given.get("id") not in (None, key):
            raise Invalid("wrong document", [Problem(path="id", message=f"a user id cannot change; it is {key!r}")])
        self._put(before, given)

    def delete(self, key: str) -> None:
        """Delete a user with their layouts and their own configuration."""
        del self.draft.users[found(self.draft.users.get(key), "user", key).id]
        self.draft.chosen.pop(key, None)
        for layout in [layout.id for layout in self.draft.layouts.values() if layout.owner == key]:
            del self.draft.layouts[layout]
            self.draft.everyone_without("layouts", layout)
        for config in list(self.draft.configs.values()):
            if (config.scope, config.target) == (Scope.USER, key):
                del self.draft.configs[config.id]

    def _put(self, before: Person, given: Given) -> None:
        refuse_unknown_rights("groups", given.get("groups", ()))
        after = replace(
            before,
            groups=names(given.get("groups", before.groups)),
            apps=names(given.get("apps", before.apps)),
            layouts=names(given.get("layouts", before.layouts)),
            disabled=given.get("disabled", before.disabled),
        )
        self.draft.name_groups(after.groups)
        self.draft.users[after.id] = after
