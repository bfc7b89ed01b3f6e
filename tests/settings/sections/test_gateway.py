"""gw.configuration: the port, the user names, the memory and the limits of the gateway."""

from typing import Any

import pytest

from tests.settings.reading import in_force, said, taken, tree

CONFIGURATION = "gw.configuration"


@pytest.mark.rule("R-2.10-1", "R-2.11-5")
def test_the_port_is_8385_another_one_or_any_free_one() -> None:
    assert in_force(f"{CONFIGURATION}.port") == 8385
    assert [taken(f"{CONFIGURATION}.port", port) for port in (0, 1, 65535)] == [0, 1, 65535]


@pytest.mark.rule("R-2.10-2")
def test_user_names_are_compared_without_case_by_default() -> None:
    path = f"{CONFIGURATION}.authentication.basic.usernameCaseSensitive"
    assert in_force(path) is False
    assert taken(path, value=True) is True


@pytest.mark.rule("R-2.10-4", "R-2.10-5", "R-2.10-6")
def test_memory_is_watched_every_five_minutes_and_ten_snapshots_above_a_gibibyte_are_kept() -> None:
    assert in_force(f"{CONFIGURATION}.memory") == {
        "dump_locaton": None,
        "dump_location": None,
        "dump_prefix": "gw",
        "max_backups": 10,
        "memory_limit": 1024**3,
        "report_interval": 5 * 60 * 1000,
    }


@pytest.mark.rule("R-2.10-7", "R-2.10-8")
def test_large_messages_are_those_above_20000_bytes_and_connections_are_not_limited() -> None:
    limits = in_force(f"{CONFIGURATION}.limits")
    assert (limits["large_msg_threshold"], limits["max_connections"]) == (20000, None)
    assert taken(f"{CONFIGURATION}.limits.max_connections", 1) == 1


def test_contexts_of_a_user_have_32_mib_and_stay_half_an_hour() -> None:
    limits = in_force(f"{CONFIGURATION}.limits")
    assert (limits["max_context_bytes"], limits["context_expiry"]) == (32 * 1024**2, 30 * 60 * 1000)
    assert taken(f"{CONFIGURATION}.limits.max_context_bytes", 1) == 1


@pytest.mark.rule("R-2.10-8")
@pytest.mark.parametrize("value", [-1, "many", True])
def test_a_limit_is_a_number_that_is_not_negative(value: Any) -> None:
    path = f"{CONFIGURATION}.limits.max_connections"
    assert said(tree(path, value)) == [("error", path)]
