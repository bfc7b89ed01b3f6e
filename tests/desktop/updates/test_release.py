"""Feeds: only what a configured key has signed counts, and only if it makes sense."""

import base64
import json
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.updates.release import (
    PAYLOAD_TYPE,
    FeedInvalid,
    Package,
    Release,
    public_key_text,
    read_feed,
    read_public_key,
    sign_release,
)
from tests.desktop.updates.feeds import KEY, OTHER_KEY

ADDRESS = "https://updates.example.com/linux/1.0/stable"
PACKAGE = Package("new.pyz", "linux-x86_64-cp311", 100, "ab" * 32)
RELEASE = Release("2.0", (PACKAGE,), "Faster")
KEYS = [KEY.public_key()]


def envelope(**members: Any) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(sign_release(RELEASE, KEY))
    return made | members


def signed(payload: bytes, key: Any = KEY, kind: str = PAYLOAD_TYPE) -> dict[str, Any]:
    covered = b"DSSEv1 %d %b %d %b" % (len(kind), kind.encode(), len(payload), payload)
    signature = base64.b64encode(key.sign(covered)).decode()
    return envelope(payload=base64.b64encode(payload).decode(), signatures=[{"sig": signature}])


def refusal(feed: Any) -> str:
    content = feed if isinstance(feed, bytes) else json.dumps(feed).encode()
    with pytest.raises(FeedInvalid) as refused:
        read_feed(content, ADDRESS, KEYS)
    return str(refused.value)


def test_a_signed_release_is_read_and_its_packages_lie_beside_the_feed_or_where_it_says() -> None:
    feed = read_feed(sign_release(RELEASE, KEY), ADDRESS, [OTHER_KEY.public_key(), *KEYS])
    assert feed.release == RELEASE
    assert feed.address_of(PACKAGE) == "https://updates.example.com/linux/1.0/new.pyz"
    moved = read_feed(sign_release(RELEASE, KEY, "/files"), ADDRESS, KEYS)
    assert moved.address_of(PACKAGE) == "https://updates.example.com/files/new.pyz"
    assert (moved.release.package_for("linux-x86_64-cp311"), moved.release.package_for("x")) == (PACKAGE, None)


@pytest.mark.parametrize(
    "where",
    [
        "https://evil.example.com/",
        "//evil.example.com/x",
        "http://updates.example.com/",
        "file:///etc/",
        "\\\\evil\\",
        "https://updates.example.com@evil.example.com/",
        "https://[/",
        7,
        None,
    ],
)
def test_packages_come_from_the_origin_of_the_feed_only(where: Any) -> None:
    assert "packagesUrl" in refusal(envelope(packagesUrl=where))


def test_only_a_signature_of_a_configured_key_over_exactly_this_release_counts() -> None:
    wanted = "not signed by a key in autoUpdater.publicKeys"
    payload = json.dumps({"version": "3.0", "packages": []}).encode()
    assert wanted in refusal(json.loads(sign_release(RELEASE, OTHER_KEY)))
    # The signature of another release, of another kind of document, of the payload without its kind.
    assert wanted in refusal(envelope(payload=base64.b64encode(payload).decode()))
    assert wanted in refusal(signed(payload, kind="application/vnd.rostrum.other+json"))
    bare = base64.b64encode(KEY.sign(payload)).decode()
    assert wanted in refusal(envelope(payload=base64.b64encode(payload).decode(), signatures=[{"sig": bare}]))
    # The name of the right key does not help.
    other = json.loads(sign_release(RELEASE, OTHER_KEY))
    other["signatures"][0]["keyid"] = public_key_text(KEY.public_key())
    assert wanted in refusal(other)
    assert "is not signed" in refusal(envelope(signatures=[]))
    assert "is not signed" in refusal(envelope(signatures=[{"sig": ""}] * 21))


WRONG_PAYLOADS: list[Any] = [None, 7, [], "not base64!", "é"]
WRONG_SIGNATURES: list[Any] = [None, {}, "x", [7], [{}], [{"sig": 7}], [{"sig": "*"}]]


@pytest.mark.parametrize(
    "feed",
    [
        b"",
        b"<html>",
        b"[]",
        b"null",
        b'"x"',
        b"[" * 5000,
        b'{"payload": ' + b"[0," * 20_000,
        {},
        {"version": "2.0", "url": "/x"},
    ]
    + [envelope(payload=wrong) for wrong in WRONG_PAYLOADS]
    + [envelope(signatures=wrong) for wrong in WRONG_SIGNATURES],
)
def test_a_malformed_feed_is_refused_in_words(feed: Any) -> None:
    assert "feed" in refusal(feed)


def package(**members: Any) -> dict[str, Any]:
    return {"file": "new.pyz", "target": "linux-x86_64-cp311", "size": 100, "sha256": "ab" * 32} | members


@pytest.mark.parametrize(
    "release",
    [7, {}, {"version": 2, "packages": []}, {"version": "2.0"}, {"version": "2.0", "packages": {}}]
    + [{"version": wrong, "packages": []} for wrong in ("", "spring", "../2.0", "2.0\n")]
    + [{"version": "2.0", "packages": [], "notes": wrong} for wrong in (7, "x" * 10_001)]
    + [{"version": "2.0", "packages": [package()] * 101}, {"version": "2.0", "packages": [7]}]
    + [{"version": "2.0", "packages": [package(**{name: wrong})]} for name, wrong in (
        ("file", "../new.pyz"), ("file", "a/b"), ("file", ".hidden"), ("file", 7), ("file", "https://evil/x"),
        ("target", "../x"), ("target", 7), ("size", 0), ("size", -1), ("size", 2**40), ("size", True), ("size", "1"),
        ("sha256", "ab"), ("sha256", "AB" * 32), ("sha256", 7))],
)  # fmt: skip
def test_a_signed_release_that_makes_no_sense_is_refused_too(release: Any) -> None:
    assert refusal(signed(json.dumps(release).encode()))


def test_keys_of_the_configuration_are_read_or_refused() -> None:
    text = public_key_text(KEY.public_key())
    assert public_key_text(read_public_key(text)) == text
    for wrong in ("", "ed25519:", "ed25519:AAAA", "x", "ed25519:ä"):
        with pytest.raises(DesktopError, match="contains an invalid key"):
            read_public_key(wrong)
