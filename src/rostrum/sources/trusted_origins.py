"""The origins to which remote configuration may refer: only those that local files name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rostrum.base.addresses import url_origin
from rostrum.sources.source import Source

Steps = tuple[str, ...]

REDIRECTING: Mapping[str, Steps] = {
    "server": ("server", "url"),
    "ssoAuth": ("ssoAuth", "options", "url"),
    "crashReporter": ("crashReporter", "output", "serverUrl"),
    "autoUpdater": ("autoUpdater", "updateSource", "baseUrl"),
}
"""Sections with addresses that receive passwords and reports or provide programs."""


@dataclass(frozen=True, slots=True)
class TrustedOrigins:
    """The trusted origins of the local files.

    Attributes:
        listed: The origins of ``trustedOrigins``.
        local: The origin of each section in the local files, if set.
    """

    listed: frozenset[str] = frozenset()
    local: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, document: Any, listed: Iterable[str]) -> "TrustedOrigins":
        """Read the merged system.json of the local files, and the origins that it lists."""
        named = {section: url_origin(_at(document, path)) for section, path in REDIRECTING.items()}
        return cls(
            listed=frozenset(origin for origin in map(url_origin, listed) if origin is not None),
            local={section: origin for section, origin in named.items() if origin is not None},
        )

    def refused(self, source: Source, document: Any) -> tuple[Steps, ...]:
        """List the sections of a remote system.json that name an untrusted origin."""
        if source.type != "rest" or not isinstance(document, dict):
            return ()
        found = ((section, _at(document, path)) for section, path in REDIRECTING.items())
        return tuple(
            (section,) for section, url in found if url not in (None, "") and not self._trusts(section, source, url)
        )

    def _trusts(self, section: str, source: Source, url: Any) -> bool:
        origin = url_origin(url)
        if origin is None:
            return False
        # The manager is trusted for all sections. If the local files name no manager, the source itself is used
        # instead.
        known = {self.local.get(section), self.local.get("server")} - {None}
        return origin in self.listed or origin in (known or {url_origin(source.source)})


def _at(document: Any, path: Steps) -> Any:
    for step in path:
        if not isinstance(document, dict):
            return None
        document = document.get(step)
    return document
