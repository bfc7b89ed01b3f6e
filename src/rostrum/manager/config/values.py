"""The value types of the options, with validation and messages."""

import os
import re
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Strict

from rostrum.base.command_line import command
from rostrum.manager.config.option import Mask, TypeWords
from rostrum.manager.config.store_address import (
    check_store_address,
    hide_store_password,
)
from rostrum.manager.config.wording import printable_path
from rostrum.manager.kinds import DOCUMENT_KINDS

SECRET_BYTES = 32

_HOST_NAME = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_.])?")
_SEGMENT = re.compile(r"[A-Za-z0-9._~-]+")
_BUCKET = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._~-]+)*/?")

_GATEWAY = re.compile(r"(wss?://[A-Za-z0-9.\[\]:_-]+)?(/[A-Za-z0-9._~/-]*)?")
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,122}\.json")


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach the address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost" or host.lower().endswith(".localhost")


def is_unspecified(host: str) -> bool:
    """Return whether the address represents all addresses of the machine."""
    return _is_address(host) and ip_address(host).is_unspecified


def reachable_host(host: str) -> str:
    """Return the host at which programs of this machine reach a server that listens on a host."""
    if not is_unspecified(host):
        return host
    return "::1" if ":" in host else "127.0.0.1"


def origin_of(host: str, port: int, *, has_tls: bool) -> str:
    """Return scheme, host and port of a server, as pages of this machine name it."""
    host = reachable_host(host)
    return f"{'https' if has_tls else 'http'}://{f'[{host}]' if ':' in host else host}:{port}"


def split_user(entry: str) -> tuple[str, str]:
    """Split ``user-id:password`` at the first colon, so that passwords can contain colons."""
    user, _, password = entry.partition(":")
    return user, password


def _whole(value: Any) -> Any:
    # JSON has one kind of number: 3600.0 is an integer like 3600.
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _not_zero(days: int) -> int:
    if days == 0:
        raise ValueError("must be 1 or more, or -1 to keep for ever, not 0")
    return days


