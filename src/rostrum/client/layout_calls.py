"""Requests to services that store layouts."""

from collections.abc import Mapping
from typing import Any

from rostrum.client.errors import NotPermitted, Refused, ServiceFailed
from rostrum.client.service import Reply, Service

_NOT_FOUND = 404


class LayoutCalls:
    """Requests for layouts to the manager, at ``/layouts`` below its address."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self._path = "/layouts"

    async def all(self, etag: str | None = None) -> Reply:
        return await self.service.request("GET", self._path, etag=etag)

    async def save(self, layout: Mapping[str, Any]) -> None:
        await self.service.request("POST", self._path, json={"layout": layout})

    async def rename(self, layout: Mapping[str, Any], new_name: str) -> None:
        await self.service.request("PUT", self._path, json={"layout": layout, "newName": new_name})

    async def remove(self, name: str, kind: str) -> None:
        await self.service.request("DELETE", self._path, json={"name": name, "type": kind})

    async def default(self) -> tuple[str, str | None] | None:
        """Request the default; raise Refused if the service does not support defaults."""
        reply = await self.service.request("GET", f"{self._path}/default")
        body = reply.body
        if has_layouts(body):
            # Some services return the same response for every path.
            raise Refused("the answer must be the name of the default layout", reply.status)
        if not isinstance(body, dict) or not isinstance(body.get("name"), str):
            return None
        kind = body.get("type")
        return body["name"], kind if isinstance(kind, str) else None

    async def set_default(self, name: str | None, kind: str | None) -> None:
        chosen = {} if name is None else {"name": name, "type": kind}
        await self.service.request("POST", f"{self._path}/default", json=chosen)


class RestLayoutCalls(LayoutCalls):
    """Requests for layouts to a REST service, at its address.

    Some services use the address of their root, and have the layouts at ``/layouts`` below it. The first successful
    response shows which of the two applies.
    """

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._path = ""
        self._is_known = service.address.endswith("/layouts")

    async def all(self, etag: str | None = None) -> Reply:
        if self._is_known:
            return await super().all(etag)
        problem: ServiceFailed | None = None
        for path in ("", "/layouts"):
            self._path = path
            try:
                reply = await super().all()
            except (Refused, NotPermitted) as error:
                # If both requests fail, a reason other than "not found" is more helpful.
                if problem is None or _is_not_found(problem):
                    problem = error
                continue
            if has_layouts(reply.body):
                self._is_known = True
                return reply
            problem = problem or Refused("the answer must be an object with layouts", reply.status)
        self._path = ""
        raise problem or Refused("the answer must be an object with layouts", 0)


def has_layouts(body: Any) -> bool:
    return isinstance(body.get("layouts") if isinstance(body, dict) else body, list)


def _is_not_found(error: ServiceFailed) -> bool:
    return isinstance(error, Refused) and error.status == _NOT_FOUND
