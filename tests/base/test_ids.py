"""IDs."""

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.base.ids import canonical, collision_key, new_id, problem_of_new_id, validate_new_id


def test_ids_are_short_and_need_no_escaping_in_an_address() -> None:
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{12}", new_id()) for _ in range(1000))


def test_no_id_is_taken_for_an_option_of_a_command() -> None:
    assert all(new_id()[0].isalnum() for _ in range(1000))


def test_no_two_ids_are_alike() -> None:
    assert len({new_id() for _ in range(50_000)}) == 50_000


ALLOWED = [
    "admin",
    "Ann Lee",
    "ann@example.com",
    "o'neil",
    "user-1_x.y",
    "müller",
    "Жанна",
    "田中 太郎",
    "김민수",
    "ann田中",
    "Straße",
    "O’Neil",
    "Pre–Trade",
    "FIRM\\Traders",
    "CN=Sales,DC=firm",
    "R&D [EU] {x} #1",
    "Nguyễn Thị",
    "Łukasz Żółć",
    "Əliyev",
    "Kāʻū",
    "Ọ̀yọ́",
    "Παπαδόπουλος",
    "იოანე",
    "محمد علي ٣",
    "צה״ל",
    "मोहन १२",
    "สมชาย ใจดี",
    "鈴木一朗",
    "田中 一",
    "第一課",
    "一",
    "データセンター",
    "ラーメン 二〇二六",
    "東京・大阪",
]

REFUSED = [
    " admin",
    "admin ",
    "admin\u00a0",
    "ad  min",
    "ad\u2003min",
    "ad\u200bmin",
    "admin\u202e",
    "\ufeffadmin",
    "admin\u3164",
    "admin\ufe0f",
    "김\u1160",
    "ａｄｍｉｎ",
    "adm\u0456n",
    "аdmin",
    "αdmin",
    "Ꭺdmin",
    "jose\u0301",
    "\ue000",
    "\ud800",
    # Letters and signs that look like others.
    "Pre\ua78cTrade",
    "Pre\u30fcTrade",
    "Pre\u4e00Trade",
    "Pre \u4e00 Trade",
    "Pre\u1173Trade",
    "Pre`Trade",
    "Pre\u301dTrade",
    "Pre\u2500Trade",
    "Pre\u01c0Trade",
    "Pre\u4e28Trade",
    "Pre\u0640",
    "x\u0335y",
    "\u3007\u30077",
    "Desk\u0660",
    "\U00010400",
    "\U0001f680 Desk",
]

DASHES, SPACES = (
    [chr(code) for code in range(0x11000) if unicodedata.category(chr(code)) == kind] for kind in ("Pd", "Zs")
)

LOOKALIKES = [
    ("alice", "ALICE"),
    ("admin", "admin "),
    ("admin", "аdmin"),
    ("cop", "сор"),
    ("admin", "aᴅmin"),
    ("zalice", "ᴢᴀʟɪᴄᴇ"),
    ("ADMIN", "ꓮꓓꓟꓲꓠ".replace("ꓲ", "і")),
    ("ann lee", "Ann\u2003Lee"),
    ("admin", "ad\u200bmin"),
    ("admin", "ａｄｍｉｎ"),
    ("straße", "STRASSE"),
    ("josé", "jose\u0301"),
    ("google", "gооgle"),
    ("maria", "mаrіа"),
    ("o'neil", "o\u2019neil"),
    ("o'neil", "o\u02bcneil"),
    ('"ann"', "\u201cann\u201d"),
    ('"ann"', "\u2033ann\u2033"),
    ("a/b", "a\u2215b"),
    ("pre-trade", "pre\u30fctrade"),
    ("pre-trade", "pre\u4e00trade"),
    ("o'neil", "o\ua78bneil"),
    ("デ\u30fcタ", "デ\u4e00タ"),
    ("力", "カ"),
    ("a.b", "a\ua4f8b"),
    *(("pre-trade", f"pre{dash}trade") for dash in "\u2212\u02d7\u2043\u2796"),
    *((f"pre{one}trade", f"pre{other}trade") for one, other in pairwise([*DASHES, "-"])),
    *(("pre trade", f"pre{space}trade") for space in SPACES),
]


@pytest.mark.parametrize("user_id", ALLOWED)
def test_ids_of_people_can_be_given_to_new_users(user_id: str) -> None:
    assert problem_of_new_id(user_id) is None
    assert validate_new_id(user_id) == user_id


@pytest.mark.parametrize("user_id", REFUSED, ids=ascii)
def test_ids_that_hide_something_cannot_be_given_to_new_users(user_id: str) -> None:
    assert problem_of_new_id(user_id)
    with pytest.raises(ValueError, match="must"):
        validate_new_id(user_id)


@pytest.mark.parametrize(("one", "other"), LOOKALIKES, ids=ascii)
def test_ids_that_look_alike_share_a_key(one: str, other: str) -> None:
    assert collision_key(one) == collision_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("ann", "anna"), ("josé", "jose"), ("user1", "userl"), ("ann lee", "annlee"), ("a-b", "a_b")]
)
def test_ids_that_look_different_have_different_keys(one: str, other: str) -> None:
    assert collision_key(one) != collision_key(other)


@given(st.text(max_size=40))
def test_keys_are_stable_and_never_fail(user_id: str) -> None:
    key = collision_key(user_id)
    assert collision_key(key) == key
    assert collision_key(f" {user_id}\u200b ") == key
    problem_of_new_id(user_id)


@given(st.text(max_size=40))
def test_a_sign_in_ignores_letter_case_unless_it_must_not(user_id: str) -> None:
    assert canonical(canonical(user_id)) == canonical(user_id)
    assert canonical(user_id, case_sensitive=True) == user_id


def test_letter_case_counts_only_where_that_is_set() -> None:
    assert canonical("ADMIN") == canonical("admin")
    assert canonical("ADMIN", case_sensitive=True) != canonical("admin", case_sensitive=True)
