"""The members of definitions that pages and untrusted stores may write, and their texts."""

from rostrum.contracts.own_page import own_page


def test_texts_that_users_see_have_no_characters_that_disguise_them() -> None:
    written = {
        "name": "evil",
        "title": "Sign in \u202egpj",
        "caption": "a\u2066b",
        "tooltip": "a\x07b",
        "keywords": ["a\u200fb"],
        "intents": [{"name": "View\u202e", "displayName": "View\u202e"}],
        "customProperties": {"own": "a\u202eb"},
        "details": {"url": "https://evil.example/\u202e", "tabTitle": "a\u202eb", "loader": {"text": "a\u202eb"}},
    }
    kept, removed = own_page(written)
    assert removed == ()
    assert [kept[one] for one in ("title", "caption", "tooltip", "keywords")] == ["Sign in gpj", "ab", "ab", ["ab"]]
    assert (kept["details"]["tabTitle"], kept["details"]["loader"]) == ("ab", {"text": "ab"})
    # Identifiers, addresses and data of the app stay, so that a definition means what was checked.
    assert kept["intents"] == [{"name": "View\u202e", "displayName": "View"}]
    assert kept["customProperties"] == written["customProperties"]
    assert kept["details"]["url"] == "https://evil.example/\u202e"


def test_texts_that_users_see_have_a_limited_length() -> None:
    kept, _ = own_page({"name": "evil", "title": "x" * 1_000_000, "keywords": ["y" * 1_000_000]})
    assert (len(kept["title"]), len(kept["keywords"][0])) == (2000, 2000)
