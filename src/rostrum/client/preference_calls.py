"""PreferenceCalls: the public contract of services that keep the preferences of apps."""

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
    """An answer with preferences.

    Attributes:
        records: What is new, by app.
        complete: Whether apps that are missing have no preferences; else nothing was said of them.

    """

    records: Records
    complete: bool = False


class PreferenceSource(Protocol):
    """A service that keeps the preferences of apps.

    Attributes:
        asks_by_app: Whether the service answers for the apps it is asked about only.

    """

    asks_by_app: bool

    async def fetch(self, apps: Collection[str]) -> Fetched:
        """Ask for what is new; ``apps`` are those that matter now."""
        ...

    async def save(self, app: str, data: Mapping[str, Any]) -> None: ...

    async def clear(self, app: str | None = None) -> None:
        """Remove the preferences of an app; without a name, those of every app."""
        ...


class PreferenceCalls:
    """Requests to the manager, which answers with the preferences of every app."""

    asks_by_app = False

    def __init__(self, service: Service) -> None:
        self.service = service
        self._etag: str | None = None

    async def all(self, etag: str | None = None) -> Reply:
        return await self.service.request("GET", "/prefs/all", etag=etag)

    async def fetch(self, apps: Collection[str]) -> Fetched:  # noqa: ARG002 - the answer has every app
        """Ask for the preferences of every app, unless nothing is new."""
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
        # What is sent is not what the last answer said.
        self._etag = None
        await self.service.request("POST", "/prefs", json={"app": app, "data": data})

    async def clear(self, app: str | None = None) -> None:
        """Remove the preferences of an app; without a name, those of every app."""
        self._etag = None
        await self.service.request("DELETE", "/prefs", json={} if app is None else {"app": app})


class RestPreferenceCalls:
    """Requests to a REST service: its address itself has the preferences, one app at a time (``?app=``).

    Some services name their root as the address instead, and have the preferences at ``/prefs`` below it. Which of the
    two a service is shows the first answer with preferences. A service that refuses the name of an app is asked
    without one.
    """

    asks_by_app = True

    def __init__(self, service: Service) -> None:
        self.service = service
        self._path = "" if service.address.endswith("/prefs") else None
        self._etags: dict[str, str | None] = {}

    async def fetch(self, apps: Collection[str]) -> Fetched:
        """Ask for the preferences of these apps; without any, whether the service is there."""
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
        """Remove the preferences of an app; without a name, those of every app."""
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
        """Ask without the name of an app; an answer that requires one shows that the service is there."""
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
    """Read the answer for one app; None when it holds no preferences.

    ``plain`` accepts what some services return: the data alone, as it was sent, without a record around it.
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
            # Some services keep the whole record that another client has sent as the data.
            wrapped = unwrap and data.get("app") == record["app"] and isinstance(data.get("data"), dict)
            found[record["app"]] = data["data"] if wrapped else data
    return found


def _is_client_error(error: Refused) -> bool:
    return 400 <= error.status < 500
