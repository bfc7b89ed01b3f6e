"""Settings of a store that count only when its type is rest."""

from collections.abc import Iterator

from rostrum.settings.problems import Severity
from rostrum.settings.setting import Finding, Section


def rest_only(store: Section, kind: str, names: tuple[str, ...]) -> Iterator[Finding]:
    """Note each named setting that was written although the store is of another type."""
    if kind == "rest":
        return
    for name in names:
        if name in store.model_fields_set:
            alias = type(store).model_fields[name].alias or name
            message = f"has no effect while the type is {kind}; it counts for rest only"
            yield Finding(severity=Severity.NOTE, member=alias, message=message)
