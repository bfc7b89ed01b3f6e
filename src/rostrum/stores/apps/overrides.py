"""appDefinitionOverrides: what a store's settings lay over each of its definitions."""

from collections.abc import Mapping
from typing import Any

from rostrum.settings.merge import Layer, merge
from rostrum.settings.sections.app_stores import AppDefinitionOverrides
from rostrum.settings.shape import members

_BY_TYPE = frozenset(members(AppDefinitionOverrides))


def override(definition: Mapping[str, Any], overrides: AppDefinitionOverrides | None) -> Mapping[str, Any]:
    """Lay the overrides over a definition: top-level ones, and those for the details of its type."""
    if overrides is None:
        return definition
    written = overrides.model_dump(mode="json", by_alias=True, exclude_none=True)
    top = {name: value for name, value in written.items() if name not in _BY_TYPE}
    kind = str(definition.get("type", "")).lower()
    details: dict[str, Any] = next((written[name] for name in written if name in _BY_TYPE and name.lower() == kind), {})
    laid = {**top, **({"details": details} if details else {})}
    result: Mapping[str, Any] = merge([Layer("store", definition), Layer("overrides", laid)]).document
    return result
