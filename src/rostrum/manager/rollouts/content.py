"""The new content of a document: validated, put into the document, and saved when the roll-out finishes."""

from dataclasses import replace
from typing import Any

from msgspec import Struct

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.offload import offload
from rostrum.base.problems import Problem
from rostrum.contracts.fdc3 import app_name
from rostrum.contracts.rollouts import Status
from rostrum.contracts.system_config import Scope, may_be_array
from rostrum.manager.access.identity import Identity
from rostrum.manager.apps.guard import check_app
from rostrum.manager.apps.model import App
from rostrum.manager.apps.service import app_with_definition, check_definition, save_app
from rostrum.manager.audiences import COMMON
from rostrum.manager.configs.checks import ConfigChecks, key_of
from rostrum.manager.configs.guard import check_config
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.configs.service import save_config
from rostrum.manager.document import Document
from rostrum.manager.kinds import Kind
from rostrum.manager.layouts.guard import check_layout
from rostrum.manager.layouts.model import Layout
from rostrum.manager.layouts.service import checked_definition, layout_with_definition, save_layout
from rostrum.manager.rollouts.repository import Rollouts
from rostrum.manager.storage import Work
from rostrum.manager.users.desktop_guard import DesktopGuard

StagedDocument = App | Layout | ConfigFile
"""A document that can be rolled out in stages."""


class NewContent(Struct, frozen=True):
    """Valid new content of a document, as JSON text."""

    text: str

    def put_into(self, document: StagedDocument) -> StagedDocument:
        """Return the document with the new content."""
        if isinstance(document, App):
            return app_with_definition(document, json_text.parse(self.text))
        if isinstance(document, Layout):
            return layout_with_definition(document, json_text.parse(self.text))
        return replace(document, contents=self.text)


async def get_document(work: Work, kind: Kind, key: str) -> StagedDocument | None:
    document: StagedDocument | None = await work.documents(kind).get(key)
    return document


def name_of(document: StagedDocument) -> str:
    """Return the name of a document for people."""
    if isinstance(document, App):
        return document.name
    if isinstance(document, Layout):
        return f"{document.name} ({document.type})"
    if document.scope is Scope.BASE:
        return document.file
    return f"{document.file} ({document.scope.value} {document.target})"


async def checked_content(document: StagedDocument, content: Any, checks: ConfigChecks) -> NewContent:
    """Refuse new content that could not be saved, and documents of one user."""
    text = json_text.dump(content)
    if isinstance(document, ConfigFile):
        if document.scope is Scope.USER:
            raise _invalid("key", "the configuration file belongs to one user; save it instead")
        if isinstance(content, list) and not may_be_array(document.file):
            raise _invalid("content", "must be an object")
        await checks.refuse_errors(key_of(document), text.decode())
    elif isinstance(document, App):
        await offload(len(text), check_definition, content, "content")
        if app_name(content) != document.name:
            raise _invalid("content.name", f"an app cannot be renamed; it is {document.name!r}")
    else:
        if document.owner != COMMON:
            raise _invalid("key", "the layout belongs to one user; save it instead")
        await offload(len(text), checked_definition, content, "content")
        if (content["type"], content["name"]) != (document.type, document.name):
            raise _invalid("content.name", f"type and name cannot change in stages; they are {name_of(document)!r}")
    return NewContent(text.decode())


async def require_permitted(work: Work, identity: Identity, document: StagedDocument, content: NewContent) -> None:
    """Refuse content that the writer must not put on the desktops of users who have more rights."""
    guard, after = DesktopGuard(work, identity), content.put_into(document)
    if isinstance(after, App):
        await check_app(guard, after)
    elif isinstance(after, Layout):
        await check_layout(guard, after)
    elif isinstance(document, ConfigFile):
        await check_config(guard, document, after)


async def save_content(work: Work, identity: Identity, document: StagedDocument, content: NewContent) -> None:
    """Make the new content the saved version of a document."""
    after = replace(content.put_into(document), stamp=work.stamp(document.stamp))
    if isinstance(after, App) and isinstance(document, App):
        await save_app(work, identity, document, after)
    elif isinstance(after, Layout) and isinstance(document, Layout):
        await save_layout(work, identity, document, after)
    elif isinstance(after, ConfigFile) and isinstance(document, ConfigFile):
        await save_config(work, identity, document, after)


async def finish_saved(work: Work, kind: Kind, key: str, body: str) -> None:
    """Finish the roll-out of a document whose new version is about to be saved, with this JSON text of the document."""
    document: Document | None = await work.documents(kind).get(key)
    if document is None or document.rollout is None:
        return
    for rollout in await work.of(Rollouts).named([document.rollout]):
        if json_text.parse(body)[document.content_member] == json_text.parse(rollout.candidate):
            await work.of(Rollouts).put(rollout, rollout.ended(Status.FINISHED, work.now))
            work.journal.released(kind, key)


def _invalid(path: str, message: str) -> Invalid:
    return Invalid("the roll-out has problems", [Problem(path=path, message=message)])
