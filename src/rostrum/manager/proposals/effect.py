"""The effect of a proposal, as far as a user may read it."""

from collections.abc import Mapping
from typing import Any

from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.kinds import DOCUMENT_KINDS, Kind

_PARTS = {
    "users": Permission.USERS_READ,
    "apps": Permission.APPS_READ,
    "layouts": Permission.LAYOUTS_READ,
    "defaultLayout": Permission.LAYOUTS_READ,
    "configs": Permission.SYSTEM_CONFIGS_READ,
}


def visible_effect(effect: dict[str, Any], identity: Identity) -> dict[str, Any]:
    """Leave out what the caller may not read."""
    hidden = {name: None for name, right in _PARTS.items() if right not in identity.permissions}
    documents = [one for one in effect["documents"] if _right(one) in identity.permissions]
    return {
        **effect,
        "items": [{**item, **hidden} for item in effect["items"]],
        "documents": documents,
        "moreDocuments": effect["moreDocuments"] + len(effect["documents"]) - len(documents),
    }


def require_visible(effect: dict[str, Any], identity: Identity) -> None:
    """Refuse an approver who may not read a part of the effect: nobody approves what they cannot see."""
    for item in effect["items"]:
        for name, right in _PARTS.items():
            value = item[name]
            if name != "users" and (any(value.values()) if isinstance(value, dict) else value):
                require(identity, right)
    for one in effect["documents"]:
        require(identity, _right(one))


def _right(document: Mapping[str, Any]) -> Permission:
    return DOCUMENT_KINDS[Kind(document["kind"])].read
