"""Secrets in texts: hidden in the forms in which people write them, while ordinary words stay."""

import pytest

from rostrum.base.secret_text import without_secrets


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://ann:p@ss:1@host/x", "https://(secret)@host/x"),
        ("https://t0ken@host?q=a@b", "https://(secret)@host?q=a@b"),
        ("postgresql://u:p@db/x?sslpassword=x1&a=b", "postgresql://(secret)@db/x?sslpassword=(secret)&a=b"),
        ("/x?sig=abc#access_token=def", "/x?sig=(secret)#access_token=(secret)"),
        ("Server=db;Pwd=x y;Database=d", "Server=db;Pwd=(secret) y;Database=d"),
        ("tool --api-key abc --token=def -v", "tool --api-key (secret) --token=(secret) -v"),
        ("Accept: a\nX-Auth-Token: abc def", "Accept: a\nX-Auth-Token: (secret)"),
        ("use Bearer abc.def-123 now", "use Bearer (secret) now"),
        ("Basic dXNlcjpwYXNzd29yZA==", "Basic (secret)"),
    ],
)
def test_secrets_are_hidden(text: str, shown: str) -> None:
    assert without_secrets(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "Basic information",
        "https://host/a@b",
        "key = value",
        "the token list",
        "a@b.example",
        "code=7",
        "--token -v",
        "",
    ],
)
def test_ordinary_texts_stay(text: str) -> None:
    assert without_secrets(text) == text
