"""Rules for combinations of options."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from rostrum.manager.config.cors import ANY_ORIGIN, CorsOptions
from rostrum.manager.config.store_address import is_postgresql
from rostrum.manager.config.values import origin_of

Values = Mapping[str, Any]


class Breach(Struct, frozen=True, kw_only=True):
    """A violation of a rule.

    Attributes:
        field: the option to change.
        add: a JSON value that would satisfy the rule, if one is known.
    """

    field: str
    message: str
    add: Any = None


def breaches(values: Values) -> Iterator[Breach]:
    """Find all violations; a rule is skipped if a value that it needs is missing."""
    for needed, rule in _RULES:
        if all(field in values for field in needed):
            yield from rule(values)


def _cors_for_cookies(values: Values) -> Iterator[Breach]:
    cors: CorsOptions | None = values["cors"]
    if not values["use_session_cookie"]:
        return
    if cors is None:
        message = "is required if session cookies are used"
        yield Breach(field="cors", message=message, add=_cors_to_add(values))
    elif not cors.credentials or not cors.origin:
        message = "must contain `credentials: true` and an origin if session cookies are used"
        yield Breach(field="cors", message=message, add=_cors_to_add(values))


def _cors_to_add(values: Values) -> dict[str, Any]:
    cors: CorsOptions | None = values["cors"]
    origins = [o for o in cors.origin if o != ANY_ORIGIN] if cors else []
    origin = origins if len(origins) > 1 else (origins or [_own_origin(values)])[0]
    given = cors.model_dump(by_alias=True, exclude_unset=True) if cors else {}
    return {**given, "credentials": True, "origin": origin}


def _own_origin(values: Values) -> str:
    host, port = values.get("host", "127.0.0.1"), values.get("port") or 4356
    return origin_of(host, port, has_tls=bool(values.get("tls_cert")))


def _tls_pair(values: Values) -> Iterator[Breach]:
    for field, other in (("tls_cert", "tls_key"), ("tls_key", "tls_cert")):
        if values[field] is None and values[other] is not None:
            message = "is missing: TLS needs both a certificate and its key"
            yield Breach(field=field, message=message, add=f"/path/to/{field}.pem")


def _workers_on_postgresql(values: Values) -> Iterator[Breach]:
    if values["workers"] > 1 and not is_postgresql(values["store"]):
        message = "more than 1 needs PostgreSQL as the store"
        yield Breach(field="workers", message=message)


def _pages_apart(values: Values) -> Iterator[Breach]:
    admin, platform = values["admin_base"], values["platform_base"]
    for pages, name in ((admin, "admin UI"), (platform, "browser platform")):
        if _first(values["base"]) == _first(pages):
            yield Breach(field="base", message=f"must not be {pages}: the {name} is served there")
    if _first(admin) == _first(platform):
        yield Breach(field="platform_base", message=f"must not be {platform}: the admin UI is served there")


def _first(path: str) -> str:
    return path.split("/", maxsplit=1)[0]


def _one_place_for_files(values: Values) -> Iterator[Breach]:
    if values["files_folder"] is not None and values["files_bucket"] is not None:
        yield Breach(
            field="files_bucket", message="cannot be set together with files.folder: files are kept in one place"
        )


_RULES: tuple[tuple[tuple[str, ...], Callable[[Values], Iterator[Breach]]], ...] = (
    (("cors", "use_session_cookie"), _cors_for_cookies),
    (("tls_cert", "tls_key"), _tls_pair),
    (("workers", "store"), _workers_on_postgresql),
    (("base", "admin_base", "platform_base"), _pages_apart),
    (("files_folder", "files_bucket"), _one_place_for_files),
)
