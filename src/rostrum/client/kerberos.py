"""Authentication with the Kerberos ticket of the user of this machine (RFC 4559), without a password."""

import asyncio
import base64
import binascii
from collections.abc import AsyncGenerator
from typing import Any, Literal

import httpx

from rostrum.base.distribution import this_installation
from rostrum.client.errors import NotPermitted, ServiceFailed, Unreachable

Way = Literal["negotiate", "kerberos"]

_SCHEME = "negotiate"
_SPNEGO = "1.3.6.1.5.5.2"
_KERBEROS = "1.2.840.113554.1.2.2"
_UNREACHABLE = 2529639068
"""The error code KRB5_KDC_UNREACH of MIT Kerberos."""


class KerberosTicket:
    """Sends a ticket: ``negotiate`` if the service requests one, ``kerberos`` with every request."""

    # A ticket is valid for one service only, so it needs no origin.
    origin: str | None = None

    def __init__(self, way: Way) -> None:
        """Do not look for a ticket yet: the user may get one later."""
        self.way: Way = way

    def auth(self) -> httpx.Auth | None:
        """Authenticate each request separately."""
        return _TicketAuth(self.way)


class _TicketAuth(httpx.Auth):
    def __init__(self, way: Way) -> None:
        self._way = way

    async def async_auth_flow(self, request: httpx.Request) -> AsyncGenerator[httpx.Request, httpx.Response]:
        if self._way == "negotiate":
            response = yield request
            if response.status_code != httpx.codes.UNAUTHORIZED:
                return
            if _offer(response) is None:
                raise NotPermitted(_refusal(response, request.url.host))
            await _drop_body(response)
        proof = await asyncio.to_thread(_Proof, request.url.host, self._way)
        request.headers["Authorization"] = await asyncio.to_thread(proof.header)
        response = yield request
        if response.status_code == httpx.codes.UNAUTHORIZED:
            raise NotPermitted(_refusal(response, request.url.host))
        if response.is_success or response.status_code == httpx.codes.NOT_MODIFIED:
            await asyncio.to_thread(proof.check, _offer(response))


class _Proof:
    """One exchange of tokens, which authenticates the client and the service."""

    def __init__(self, host: str, way: Way) -> None:
        self._gssapi = _library()
        self._host = host
        mechanism = _SPNEGO if way == "negotiate" else _KERBEROS
        self._context = self._gssapi.SecurityContext(
            name=self._gssapi.Name(f"HTTP@{host}", self._gssapi.NameType.hostbased_service),
            mech=self._gssapi.OID.from_int_seq(mechanism),
            flags=self._gssapi.RequirementFlag.mutual_authentication,
            usage="initiate",
        )

    def header(self) -> str:
        """Create the header with the token for a request."""
        try:
            token = self._context.step()
        except self._gssapi.exceptions.GSSError as error:
            raise self._explained(error) from None
        return f"Negotiate {base64.b64encode(token or b'').decode()}"

    def check(self, answer: str | None) -> None:
        """Reject the response of a service that does not authenticate itself."""
        try:
            self._context.step(base64.b64decode(answer or "", validate=True))
            proven = self._context.complete
        except (binascii.Error, ValueError, self._gssapi.exceptions.GSSError):
            proven = False
        if not proven:
            raise NotPermitted(f"{self._host} has not proven that it is the service HTTP/{self._host}")

    def _explained(self, error: Any) -> ServiceFailed:
        # SPNEGO only reports that no mechanism works; requesting the ticket directly reveals the reason.
        try:
            left = self._gssapi.Credentials(usage="initiate", mechs=[self._gssapi.OID.from_int_seq(_KERBEROS)]).lifetime
        except self._gssapi.exceptions.ExpiredCredentialsError:
            left = 0
        except self._gssapi.exceptions.GSSError:
            return NotPermitted("there is no Kerberos ticket: sign in to the domain, or run kinit")
        if left == 0:
            return NotPermitted("the Kerberos ticket has expired: sign in to the domain again, or run kinit")
        reason = " ".join(error.get_all_statuses(error.min_code, is_maj=False)) or "no reason given"
        text = f"Kerberos gives no ticket for HTTP/{self._host}: {reason}"
        return Unreachable(text) if error.min_code == _UNREACHABLE else NotPermitted(text)


def _library() -> Any:
    try:
        import gssapi
    except ImportError as error:
        raise NotPermitted(
            f"negotiate and kerberos need a library that cannot be loaded ({error}); "
            f"to install the extra kerberos, {this_installation().with_extra('kerberos')}"
        ) from None
    return gssapi


def _offer(response: httpx.Response) -> str | None:
    """Return the text after the scheme, possibly empty; None if the service does not offer the scheme."""
    for header in response.headers.get_list("www-authenticate"):
        for challenge in header.split(","):
            scheme, _, rest = challenge.strip().partition(" ")
            if scheme.lower() == _SCHEME:
                return rest.strip()
    return None


def _refusal(response: httpx.Response, host: str) -> str:
    if _offer(response) is None:
        return f"{host} answered with status 401 and offers no Negotiate: it takes no Kerberos tickets"
    return f"{host} answered with status 401: it does not accept the Kerberos ticket"


async def _drop_body(response: httpx.Response) -> None:
    # The HTTP library reads the complete body of a challenge; a hostile body may be endless.
    await response.aclose()
    response.is_closed, response.stream = False, httpx.ByteStream(b"")
