"""The session cookie: its name, its attributes, and whose writes it may carry."""

from urllib.parse import urlsplit

from rostrum.manager.auth.caller import Caller, Method
from rostrum.manager.auth.tokens import Tokens, Use
from rostrum.manager.config import ManagerConfig
from rostrum.manager.http.cross_site import SiteGuard

COOKIE = "PLATFORM_SESSION"
SECURE_COOKIE = f"__Host-{COOKIE}"
"""The name over HTTPS: browsers take such a cookie only from this host, over HTTPS, and never from a sibling of it."""


def cookie_name(scheme: str) -> str:
    """Give the name of the session cookie on connections of this scheme."""
    return SECURE_COOKIE if scheme == "https" else COOKIE


def is_session_cookie(set_cookie: str) -> bool:
    """Return whether a Set-Cookie header is about the session."""
    return set_cookie.startswith((f"{COOKIE}=", f"{SECURE_COOKIE}="))


def read_cookie(header: str | None, scheme: str) -> str | None:
    """Find the session token among a request's cookies."""
    wanted = cookie_name(scheme)
    # Strict parsers give up at the first odd cookie, and other servers of the same host may set such.
    for pair in (header or "").split(";"):
        name, _, value = pair.partition("=")
        if name.strip() == wanted:
            return value.strip()
    return None


def clear_cookie(*, scheme: str, host: str, origin: str | None) -> str:
    """Write the cookie that ends the session in the browser."""
    return f"{cookie_name(scheme)}=; Max-Age=0; {_attributes(scheme=scheme, host=host, origin=origin)}"


class SessionCookies:
    """The cookies that sign-ins are kept in, if the settings say so."""

    def __init__(self, config: ManagerConfig, tokens: Tokens) -> None:
        self._config = config
        self._tokens = tokens
        self._sites = SiteGuard(config.cors)

    def read(self, header: str | None, scheme: str) -> str | None:
        """Find the session token among a request's cookies."""
        return read_cookie(header, scheme) if self._config.use_session_cookie else None

    def fresh(self, caller: Caller, *, scheme: str, host: str, origin: str | None) -> str | None:
        """Write the cookie that keeps a user signed in who came with a password."""
        if caller.method is not Method.PASSWORD:
            return None
        return self.of_user(caller.identity.user, caller.epoch, scheme=scheme, host=host, origin=origin)

    def of_user(self, user: str, epoch: int, *, scheme: str, host: str, origin: str | None) -> str | None:
        """Write the cookie that keeps a user signed in who has just shown the password."""
        if not self._config.use_session_cookie:
            return None
        lifetime = self._config.session_lifetime
        token = self._tokens.sign(user, Use.SESSION, epoch=epoch, seconds=lifetime)
        allowed = origin if self.may_write(origin, scheme=scheme, host=host) else None
        attributes = _attributes(scheme=scheme, host=host, origin=allowed)
        return f"{cookie_name(scheme)}={token}; Max-Age={lifetime}; {attributes}"

    def may_write(self, origin: str | None, *, scheme: str, host: str) -> bool:
        """Return whether a cookie may carry a write from this origin: our own, or one that ``cors`` names."""
        return self._sites.may_write(origin, scheme=scheme, host=host)


def _attributes(*, scheme: str, host: str, origin: str | None) -> str:
    if origin is not None and not _same_site(f"{scheme}://{host}", origin):
        # Browsers that block cookies of other sites keep this one, apart for each site that shows the page.
        return "Path=/; HttpOnly; SameSite=None; Secure; Partitioned"
    return "Path=/; HttpOnly; SameSite=Lax" + ("; Secure" if scheme == "https" else "")


def _same_site(ours: str, theirs: str) -> bool:
    """Guess as browsers do: same scheme, and hosts that share a name above the first label."""
    try:
        here, there = urlsplit(ours), urlsplit(theirs)
        here_host, there_host = here.hostname or "", there.hostname or ""
    except ValueError:
        return False
    if here.scheme != there.scheme:
        return False
    if here_host == there_host or here_host.endswith(f".{there_host}") or there_host.endswith(f".{here_host}"):
        return True
    parent = here_host.partition(".")[2]
    is_number = here_host.replace(".", "").isdigit()
    return not is_number and "." in parent and there_host.partition(".")[2] == parent
