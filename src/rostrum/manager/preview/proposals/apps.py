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
        check_definition(given["definition"], "definition")
        name = app_name(given["definition"])
        if name in self.proposed.apps:
            raise Conflict(f"there is an app {name!r} already")
        self.proposed.apps[name] = self.proposed.shared(name, AppAccess(name=name, title=""), given)

    def change(self, key: str, given: Given) -> None:
        """Change who may see an app, or its definition."""
        before = found(self.proposed.apps.get(key), "app", key)
        if "definition" in given:
            check_definition(given["definition"], "definition")
            if app_name(given["definition"]) != key:
                message = f"an app cannot be renamed; it is {key!r}"
                raise Invalid("wrong definition", [Problem(path="definition.name", message=message)])
        self.proposed.apps[key] = self.proposed.shared(key, before, given)

    def delete(self, key: str) -> None:
        """Delete an app; those it was given to lose it."""
        del self.proposed.apps[found(self.proposed.apps.get(key), "app", key).name]
        self.proposed.everyone_without("apps", key)
