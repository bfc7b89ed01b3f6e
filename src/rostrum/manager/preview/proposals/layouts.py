"""Layouts in a draft."""

from dataclasses import replace

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.errors import Conflict
from rostrum.manager.events.model import COMMON
from rostrum.manager.layouts.model import LayoutAccess
from rostrum.manager.layouts.service import checked_definition
from rostrum.manager.preconditions import found
from rostrum.manager.preview.proposals.snapshot import NEW, Given, Rules


class LayoutRules(Rules):
    """An owner has one layout of a type and name."""

    def create(self, given: Given) -> None:
        key = self.proposed.new_id()
        bare = LayoutAccess(id=key, name="", type="", owner=COMMON, created=self.proposed.now, revision=NEW)
        self._put(bare, given)

    def change(self, key: str, given: Given) -> None:
        """Change who owns or may see a layout, or its definition."""
        self._put(found(self.proposed.layouts.get(key), "layout", key), given)

    def delete(self, key: str) -> None:
        """Delete a layout; those it was given to lose it."""
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
            if _place(other) == _place(after) and other.id != after.id:
                raise Conflict(f"{owner!r} has a {after.type} layout {after.name!r} already")
        self.proposed.layouts[after.id] = self.proposed.shared(after.id, after, given)


def _place(layout: LayoutAccess) -> tuple[str, str, str]:
    return layout.owner, layout.type, layout.name
