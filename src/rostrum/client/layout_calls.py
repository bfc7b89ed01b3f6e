"""LayoutCalls: the public contract of services that keep layouts."""

from collections.abc import Mapping
from typing import Any

from rostrum.client.service import Reply, Service

__all__ = ["LayoutCalls"]


class LayoutCalls:
    """Asks the manager, or a REST service whose address is the root or ends in ``layouts``."""

    def __init__(self, service: Service) -> None:
        """Take the service."""
        self.service = service
        self._path = "" if service.address.endswith("/layouts") else "/layouts"

    async def all(self, etag: str | None = None) -> Reply:
        """Ask for all layouts."""
        return await self.service.request("GET", self._path, etag=etag)

    async def save(self, layout: Mapping[str, Any]) -> None:
        """Create or replace one."""
        await self.service.request("POST", self._path, json={"layout": layout})

    async def rename(self, layout: Mapping[str, Any], new_name: str) -> None:
        """Rename one."""
        await self.service.request("PUT", self._path, json={"layout": layout, "newName": new_name})

    async def remove(self, name: str, kind: str) -> None:
        """Remove one."""
        await self.service.request("DELETE", self._path, json={"name": name, "type": kind})

    async def default(self) -> tuple[str, str | None] | None:
        """Ask for the default."""
        body = (await self.service.request("GET", f"{self._path}/default")).body
        if not isinstance(body, dict) or not isinstance(body.get("name"), str):
            return None
        kind = body.get("type")
        return body["name"], kind if isinstance(kind, str) else None

    async def set_default(self, name: str | None, kind: str | None) -> None:
        """Choose the default."""
        chosen = {} if name is None else {"name": name, "type": kind}
        await self.service.request("POST", f"{self._path}/default", json=chosen)