def _check_name(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


def _check_file_name(text: str) -> str:
    if not _FILE_NAME.fullmatch(text):
        raise ValueError("must be the name of a configuration file, such as browser-platform.json")
    return text


def _check_host(text: str) -> str:
    host = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    if not _HOST_NAME.fullmatch(host) and not _is_address(host):
        raise ValueError("must be an IP address or a host name alone, such as 127.0.0.1 or ::1")
    return host


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _check_base(text: str) -> str:
    base = text.strip("/")
    segments = base.split("/") if base else []
    if any(not _SEGMENT.fullmatch(s) or s in {".", ".."} for s in segments):
        raise ValueError("must be a path of letters, digits and . _ ~ - such as api or rostrum/api")
    return base


def _check_page_base(text: str) -> str:
    base = _check_base(text)
    if not base:
        raise ValueError("must be a path of its own, such as admin")
    return base


def _check_api_url(text: str) -> str:
    address = urlsplit(text)
    is_path = text.startswith("/") and not text.startswith("//")
    is_address = address.scheme in ("http", "https") and bool(_HOST_NAME.fullmatch(address.hostname or ""))
    if (text and not is_path and not is_address) or set(text) & set(" \"';,<>"):
        raise ValueError("must be a path such as /api, or an address such as https://manager.example.com/api")
    return text.rstrip("/")


def _check_document_kind(text: str) -> str:
    if text not in DOCUMENT_KINDS:
        raise ValueError(f"must be one of {', '.join(DOCUMENT_KINDS)}, not {text[:40]!r}")
    return text


def _check_ticket_url(text: str) -> str:
    head, found, tail = text.partition("{ticket}")
    address = urlsplit(head)
    # A number of a ticket must never become a part of the host.
    is_host = bool(_HOST_NAME.fullmatch(address.hostname or "")) and bool(address.path or address.query)
    is_address = address.scheme in ("http", "https") and is_host and not address.username
    is_plain = text.isascii() and text.isprintable() and not set(head + tail) & set(" \"'<>\\{}`^|")
    if text and not (found and is_address and is_plain):
        raise ValueError("must be an address with {ticket}, such as https://tickets.example.com/browse/{ticket}")
    return text


def _only_basic(value: Any) -> Any:
    if isinstance(value, str) and value != "basic":
        raise ValueError(f"{value[:40]!r} is not supported; the only supported value is 'basic'")
    return value


def _check_secret(text: str) -> str:
    if len(text.encode()) < SECRET_BYTES:
        generate = command("manager", "init", "--dir", "new-folder")
        raise ValueError(
            f"must be at least {SECRET_BYTES} bytes long; `{generate}` creates a configuration file with a new secret"
        )
    return text


_LONGEST_USER = 256


def _check_entry(entry: str) -> str:
    user, password = split_user(entry)
    if not user.strip() or not password:
        raise ValueError("must have the form user-id:password, neither part empty")
    if len(user) > _LONGEST_USER or not user.isprintable() or set(user) & set("()*") or user in (".", ".."):
        raise ValueError("must name a user without brackets, stars and control characters")
    return entry


def _check_once(entries: tuple[str, ...]) -> tuple[str, ...]:
    users = [split_user(entry)[0] for entry in entries]
    twice = sorted({user for user in users if users.count(user) > 1})
    if twice:
        names = ", ".join(ascii(user[:40]) for user in twice)
        raise ValueError(f"must name each user once; more than once: {names}")
    return entries


_PEM = "-----BEGIN "


def _to_path(value: Any) -> Any:
    if not isinstance(value, str | Path) or value == "":
        raise ValueError("must be the path of a file")
    if _PEM in str(value):
        # A key must not be shown in the message that it is not a path.
        raise ValueError("must be the path of a file, not what the file holds")
    return Path(value)


def _check_readable(path: Path) -> Path:
    try:
        with path.open("rb") as file:
            file.read(1)
    except OSError as error:
        raise ValueError(f"{printable_path(path)} cannot be read: {error.strerror}") from None
    except ValueError:
        raise ValueError("must be the path of a file") from None
    return path


def _to_folder(value: Any) -> Any:
    if not isinstance(value, str | Path) or value == "":
        raise ValueError("must be the path of a folder")
    return Path(value)


def _check_writable(path: Path) -> Path:
    try:
        is_folder = path.is_dir()
    except OSError as error:
        # For example, a name that is too long.
        raise ValueError(f"{printable_path(path)} cannot be read: {error.strerror}") from None
    if not is_folder:
        # Not created here: if a file server is not mounted, files would be stored on this machine.
        raise ValueError(f"{printable_path(path)} is not a folder; create or mount it")
    if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        raise ValueError(f"this account cannot read and write {printable_path(path)}")
    return path.absolute()


def _check_bucket(address: str) -> str:
    if not _BUCKET.fullmatch(address):
        raise ValueError(
            "must be the address of a bucket, optionally with a prefix, such as s3://dumps or s3://dumps/rostrum"
        )
    return address.rstrip("/")


def _check_gateway_url(address: str) -> str:
    if not _GATEWAY.fullmatch(address):
        raise ValueError("must be an address such as wss://gateway.example.com/gw, or a path such as /gw")
    return address


def _to_network(value: Any) -> Any:
    if isinstance(value, IPv4Network | IPv6Network):
        return value
    text = value if isinstance(value, str) else ""
    host = text.split("/")[0]
    try:
        network = ip_network(text, strict=False)
    except ValueError:
        raise ValueError("must be an IP address or network, such as 10.0.0.5 or 10.0.0.0/8") from None
    # A network with host bits may be intended as one address. Trust must be explicit.
    if ip_address(host) != network.network_address:
        raise ValueError(f"is ambiguous: write {network}, or {host} for one address")
    return network


def _fold(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


CaseFolded = BeforeValidator(_fold)
OnlyBasic = BeforeValidator(_only_basic)

Flag = Annotated[bool, Strict()]
Whole = Annotated[int, Strict(), BeforeValidator(_whole)]
Days = Annotated[int, Strict(), BeforeValidator(_whole), AfterValidator(_not_zero)]
IdentifierName = Annotated[str, AfterValidator(_check_name)]
FileName = Annotated[str, AfterValidator(_check_file_name)]
Host = Annotated[str, AfterValidator(_check_host)]
BasePath = Annotated[str, AfterValidator(_check_base)]
PageBase = Annotated[str, AfterValidator(_check_page_base)]
DocumentKindName = Annotated[str, AfterValidator(_check_document_kind)]
TicketUrl = Annotated[str, AfterValidator(_check_ticket_url)]
ApiUrl = Annotated[str, AfterValidator(_check_api_url)]
GatewayUrl = Annotated[str, AfterValidator(_check_gateway_url)]
BucketAddress = Annotated[str, AfterValidator(_check_bucket)]
StoreAddress = Annotated[str, AfterValidator(check_store_address), Mask(hide_store_password)]
TokenSecret = Annotated[str, AfterValidator(_check_secret)]
UserEntries = Annotated[
    tuple[Annotated[str, AfterValidator(_check_entry)], ...],
    AfterValidator(_check_once),
]
WritableFolder = Annotated[
    Path, BeforeValidator(_to_folder), AfterValidator(_check_writable), TypeWords("path of a folder")
]
ReadableFile = Annotated[Path, BeforeValidator(_to_path), AfterValidator(_check_readable)]
Network = Annotated[IPv4Network | IPv6Network, BeforeValidator(_to_network)]
