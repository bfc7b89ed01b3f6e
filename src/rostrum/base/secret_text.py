"""Finds secrets by the names beside them, and hides them in texts that are stored or shown."""

import re

SECRET = "(secret)"  # noqa: S105 - what is shown instead of one

_NAMES = (
    r"passw(?:or)?d|passphrase|pwd|secret|token|credential|authorization|cookie|bearer|jwt"
    r"|(?:api|access|account|private|shared).?key"
)
_NAME = re.compile(rf"(?i){_NAMES}")
# All repeats are bounded, or end at the next separator, because texts are untrusted.
_WORD = rf"[\w.-]{{0,40}}(?:{_NAMES})[\w.-]{{0,40}}"
_USER_INFO = re.compile(r"(://)[^\s/?#\"'<>]{1,512}@")
_PARAMETER = re.compile(rf"(?i)((?:^|[?&;,#\s])(?:{_WORD}|(?<=[?&#])(?:sig|key|code|auth))=)[^&;,#\s\"']+")
_OPTION = re.compile(rf"(?i)((?:^|\s)--?{_WORD}\s)[^\s-]\S*")
_HEADER = re.compile(rf"(?im)(^[ \t]?{_WORD}[ \t]?:[ \t]?)\S.*$")
# Words such as "basic information" are no credentials.
_SCHEME = re.compile(r"(?i)\b((?:bearer|basic|negotiate)\s)(?=\S*\d|\S{20})[\w+/=.~-]{8,}")


def is_secret_name(name: str) -> bool:
    """Return whether the value of a member, header or parameter with this name is a secret."""
    return _NAME.search(name) is not None


def without_secrets(text: str) -> str:
    """Return a text without passwords in addresses, secret parameters, options and headers, and credentials."""
    if "://" in text and "@" in text:
        text = _USER_INFO.sub(rf"\1{SECRET}@", text)
    if "=" in text:
        text = _PARAMETER.sub(rf"\1{SECRET}", text)
    if ":" in text:
        text = _HEADER.sub(rf"\1{SECRET}", text)
    if " " in text:
        text = _OPTION.sub(rf"\1{SECRET}", text)
        text = _SCHEME.sub(rf"\1{SECRET}", text)
    return text
