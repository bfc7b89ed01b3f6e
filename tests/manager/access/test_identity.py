from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.access.permissions import ADMIN_GROUP, Permission


def test_rights_are_worked_out_from_the_groups() -> None:
    identity = Identity.of("ann", ["Desk", Permission.APPS_WRITE.value, "Desk"])

    assert identity.groups == {"Desk", "PLATFORM_MANAGER:APPS:WRITE"}
    assert identity.permissions == {Permission.APPS_READ, Permission.APPS_WRITE}
    assert not identity.is_admin


def test_only_the_admin_group_makes_an_administrator() -> None:
    assert Identity.of("ann", [ADMIN_GROUP]).is_admin
    assert not Identity.of("admin", ["admin"]).is_admin


def test_the_system_has_an_id_that_no_user_can_have() -> None:
    assert SYSTEM.user == "(system)"
    assert SYSTEM.is_admin
