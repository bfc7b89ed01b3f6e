import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.access.permissions import ADMIN_GROUP, Permission, permissions_of
from rostrum.manager.access.policy import require, require_power_over
from rostrum.manager.errors import Forbidden

GROUPS = st.lists(st.sampled_from([*(permission.value for permission in Permission), ADMIN_GROUP, "Desk", "Floor"]))


def someone(*groups: str) -> Identity:
    return Identity.of("ann", groups)


def test_a_right_one_has_is_let_through() -> None:
    require(someone(Permission.USERS_READ), Permission.USERS_READ)
    require(someone(Permission.USERS_WRITE), Permission.USERS_READ)


def test_a_right_one_lacks_is_refused_by_name() -> None:
    with pytest.raises(Forbidden, match="PLATFORM_MANAGER:USERS:WRITE"):
        require(someone(Permission.USERS_READ, "Desk"), Permission.USERS_WRITE)


@pytest.mark.parametrize("permission", list(Permission))
def test_administrators_and_the_system_have_every_right(permission: Permission) -> None:
    require(someone(ADMIN_GROUP), permission)
    require(SYSTEM, permission)


@pytest.mark.parametrize("permission", list(Permission))
def test_a_plain_user_has_none(permission: Permission) -> None:
    with pytest.raises(Forbidden):
        require(someone("Desk"), permission)


def test_plain_groups_are_in_everyones_power() -> None:
    require_power_over(someone(), ["Desk", "Floor"])


def test_rights_one_has_are_in_ones_power() -> None:
    require_power_over(someone(Permission.APPS_WRITE), [Permission.APPS_WRITE, Permission.APPS_READ, "Desk"])


def test_rights_one_lacks_are_refused_by_name() -> None:
    with pytest.raises(Forbidden, match="PLATFORM_MANAGER:APPS:WRITE") as refused:
        require_power_over(someone(Permission.APPS_READ), [Permission.APPS_WRITE, "Desk"])

    assert "APPS:READ" not in str(refused.value)


def test_all_rights_together_are_not_the_admin_group() -> None:
    everything = someone(*(permission.value for permission in Permission))

    assert everything.permissions == someone(ADMIN_GROUP).permissions
    with pytest.raises(Forbidden, match=ADMIN_GROUP):
        require_power_over(everything, [ADMIN_GROUP])


def test_administrators_have_power_over_everything() -> None:
    require_power_over(someone(ADMIN_GROUP), [ADMIN_GROUP, *(permission.value for permission in Permission)])


@given(GROUPS, GROUPS)
def test_users_cannot_change_users_with_more_permissions(own: list[str], wanted: list[str]) -> None:
    identity = someone(*own)
    try:
        require_power_over(identity, wanted)
    except Forbidden:
        assert not identity.is_admin
        return
    assert permissions_of(wanted) <= identity.permissions
    assert identity.is_admin or ADMIN_GROUP not in wanted
