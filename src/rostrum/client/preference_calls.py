"""Requests to services that store the preferences of apps."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from rostrum.client.errors import Refused
from rostrum.client.service import Reply, Service

_NO_SUCH_ADDRESS = (404, 405)
Records = dict[str, dict[str, Any]]
"""The preferences of apps by name."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A response with preferences.

    Attributes:
        records: New data, by app.
        complete: Whether the response covers all apps, so that missing apps have no preferences.
    """

    records: Records
    complete: bool = False


class PreferenceSource(Protocol):
    """A service that stores the preferences of apps.

    Attributes:
        asks_by_app: Whether the service returns one app per request.
    """

    asks_by_app: bool

    async def fetch(self, apps: Collection[str]) -> Fetched:
        """Request new data; ``apps`` are the apps that are needed now."""
        ...

    async def save(self, app: str, data: Mapping[str, Any]) -> None: ...

    async def clear(self, app: str | None = None) -> None:
        """Remove the preferences of an app; without a name, of all apps."""
        ...


class PreferenceCalls:
    """Requests to the manager, which returns the preferences of all apps."""

    asks_by_app = False

    def __init__(self, service: Service) -> None:
        self.service = service
        self._etag: str | None = None

    async def all(self, etag: str | None = None) -> Reply:
        return await self.service.request("GET", "/prefs/all", etag=etag)

    async def fetch(self, apps: Collection[str]) -> Fetched:  # noqa: ARG002 - the answer has every app
        """Request the preferences of all apps, unless nothing changed."""
        reply = await self.all(self._etag)
        if reply.unchanged:
            return Fetched({})
        if not isinstance(reply.body, list):
            raise Refused("the answer must be a list of preferences", reply.status)
        self._etag = reply.etag
        return Fetched(_records(reply.body), complete=True)

    async def get(self, app: str, etag: str | None = None) -> Reply:
        return await self.service.request("GET", "/prefs", query={"app": app}, etag=etag)

    async def save(self, app: str, data: Mapping[str, Any]) -> None:
        # Sent data may differ from the last response, so the version is reset.
        self._etag = None
        await self.service.request("POST", "/prefs", json={"app": app, "data": data})

    async def clear(self, app: str | None = None) -> None:
        """Remove the preferences of an app; without a name, of all apps."""
        self._etag = None
        await self.service.request("DELETE", "/prefs", json={} if app is None else {"app": app})


class RestPreferenceCalls:
    """Requests to a REST service for the preferences of one app at a time (``?app=``), at its address.

    Some services use the address of their root, and have the preferences at ``/prefs`` below it. The first successful
    response shows which of the two applies. If a service rejects the name of an app, the request is sent without it.
    """

    asks_by_app = True

    def __init__(self, service: Service) -> None:
        self.service = service
        self._path = "" if service.address.endswith("/prefs") else None
        self._etags: dict[str, str | None] = {}

    async def fetch(self, apps: Collection[str]) -> Fetched:
        """Request the preferences of these apps; without apps, check that the service is available."""
        if not apps:
            return Fetched(await self._unasked())
        found: Records = {}
        for app in apps:
            found |= await self._of(app)
        return Fetched(found)

    async def save(self, app: str, data: Mapping[str, Any]) -> None:
        self._etags.pop(app, None)
        await self._send("POST", {"app": app, "data": data})

    async def clear(self, app: str | None = None) -> None:
        """Remove the preferences of an app; without a name, of all apps."""
        if app is None:
            self._etags.clear()
        self._etags.pop(app or "", None)
        await self._send("DELETE", {} if app is None else {"app": app})

    @property
    def _paths(self) -> tuple[str, ...]:
        return ("", "/prefs") if self._path is None else (self._path,)

    async def _of(self, app: str) -> Records:
        for path in self._paths:
            try:
                reply = await self.service.request("GET", path, query={"app": app}, etag=self._etags.get(app))
            except Refused as error:
                if not _is_client_error(error):
                    raise
                continue
            if reply.unchanged:
                return {}
            found = _answered(reply.body, app, plain=path == "/prefs" or self._path is not None)
            if found is None:
                continue
            if reply.body:
                self._path = path
                self._etags[app] = reply.etag
            return found
        return {app: {}, **await self._unasked()}

    async def _unasked(self) -> Records:
        """Send a request without an app; a response that requires one shows that the service is available."""
        try:
            reply = await self.service.request("GET", self._path or "")
        except Refused as error:
            if not _is_client_error(error):
                raise
            return {}
        found = _records(reply.body if isinstance(reply.body, list) else [reply.body], unwrap=True)
        if found:
            self._path = self._path or ""
        return found

    async def _send(self, method: str, body: Mapping[str, Any]) -> None:
        problem: Refused | None = None
        for path in self._paths:
            try:
                await self.service.request(method, path, json=body)
            except Refused as error:
                if error.status not in _NO_SUCH_ADDRESS:
                    raise
                problem = problem or error
            else:
                self._path = path
                return
        if problem is not None:
            raise problem


def _answered(body: Any, app: str, *, plain: bool) -> Records | None:
    """Read the response for one app; None if it contains no preferences.

    ``plain`` accepts the format of some services: the data alone, without the record around it.
    """
    if not body:
        return {app: {}}
    listed = body if isinstance(body, list) else [{"app": app, **body}] if isinstance(body, dict) else []
    found = _records(listed, unwrap=True)
    if found or isinstance(body, list):
        return {app: {}, **found}
    return {app: dict(body)} if plain and isinstance(body, dict) and "app" not in body else None


def _records(listed: list[Any], *, unwrap: bool = False) -> Records:
    found: Records = {}
    for record in listed:
        if isinstance(record, dict) and isinstance(record.get("app"), str) and isinstance(record.get("data"), dict):
            data = record["data"]
            # Some services store the whole record that another client sent as the data.
            wrapped = unwrap and data.get("app") == record["app"] and isinstance(data.get("data"), dict)
            found[record["app"]] = data["data"] if wrapped else data
    return found


def _is_client_error(error: Refused) -> bool:
    return 400 <= error.status < 500
