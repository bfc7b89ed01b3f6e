"""Network addresses: origins, what a desktop loads, and the addresses of clients, also those that a gateway forwards.

A gateway signs its users in at the manager. The manager limits guesses for each address, so it needs the address of the
gateway's client, and must not accept it from any other sender. The gateway therefore signs the header with a secret
that both have, for one set of credentials and for a short time.
"""

import hashlib
import hmac
import re
from datetime import datetime
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

HEADER = "Rostrum-Client-Address"
LEAST_SECRET_BYTES = 32

_LONGEST = 200
_VALID_SECONDS = 120
"""Tolerated difference between the clocks of two machines."""
_PORTS = {"http": 80, "https": 443}
# A path without a scheme is a file; Windows treats two slashes or backslashes as a file server.
_PATH_START = re.compile(r"[/\\]")
_CREDENTIALS = re.compile(r"^(\s*[A-Za-z][A-Za-z0-9+.-]*:[/\\]*)[^/\\?#]*@")
_SKIPPED = "".join(map(chr, range(33)))
"""Spaces and control characters, which browsers remove at both ends."""
_NO_SCHEME = re.compile(r"[^:/?#]+(:[0-9]+)?($|[/?#])")


def parse_address(text: str) -> str | None:
    """Read an IP address as proxies write it: alone, with a port, in brackets or in quotes; ``None`` for anything else.

    The same client always has the same address: without port, zone and brackets, and with IPv4-mapped IPv6 addresses as
    IPv4.
    """
    text = text.strip().strip('"').strip()
    if text.startswith("["):
        host, bracket, port = text[1:].partition("]")
        if not bracket or (port and not _is_port(port)):
            return None
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
        if not _is_port(f":{port}"):
            return None
    else:
        host = text
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return str(address)


def sign_address(secret: str, address: str, authorization: str, now: datetime) -> str:
    """Return the value of the header that forwards a client's address together with these credentials."""
    seconds = int(now.timestamp())
    return f"{address};{seconds};{_signature(secret, address, seconds, authorization)}"


def verify_address(secret: str, value: str, authorization: str, now: datetime) -> str | None:
    """Return the forwarded address if the header was signed with the secret for these credentials recently."""
    parts = value.split(";") if len(value) <= _LONGEST else []
    if len(parts) != 3 or not parts[1].isascii() or not parts[1].isdigit():
        return None
    address, seconds, signature = parts[0], int(parts[1]), parts[2]
    expected = _signature(secret, address, seconds, authorization)
    if not hmac.compare_digest(expected.encode(), signature.encode(errors="replace")):
        return None
    return parse_address(address) if abs(now.timestamp() - seconds) <= _VALID_SECONDS else None


def _signature(secret: str, address: str, seconds: int, authorization: str) -> str:
    credentials = hashlib.sha256(authorization.encode(errors="surrogatepass")).hexdigest()
    text = f"rostrum client address\n{address}\n{seconds}\n{credentials}"
    return hmac.new(secret.encode(), text.encode(errors="surrogatepass"), hashlib.sha256).hexdigest()


def _is_port(text: str) -> bool:
    return text.startswith(":") and text[1:].isascii() and text[1:].isdigit()


def loaded_address(url: str) -> str:
    """Return the complete address that a desktop loads, for checks and for loading."""
    address = url.strip(_SKIPPED)
    if _PATH_START.match(address):
        path = address.replace("\\", "/")
        return f"file:{path}" if path.startswith("//") else f"file://{path}"
    return f"http://{address}" if address and _NO_SCHEME.match(address) else address


def without_credentials(address: str) -> str:
    """Return an address without the user and the password before its host."""
    return _CREDENTIALS.sub(r"\1", address, count=1)


def url_origin(url: object) -> str | None:
    """Return the origin of a web address; ``None`` for addresses that programs interpret in different ways.

    Browsers remove line breaks and tabs and treat a backslash as a slash, so addresses with these characters are
    rejected.
    """
    if not isinstance(url, str) or not url.isprintable() or "\\" in url or " " in url:
        return None
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    if scheme not in _PORTS or not host or host == "." or host.endswith("..") or not host.isascii():
        return None
    shown = f"[{host}]" if ":" in host else host.removesuffix(".")
    return f"{scheme}://{shown}" if port in (None, _PORTS[scheme]) else f"{scheme}://{shown}:{port}"
