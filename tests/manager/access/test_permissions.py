import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.manager.access.permissions import ADMIN_GROUP, Permission, permissions_of

WRITES = [permission for permission in Permission if permission.value.endswith(":WRITE")]
READS = [permission for permission in Permission if permission.value.endswith(":READ")]


@pytest.mark.parametrize("permission", WRITES)
def test_who_may_write_may_read_the_same_thing_and_no_other(permission: Permission) -> None:
    read = Permission(permission.value.replace(":WRITE", ":READ"))

    assert permissions_of([permission.value]) == {permission, read}


@pytest.mark.parametrize("permission", READS)
def test_who_may_read_may_only_read(permission: Permission) -> None:
    assert permissions_of([permission.value]) == {permission}


def test_the_admin_group_gives_every_right() -> None:
    assert permissions_of([ADMIN_GROUP]) == set(Permission)


@pytest.mark.parametrize(
    "name",
    [
        "platform_server_admin",
        "PLATFORM_SERVER_ADMIN ",
        "PLATFORM_MANAGER",
        "PLATFORM_MANAGER:",
        "PLATFORM_MANAGER:*:WRITE",
        "PLATFORM_MANAGER:USERS",
        "PLATFORM_MANAGER:USERS:*",
        "PLATFORM_MANAGER:users:WRITE",
        "USERS_WRITE",
        "",
    ],
)
def test_names_that_only_look_like_it_give_nothing(name: str) -> None:
    assert permissions_of([name]) == frozenset()


def test_every_right_is_named_after_its_group() -> None:
    for permission in Permission:
        resource, _, kind = permission.name.rpartition("_")
        assert permission.value == f"PLATFORM_MANAGER:{resource}:{kind}"


@given(st.lists(st.sampled_from([*Permission, "Desk"])), st.lists(st.sampled_from([*Permission, ADMIN_GROUP])))
def test_more_groups_never_give_fewer_rights(some: list[str], more: list[str]) -> None:
    assert permissions_of(some) <= permissions_of([*some, *more])
