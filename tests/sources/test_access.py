"""Credentials of sources: for one origin, and for no address that only looks like it."""

import httpx
import pytest

from rostrum.sources.access import SourceAccess
from rostrum.sources.source import Source

ORIGIN = "https://manager.example.com"
AUTH = httpx.BasicAuth("ann", "secret")


def access() -> SourceAccess:
    return SourceAccess(ORIGIN, "ann", lambda: AUTH, offline_reason=lambda: "away")


@pytest.mark.parametrize(
    "address",
    [f"{ORIGIN}/api", f"{ORIGIN}:443/x?y=z", "HTTPS://Manager.Example.com/", "https://bob:x@manager.example.com/api"],
)
def test_addresses_of_the_manager_get_its_credentials(address: str) -> None:
    source = Source(type="rest", source=address)
    assert access().auth_for(address) is AUTH
    assert (access().account_of(source), access().offline_reason(source)) == ("ann", "away")


@pytest.mark.parametrize(
    "address",
    [
        "http://manager.example.com/api",
        f"{ORIGIN}:8443/api",
        f"{ORIGIN}.evil.example/api",
        f"{ORIGIN}@evil.example/api",
        f"{ORIGIN}:443@evil.example/api",
        f"{ORIGIN}\\@evil.example/api",
        f"{ORIGIN}\\.evil.example/api",
        f"{ORIGIN}\t/api",
        "https://manager.example.com\n.evil.example/",
        "https://manager\u3002example.com/api",
        "//manager.example.com/api",
        "manager.example.com",
        "",
    ],
)
async def test_other_addresses_get_no_credentials_and_no_copies(address: str) -> None:
    source = Source(type="rest", source=address)
    assert access().auth_for(address) is None
    assert (access().account_of(source), access().offline_reason(source)) == ("", None)
    assert not await access().enter(address)


async def test_the_user_is_asked_once_for_each_origin_and_never_for_the_manager() -> None:
    asked: list[str] = []

    async def ask(origin: str) -> httpx.Auth | None:
        asked.append(origin)
        return httpx.BasicAuth("bob", "x") if "yes" in origin else None

    made = SourceAccess(ORIGIN, "ann", lambda: AUTH, ask=ask)
    for address in ("https://yes.example/a", "https://no.example/", "https://yes.example/b", "https://no.example/"):
        assert await made.enter(address) is ("yes" in address)
    assert not await made.enter(f"{ORIGIN}/api")
    made.stop_asking()
    assert not await made.enter("https://yes.too.example/")
    assert asked == ["https://yes.example", "https://no.example"]
    assert made.auth_for("https://yes.example/c") is not None
    assert made.auth_for("http://yes.example/c") is None
    assert not made.may_keep(Source(type="rest", source="https://yes.example/a"))
    assert made.may_keep(Source(type="rest", source="https://no.example/"))
