"""New ids."""

import re

from rostrum.base.ids import new_id


def test_ids_are_short_and_need_no_escaping_in_an_address() -> None:
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{12}", new_id()) for _ in range(1000))


def test_no_id_is_taken_for_an_option_of_a_command() -> None:
    assert all(new_id()[0].isalnum() for _ in range(1000))


def test_no_two_ids_are_alike() -> None:
    assert len({new_id() for _ in range(50_000)}) == 50_000
