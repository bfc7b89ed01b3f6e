"""The session cookie: its name, its attributes, and the origins that can write with it."""

from urllib.parse import urlsplit

from rostrum.manager.auth.caller import Caller, Method
from rostrum.manager.auth.tokens import Tokens, Use
from rostrum.manager.config import ManagerConfig
from rostrum.manager.http.cross_site import SiteGuard

COOKIE = "PLATFORM_SESSION"
SECURE_COOKIE = f"__Host-{COOKIE}"
"""The name over HTTPS: browsers accept such a cookie only from this host over HTTPS, not from sibling hosts."""


def cookie_name(scheme: str) -> str:
    """Return the name of the session cookie for this scheme."""
    return SECURE_COOKIE if scheme == "https" else COOKIE


def is_session_cookie(set_cookie: str) -> bool:
    """Return whether a Set-Cookie header sets the session cookie."""
    return set_cookie.startswith((f"{COOKIE}=", f"{SECURE_COOKIE}="))


def read_cookie(header: str | None, scheme: str) -> str | None:
    """Find the session token among a request's cookies."""
    wanted = cookie_name(scheme)
    # Strict parsers stop at the first invalid cookie, which other servers on the same host may set.
    for pair in (header or "").split(";"):
        name, _, value = pair.partition("=")
        if name.strip() == wanted:
            return value.strip()
    return None


def clear_cookie(*, scheme: str, host: str, origin: str | None) -> str:
    """Write the cookie that ends the session in the browser."""
    return f"{cookie_name(scheme)}=; Max-Age=0; {_attributes(scheme=scheme, host=host, origin=origin)}"


class SessionCookies:
    """Session cookies, if the settings enable them."""

    def __init__(self, config: ManagerConfig, tokens: Tokens) -> None:
        self._config = config
        self._tokens = tokens
        self._sites = SiteGuard(config.cors)

    def read(self, header: str | None, scheme: str) -> str | None:
        """Find the session token among a request's cookies."""
        return read_cookie(header, scheme) if self._config.use_session_cookie else None

    def fresh(self, caller: Caller, *, scheme: str, host: str, origin: str | None) -> str | None:
        """Write the session cookie of a user who sent a password."""
        if caller.method is not Method.PASSWORD:
            return None
        return self.of_user(caller.identity.user, caller.epoch, scheme=scheme, host=host, origin=origin)

    def of_user(self, user: str, epoch: int, *, scheme: str, host: str, origin: str | None) -> str | None:
        """Write the session cookie of a user whose password was just checked."""
        if not self._config.use_session_cookie:
            return None
        lifetime = self._config.session_lifetime
        token = self._tokens.sign(user, Use.SESSION, epoch=epoch, seconds=lifetime)
        allowed = origin if self.may_write(origin, scheme=scheme, host=host) else None
        attributes = _attributes(scheme=scheme, host=host, origin=allowed)
        return f"{cookie_name(scheme)}={token}; Max-Age={lifetime}; {attributes}"

    def may_write(self, origin: str | None, *, scheme: str, host: str) -> bool:
        """Return whether this origin can write with a cookie: the server's own origin, or one of ``cors``."""
        return self._sites.may_write(origin, scheme=scheme, host=host)


def _attributes(*, scheme: str, host: str, origin: str | None) -> str:
    if origin is not None and not _same_site(f"{scheme}://{host}", origin):
        # Browsers that block third-party cookies store this one separately for each embedding site.
        return "Path=/; HttpOnly; SameSite=None; Secure; Partitioned"
    return "Path=/; HttpOnly; SameSite=Lax" + ("; Secure" if scheme == "https" else "")


def _same_site(ours: str, theirs: str) -> bool:
    """Estimate same-site as browsers do: same scheme, and the same name above the first label."""
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
