"""Configuration files in a draft."""

from dataclasses import replace
from typing import Any

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.system_config import ConfigDocument, may_be_array
from rostrum.manager.configs.model import ConfigFile, Scope
from rostrum.manager.configs.scopes import scope_of
from rostrum.manager.errors import Conflict
from rostrum.manager.preconditions import found
from rostrum.manager.preview.proposals.snapshot import Given, Rules


class ConfigRules(Rules):
    """A file belongs to one scope, and there is one of its name in it."""

    def create(self, given: Given) -> None:
        self._put(self.proposed.new_id(), given)

    def change(self, key: str, given: Given) -> None:
        """Replace a file, which may move to another scope, or its contents only."""
        before = found(self.proposed.configs.get(key), "configuration file", key)
        if "file" in given:
            self._put(key, given)
        elif "contents" in given:
            if isinstance(given["contents"], list) and not may_be_array(before.file):
                raise Invalid("wrong contents", [Problem(path="contents", message="must be an object")])
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
            if _place(other) == _place(after) and other.id != key:
                where = f"{scope.value} {target}".strip()
                raise Conflict(f"there is a {after.file} for {where} already: {other.id}")
        self.proposed.configs[key] = self._with_contents(after, given["contents"])

    def _with_contents(self, config: ConfigFile, contents: Any) -> ConfigFile:
        return replace(config, contents=json_text.dump(contents).decode(), stamp=self.proposed.stamp())


def _place(config: ConfigFile) -> tuple[str, Scope, str]:
    return config.file, config.scope, config.target
