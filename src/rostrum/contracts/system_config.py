"""System configuration: requests and responses of clients, and the files of administrators."""

from enum import StrEnum
from typing import Any

from pydantic import Field, model_validator

from rostrum.contracts.body import Body, Change, ListView, Stamped, View
from rostrum.contracts.choice import OneOf
from rostrum.contracts.names import FileName, GroupName, UserId, Version


class Scope(StrEnum):
    """The scope of a configuration file, lowest precedence first."""

    BASE = "base"
    VERSION = "version"
    GROUP = "group"
    USER = "user"


_ARRAY_FILES = frozenset({"channels.json", "themes.json"})

Contents = dict[str, Any] | list[Any]
GivenContents = OneOf[Contents]


def may_be_array(file: str) -> bool:
    """Return whether a file may contain an array instead of an object."""
    return file in _ARRAY_FILES


class ConfigDocument(Body):
    """One file for one scope: a version, a group or a user; none of them means base."""

    server_filled = Body.server_filled | {"id", "scope"}

    file: FileName
    contents: GivenContents
    version: Version | None = None
    group: GroupName | None = None
    user: UserId | None = None

    @model_validator(mode="after")
    def _one_scope(self) -> "ConfigDocument":
        scopes = [name for name in ("version", "group", "user") if getattr(self, name) is not None]
        if len(scopes) > 1:
            raise ValueError(f"belongs to one scope only, not to {' and '.join(scopes)}")
        if isinstance(self.contents, list) and not may_be_array(self.file):
            raise ValueError(f"the contents of {self.file} must be an object")
        return self


class ConfigChange(Change):
    """New contents of a file."""

    contents: GivenContents = Field(default={})


class ConfigProblem(View):
    """A problem of a file, compared with the definitions of settings."""

    path: str = Field(description="Where it is in the contents, such as notifications.toastExpiry.")
    severity: str = Field(description="error, warning or note")
    message: str
    suggestion: str | None = Field(None, description="The most similar valid name or word, if any.")


class ConfigValidation(View):
    """The validation of contents that were not saved."""

    checked: bool = Field(description="False if the server does not validate files.")
    problems: list[ConfigProblem]


class ConfigView(Stamped):
    """A file in responses to administrators."""

    id: str
    file: str
    scope: str = Field(description="base, version, group or user")
    contents: Contents
    version: str | None = None
    group: str | None = None
    user: str | None = None
    problems: list[ConfigProblem] | None = Field(
        None, description="Validation problems of the contents; omitted in lists, and if validation is disabled."
    )


class ConfigList(ListView):
    """One page of files."""

    items: list[ConfigView]


class FileContents(View):
    """A file in responses to clients."""

    contents: Contents
