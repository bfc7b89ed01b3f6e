"""PreferenceCalls: the public contract of services that keep the preferences of apps."""

from collections.abc import Mapping
from typing import Any

from rostrum.client.service import Reply, Service

__all__ = ["PreferenceCalls"]


class PreferenceCalls:
    """Asks the manager, or a REST service whose address ends in ``prefs``."""

    def __init__(self, service: Service) -> None:
        """Take the service."""
        self.service = service
        self._path = "" if service.address.endswith("/prefs") else "/prefs"

    async def all(self, etag: str | None = None) -> Reply:
        """Ask for the preferences of every app."""
        return await self.service.request("GET", f"{self._path}/all", etag=etag)

    async def get(self, app: str, etag: str | None = None) -> Reply:
        """Ask for the preferences of one app."""
        return await self.service.request("GET", self._path, query={"app": app}, etag=etag)

    async def save(self, app: str, data: Mapping[str, Any]) -> None:
        """Keep what one app wants kept."""
        await self.service.request("POST", self._path, json={"app": app, "data": data})

    async def clear(self, app: str | None = None) -> None:
        """Forget what one app keeps; without a name, what every app keeps."""
        await self.service.request("DELETE", self._path, json={} if app is None else {"app": app})
