"""Proof by a Kerberos ticket, against a real key distribution centre and a service that checks with real GSSAPI."""

import base64
import json
import logging
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from rostrum.client.errors import NotPermitted, Unreachable
from rostrum.client.kerberos import KerberosTicket, Way
from rostrum.client.service import Service
from rostrum.settings.parse import parse_system
from rostrum.stores.layouts.store import LayoutKey
from rostrum.stores.open import StoreLocation, make_stores
from tests.client.kdc import PERSON, REALM, Kdc, running_kdc, set_variables, wanted
from tests.sources.server import Request, response, running
from tests.stores.apps.backends import app
from tests.stores.rest_service import RestService

WAYS: tuple[Way, ...] = ("negotiate", "kerberos")
CHALLENGE = response(401, b"no", "WWW-Authenticate: Basic realm=x, Negotiate")


@pytest.fixture(scope="module")
def kdc(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kdc]:
    wanted()
    with running_kdc(tmp_path_factory.mktemp("kdc")) as running_one:
        yield running_one


@pytest.fixture
def desk(kdc: Kdc, monkeypatch: pytest.MonkeyPatch) -> Kdc:
    """Ann's desk: she has a ticket."""
    set_variables(monkeypatch, kdc.environment())
    return kdc


class Guard:
    """Lets in who has a ticket, and proves itself; both can be switched off."""

    def __init__(self, keytab: Path) -> None:
        self.keytab = keytab
        self.proves_itself = True
        self.accepts = True
        self.seen: list[str] = []

    def answer(self, request: Request, body: bytes) -> bytes:
        import gssapi

        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme != "Negotiate" or not self.accepts:
            return CHALLENGE
        keys = gssapi.Credentials(usage="accept", store={"keytab": str(self.keytab)})
        context = gssapi.SecurityContext(creds=keys, usage="accept")
        proof = base64.b64encode(context.step(base64.b64decode(token)) or b"").decode()
        self.seen.append(str(context.initiator_name))
        headers = [f"WWW-Authenticate: Negotiate {proof}"] if self.proves_itself else []
        return response(200, body, "Content-Type: application/json", *headers)


@asynccontextmanager
async def guarded(kdc: Kdc, way: Way) -> AsyncIterator[tuple[Guard, Service, list[Request]]]:
    guard = Guard(kdc.keytab)

    async def behave(request: Request) -> bytes:
        return guard.answer(request, b'{"in": true}')

    async with running(behave) as server, Service(f"http://localhost:{server.port}", KerberosTicket(way)) as service:
        yield guard, service, server.requests


@pytest.mark.parametrize("way", WAYS)
async def test_a_ticket_proves_who_asks_and_the_service_proves_itself(desk: Kdc, way: Way) -> None:
    async with guarded(desk, way) as (guard, service, requests):
        assert (await service.request("POST", json={"kept": 1})).body == {"in": True}
        assert (await service.request("GET")).body == {"in": True}
    assert guard.seen == [f"{PERSON}@{REALM}"] * 2
    # negotiate shows the ticket only when asked, kerberos at once.
    assert len(requests) == (4 if way == "negotiate" else 2)
    assert requests[-1].headers["authorization"].startswith("Negotiate ")
    bodies = {request.body for request in requests if request.method == "POST"}
    assert len(bodies) == 1


async def test_negotiate_shows_no_ticket_to_a_service_that_does_not_ask(desk: Kdc) -> None:
    async def behave(_: Request) -> bytes:
        return response(200, b"[]", "Content-Type: application/json")

    async with running(behave) as server, Service(server.url, KerberosTicket("negotiate")) as service:
        assert (await service.request("GET")).body == []
    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize("way", WAYS)
async def test_a_service_that_does_not_authenticate_itself_is_rejected(desk: Kdc, way: Way) -> None:
    async with guarded(desk, way) as (guard, service, _):
        guard.proves_itself = False
        with pytest.raises(NotPermitted, match="localhost has not proven that it is the service HTTP/localhost"):
            await service.request("GET")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("proof", ["", "AAAA", "no base64"])
async def test_an_invalid_proof_is_rejected(desk: Kdc, way: Way, proof: str) -> None:
    async def behave(request: Request) -> bytes:
        if "authorization" not in request.headers:
            return CHALLENGE
        return response(200, b"{}", f"WWW-Authenticate: Negotiate {proof}")

    async with running(behave) as server, Service(f"http://localhost:{server.port}", KerberosTicket(way)) as service:
        with pytest.raises(NotPermitted, match="has not proven"):
            await service.request("GET")


@pytest.mark.parametrize("way", WAYS)
async def test_a_service_may_refuse_the_ticket(desk: Kdc, way: Way) -> None:
    async with guarded(desk, way) as (guard, service, requests):
        guard.accepts = False
        with pytest.raises(NotPermitted, match="401: it does not accept the Kerberos ticket"):
            await service.request("GET")
        assert len(requests) == (2 if way == "negotiate" else 1)


@pytest.mark.parametrize("way", WAYS)
async def test_a_service_that_offers_other_schemes_only_gets_nothing_else(desk: Kdc, way: Way) -> None:
    async def behave(_: Request) -> bytes:
        return response(401, b"no", "WWW-Authenticate: Basic realm=negotiate", "WWW-Authenticate: Digest x")

    async with running(behave) as server, Service(f"http://localhost:{server.port}", KerberosTicket(way)) as service:
        with pytest.raises(NotPermitted, match="offers no Negotiate"):
            await service.request("GET")
    (request,) = server.requests
    assert "Basic" not in request.headers.get("authorization", "")


