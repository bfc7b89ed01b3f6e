"""Checks whether pages of other origins can connect: with the same preflight request as a browser sends."""

from collections.abc import Iterator

from rostrum.contracts.browser_platform import TOKEN_HEADER
from rostrum.manager.config import CorsOptions, ManagerConfig
from rostrum.manager.doctor.finding import CheckResult, error, fine, skipped, warning
from rostrum.manager.server import base_url

_CHECK = "CORS"
_METHOD = "POST"
_HEADERS = ("authorization", "content-type", TOKEN_HEADER)
"""The headers that browser platforms send."""

_SAMPLE = "https://page.example.com"
"""Represents a page of any origin, if every origin is allowed."""

_MOST = 20
_SECONDS = 15


def check_cors(config: ManagerConfig, *, is_running: bool) -> Iterator[CheckResult]:
    """Send the preflight request of a browser to the running manager for each allowed origin."""
    options = config.cors
    if options is None or not options.origin:
        yield skipped(_CHECK, "cors.origin is not set; only the web pages of the manager can connect")
        return
    if options.is_public:
        yield warning(
            _CHECK,
            "cors.origin is '*': pages of other origins can read but not write, so browser platforms cannot connect",
            "replace '*' in cors.origin with the origins of your browser platforms",
        )
        return
    if not is_running:
        advice = "to test the allowed origins, start it and run this command again"
        yield skipped(_CHECK, f"the manager is not running; {advice}")
        return
    origins = [_SAMPLE] if options.allows_every_origin else list(options.origin)
    for origin in origins[:_MOST]:
        yield _ask(config, options, origin)
    if len(origins) > _MOST:
        yield skipped(_CHECK, f"{len(origins) - _MOST} more origins were not checked")


def _ask(config: ManagerConfig, options: CorsOptions, origin: str) -> CheckResult:
    """Send one preflight request and report the result."""
    import httpx

    pages = (
        "web pages from every origin"
        if origin == _SAMPLE and options.allows_every_origin
        else f"web pages from {origin}"
    )
    asked = {
        "origin": origin,
        "access-control-request-method": _METHOD,
        "access-control-request-headers": ",".join(_HEADERS),
    }
    try:
        # The certificate is checked elsewhere, and nothing secret is sent.
        answer = httpx.options(f"{base_url(config)}/user/hello", headers=asked, timeout=_SECONDS, verify=False)  # noqa: S501
    except httpx.HTTPError as fault:
        return error(_CHECK, f"a preflight request for {pages} failed: {fault}", "check that the manager is running")
    said = answer.headers
    if not answer.is_success or said.get("access-control-allow-origin") != origin:
        message = f"{pages} cannot connect (status of the preflight response: {answer.status_code})"
        return error(_CHECK, message, _advice(options))
    missing = {*_HEADERS} - {*_names(said.get("access-control-allow-headers", "")), "content-type"}
    if missing or _METHOD.lower() not in _names(said.get("access-control-allow-methods", "")):
        return error(_CHECK, f"{pages} can read data, but not connect as browser platforms", _advice(options))
    cookies = " with the session cookie" if said.get("access-control-allow-credentials") == "true" else ""
    return fine(_CHECK, f"{pages} can connect{cookies} (status of the preflight response: {answer.status_code})")


def _advice(options: CorsOptions) -> str:
    allowed = options.allowed_headers
    missing = [] if allowed is None else sorted({*_HEADERS} - {*map(str.lower, allowed), "content-type"})
    if missing:
        return f"add {', '.join(missing)} to cors.allowedHeaders, or remove that setting"
    if _METHOD not in options.methods:
        return f"add {_METHOD} to cors.methods, or remove that setting"
    return "restart the manager if the settings have changed, and check that no proxy answers OPTIONS requests itself"


def _names(header: str) -> set[str]:
    return {name.strip().lower() for name in header.split(",") if name.strip()}
