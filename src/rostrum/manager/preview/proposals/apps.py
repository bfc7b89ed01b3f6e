"""Apps in a draft."""

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.fdc3 import app_name
from rostrum.manager.apps.model import AppAccess
from rostrum.manager.apps.service import check_definition
from rostrum.manager.errors import Conflict
from rostrum.manager.preconditions import found
from rostrum.manager.preview.proposals.snapshot import Given, Rules


class AppRules(Rules):
    """An app is known by the name in its definition."""

    def create(self, given: Given) -> None:
        """Make an app."""
        check_definition(given["definition"], "definition")
        name = app_name(given["definition"])
        if name in self.draft.apps:
            raise Conflict(f"there is an app {name!r} already")
        self.draft.apps[name] = self.draft.shared(name, AppAccess(name=name, title=""), given)

    def change(self, key: str, given: Given) -> None:
        """Change who may see an app, or its definition."""
        before = found(self.draft.apps.get(key), "app", key)
        if "definition" in given:
            check_definition(given["definition"], "definition")
            if app_name(given["definition"]) != key:
                message = f"an app cannot be renamed; it is {key!r}"
                raise Invalid("wrong definition", [Problem(path="definition.name", message=message)])
        self.draft.apps[key] = self.draft.shared(key, before, given)

    def delete(self, key: str) -> None:
        """Delete an app; those it was given to lose it."""
        del self.draft.apps[found(self.draft.apps.get(key), "app", key).name]
        self.draft.everyone_without("apps", key)