@pytest.mark.parametrize("way", WAYS)
async def test_without_a_ticket_the_message_states_what_to_do(
    desk: Kdc, way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_variables(monkeypatch, desk.environment(f"nobody-{way}"))
    async with guarded(desk, way) as (_, service, requests):
        with pytest.raises(NotPermitted, match="there is no Kerberos ticket: sign in to the domain, or run kinit"):
            await service.request("GET")
        assert all("authorization" not in request.headers for request in requests)
        # Anyone who signs in later needs no restart.
        desk.log_in(f"nobody-{way}")
        assert (await service.request("GET")).body == {"in": True}


async def test_an_expired_ticket_is_said_to_be_expired(desk: Kdc, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.log_in("old")
    desk.age("old", 24 * 3600)
    set_variables(monkeypatch, desk.environment("old"))
    for way in WAYS:
        async with guarded(desk, way) as (_, service, _requests):
            with pytest.raises(NotPermitted, match="the Kerberos ticket has expired"):
                await service.request("GET")


@pytest.mark.parametrize(
    ("host", "error", "message"),
    [
        ("127.0.0.1", NotPermitted, "no ticket for HTTP/127.0.0.1: .*not found in Kerberos database"),
        ("desk.elsewhere.test", NotPermitted, "no ticket for HTTP/desk.elsewhere.test: "),
    ],
)
async def test_services_that_the_realm_does_not_know_are_named(
    desk: Kdc, host: str, error: type[Exception], message: str
) -> None:
    async with Service(f"http://{host}:9", KerberosTicket("kerberos")) as service:
        with pytest.raises(error, match=message):
            await service.request("GET")


async def test_a_key_distribution_centre_that_is_away_is_worth_another_try(
    desk: Kdc, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = (desk.folder / "krb5.conf").read_text().replace(f":{desk.port}", ":1")
    (tmp_path / "krb5.conf").write_text(settings)
    desk.log_in("away")
    set_variables(monkeypatch, {**desk.environment("away"), "KRB5_CONFIG": str(tmp_path / "krb5.conf")})
    async with Service("http://localhost:9", KerberosTicket("kerberos")) as service:
        with pytest.raises(Unreachable, match="Cannot contact any KDC"):
            await service.request("GET")


async def test_the_body_of_a_challenge_is_not_read(desk: Kdc) -> None:
    guard = Guard(desk.keytab)

    async def behave(request: Request) -> bytes:
        if "authorization" not in request.headers:
            return CHALLENGE.replace(b"Content-Length: 2", b"Content-Length: 99999999999")
        return guard.answer(request, b"{}")

    ticket = KerberosTicket("negotiate")
    async with running(behave) as server, Service(f"http://localhost:{server.port}", ticket, timeout=30) as service:
        assert (await service.request("GET")).body == {}


async def test_no_token_is_logged(desk: Kdc, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with guarded(desk, "negotiate") as (_, service, requests):
        await service.request("GET")
    assert requests[-1].headers["authorization"].removeprefix("Negotiate ")[:40] not in caplog.text


@pytest.mark.rule("R-5-8")
async def test_every_rest_store_can_be_behind_kerberos(desk: Kdc, tmp_path: Path) -> None:
    guard, kept = Guard(desk.keytab), RestService()

    async def behave(request: Request) -> bytes:
        guarded_answer = guard.answer(request, b"")
        if guarded_answer == CHALLENGE:
            return CHALLENGE
        if request.path == "/apps":
            return guard.answer(request, json.dumps({"applications": [app("blotter")]}).encode())
        inner = (await kept.answer(request)).partition(b"\r\n\r\n")[2]
        return guarded_answer.replace(b"Content-Length: 0", b"Content-Length: %d" % len(inner)) + inner

    async with running(behave) as server:
        address = f"http://localhost:{server.port}"
        document: dict[str, Any] = {
            "appStores": [{"type": "rest", "details": {"url": f"{address}/apps", "auth": "kerberos"}}],
            "layouts": {"store": {"type": "rest", "restURL": f"{address}/layouts"}},
            "applicationPreferences": {
                "store": {"type": "rest", "restURL": f"{address}/prefs", "restClientAuth": "kerberos"}
            },
        }
        parsed = parse_system(document)
        assert not parsed.problems
        place = StoreLocation(
            root=tmp_path, user_data=tmp_path / "data", cache=tmp_path / "cache", variables={}, user="ann"
        )
        stores = make_stores(parsed.settings, place, None)
        parts = (stores.apps, stores.layouts, stores.preferences)
        for part in parts:
            await part.open()
        assert [*stores.apps.apps] == ["blotter"]
        await stores.layouts.save({"name": "morning", "type": "Global", "components": []})
        await stores.preferences.set("blotter", {"rows": 20})
        assert (*kept.layouts,) == (("Global", "morning"),)
        assert LayoutKey("Global", "morning") in stores.layouts.layouts()
        assert kept.preferences == {"blotter": {"rows": 20}}
        for part in parts:
            await part.close()
        for service in stores.services:
            await service.close()
    assert set(guard.seen) == {f"{PERSON}@{REALM}"}


async def test_a_missing_library_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gssapi", None)
    async with running(lambda _: _challenge()) as server, Service(server.url, KerberosTicket("negotiate")) as service:
        with pytest.raises(NotPermitted, match=r"install the extra kerberos, run `make kerberos`"):
            await service.request("GET")


async def _challenge() -> bytes:
    return CHALLENGE
