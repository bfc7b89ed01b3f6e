"""Determines which users receive the new version of a document, and since which stage."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from rostrum.contracts.system_config import Scope
from rostrum.manager.access.reasons import Viewer, evaluate_app, evaluate_layouts
from rostrum.manager.approval.rules import protected_people
from rostrum.manager.apps.model import App
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.document import Document
from rostrum.manager.groups.model import Graph, expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.layouts.model import Layout, LayoutAccess
from rostrum.manager.rollouts.model import Cohort
from rostrum.manager.storage import Work
from rostrum.manager.users.model import Person
from rostrum.manager.users.repository import Users

EVERYONE = 0
"""The stage of users who receive the document, but not its new version."""


async def receivers(work: Work, document: Document, cohort: Cohort) -> Mapping[str, int]:
    """Return the users who receive a document, each with the first stage that includes the user, or ``EVERYONE``."""
    people, graph = await work.of(Users).people(), await work.of(Groups).graph()
    return await asyncio.to_thread(_receivers, people, graph, document, cohort)


async def protected_stages(work: Work, document: App | Layout | ConfigFile, cohort: Cohort) -> frozenset[int]:
    """Return the stages of the users for whom changes require approval, also of those who are disabled."""
    people = [replace(person, disabled=False) for person in await protected_people(work)]
    enabled = document if isinstance(document, ConfigFile) else replace(document, disabled=False)
    graph = await work.of(Groups).graph()
    return frozenset((await asyncio.to_thread(_receivers, people, graph, enabled, cohort)).values())


def _receivers(people: list[Person], graph: Graph, document: Document, cohort: Cohort) -> dict[str, int]:
    found = {}
    expanded: dict[tuple[str, ...], frozenset[str]] = {}
    for person in people:
        if person.groups not in expanded:
            expanded[person.groups] = expand(person.groups, graph)
        groups = expanded[person.groups]
        if not person.disabled and _receives(document, person, groups):
            found[person.id] = cohort.stage_of(person.id, groups) or EVERYONE
    return found


def _receives(document: Document, person: Person, groups: frozenset[str]) -> bool:
    viewer = Viewer(user=person.id, groups=groups, apps=person.apps, layouts=person.layouts)
    if isinstance(document, App):
        return evaluate_app(viewer, document).visible
    if isinstance(document, Layout):
        # Personal layouts of the same name, which would hide it, are not considered: they are rare.
        return evaluate_layouts(viewer, [access_of(document)])[0][1].visible
    # The platform versions of a user's desktops are not known here.
    return isinstance(document, ConfigFile) and (document.scope is not Scope.GROUP or document.target in groups)


def access_of(layout: Layout) -> LayoutAccess:
    """Return the access list of a layout."""
    return LayoutAccess(
        id=layout.id,
        name=layout.name,
        type=layout.type,
        owner=layout.owner,
        public=layout.public,
        access=layout.access,
        default=layout.default,
        disabled=layout.disabled,
        created=layout.stamp.created,
        revision=layout.stamp.revision,
        rollout=layout.rollout,
    )
