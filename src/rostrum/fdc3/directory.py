"""The apps that a user may open, with the intents they handle and their pages."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import SplitResult, parse_qsl, urlsplit

_TEXTS = ("name", "version", "title", "tooltip", "description")
_PICTURES = {"icons": ("src", "size", "type"), "screenshots": ("src", "size", "type", "label")}
_DEFAULT_PORTS = {"http": 80, "https": 443}
_INDEX = "index.html"


class Handles(NamedTuple):
    """How an app handles an intent: context types and result type."""

    contexts: frozenset[str]
    result_type: str | None
    display_name: str | None

    def accepts(self, context_type: str | None) -> bool:
        """Return whether contexts of a type are accepted; an intent without declared contexts accepts all."""
        return context_type is None or not self.contexts or context_type in self.contexts

    def returns(self, result_type: str | None) -> bool:
        """Return whether results are of a type; ``channel`` stands for channels of any content."""
        if result_type is None or self.result_type == result_type:
            return True
        return result_type == "channel" and self.result_type is not None and self.result_type.startswith("channel<")


class App(NamedTuple):
    """One app.

    Attributes:
        metadata: Its metadata for other apps, as the standard defines: an ``AppMetadata`` object without an instance.
        page: Address of its page; ``None`` for apps that are not pages.

    """

    id: str
    metadata: dict[str, Any]
    intents: dict[str, Handles]
    page: SplitResult | None

    def fit(self, url: SplitResult) -> int:
        """Return how well an address matches the app's page: -1 for no match, larger for a closer match.

        The address may have additional parameters; those of the page's address must match.
        """
        page = self.page
        if page is None or origin_of(page) is None or origin_of(page) != origin_of(url) or _path(page) != _path(url):
            return -1
        wanted = parse_qsl(page.query, keep_blank_values=True)
        given = set(parse_qsl(url.query, keep_blank_values=True, max_num_fields=200)) if wanted else set()
        if not given.issuperset(wanted) or (page.fragment and page.fragment != url.fragment):
            return -1
        return len(wanted) + bool(page.fragment)


class Directory:
    """The apps of one user; immutable, so that agents of users with the same apps share it."""

    __slots__ = ("_apps", "_handlers")

    def __init__(self, records: Iterable[Mapping[str, Any]] = ()) -> None:
        """Read FDC3 app directory records; members with a wrong type are omitted."""
        self._apps = {app.id: app for record in records if (app := _read(record)) is not None}
        self._handlers: dict[str, list[tuple[App, Handles]]] = {}
        for app in self._apps.values():
            for intent, handles in app.intents.items():
                self._handlers.setdefault(intent, []).append((app, handles))

    def get(self, app_id: str) -> App | None:
        """Return an app by its id."""
        return self._apps.get(app_id)

    def handlers(self, intent: str, context_type: str | None, result_type: str | None = None) -> Iterator[App]:
        """Return the apps that declare to handle an intent with a type of context."""
        for app, handles in self._handlers.get(intent, ()):
            if handles.accepts(context_type) and handles.returns(result_type):
                yield app

    def intents_for(self, context_type: str, result_type: str | None = None) -> Iterator[tuple[str, App]]:
        """Return the intents that declare a type of context, each with an app that handles it."""
        for intent, handlers in self._handlers.items():
            for app, handles in handlers:
                if context_type in handles.contexts and handles.returns(result_type):
                    yield intent, app

    def display_name(self, intent: str) -> str | None:
        """Return the display name of an intent: the first one that an app has declared."""
        return next(
            (handles.display_name for _, handles in self._handlers.get(intent, ()) if handles.display_name), None
        )

    def of_page(self, address: str) -> App | None:
        """Find the app of a page: the one with the closest address."""
        url = _split(address)
        if url is None:
            return None
        fits = [(app.fit(url), app) for app in self._apps.values()]
        best = max(fits, key=lambda item: item[0], default=None)
        return best[1] if best is not None and best[0] >= 0 else None


def origin_of(url: str | SplitResult) -> str | None:
    """Return the origin of an address in the form in which browsers report it."""
    parts = _split(url) if isinstance(url, str) else url
    if parts is None or not parts.scheme or not parts.hostname:
        return None
    try:
        port = parts.port
    except ValueError:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + ("" if port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f":{port}")


def _split(address: str) -> SplitResult | None:
    try:
        return urlsplit(address)
    except ValueError:
        return None


def _path(url: SplitResult) -> str:
    return url.path.removesuffix(_INDEX).rstrip("/")


def _read(record: Mapping[str, Any]) -> App | None:
    app_id = record.get("appId")
    if not isinstance(app_id, str) or not app_id:
        return None
    metadata: dict[str, Any] = {"appId": app_id}
    metadata |= {name: record[name] for name in _TEXTS if isinstance(record.get(name), str)}
    for name, members in _PICTURES.items():
        if pictures := [picture for item in _items(record.get(name)) if (picture := _picture(item, members))]:
            metadata[name] = pictures
    details = record.get("details")
    url = details.get("url") if isinstance(details, Mapping) else None
    return App(app_id, metadata, _intents(record), _split(url) if isinstance(url, str) else None)


def _intents(record: Mapping[str, Any]) -> dict[str, Handles]:
    found: Any = record
    for name in ("interop", "intents", "listensFor"):
        found = found.get(name) if isinstance(found, Mapping) else None
    if not isinstance(found, Mapping):
        return {}
    return {name: _handles(item) for name, item in found.items() if isinstance(name, str) and isinstance(item, Mapping)}


def _handles(item: Mapping[str, Any]) -> Handles:
    contexts = frozenset(one for one in _items(item.get("contexts")) if isinstance(one, str))
    result, name = item.get("resultType"), item.get("displayName")
    return Handles(contexts, result if isinstance(result, str) else None, name if isinstance(name, str) else None)


def _picture(item: Any, members: tuple[str, ...]) -> dict[str, str]:
    if not isinstance(item, Mapping) or not isinstance(item.get("src"), str):
        return {}
    return {name: item[name] for name in members if isinstance(item.get(name), str)}


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
