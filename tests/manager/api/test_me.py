from tests.conftest import Api


async def test_the_administrator_is_told_who_they_are(api: Api) -> None:
    answer = await api.admin.get("/me")

    assert answer.status_code == 200
    assert answer.json()["id"] == "admin"
    assert answer.json()["groups"] == ["PLATFORM_SERVER_ADMIN"]
    assert "PLATFORM_MANAGER:APPS:WRITE" in answer.json()["permissions"]


async def test_a_user_is_told_direct_apps_expanded_groups_and_rights(api: Api) -> None:
    await api.admin.post("/admin/groups", json={"name": "Desk", "expandsTo": ["PLATFORM_MANAGER:APPS:WRITE"]})
    user = await api.add_user("ann", "Desk", apps=["blotter"], email="ann@example.com")

    assert (await user.get("/me")).json() == {
        "id": "ann",
        "email": "ann@example.com",
        "groups": ["Desk", "PLATFORM_MANAGER:APPS:WRITE"],
        "apps": ["blotter"],
        "permissions": ["PLATFORM_MANAGER:APPS:READ", "PLATFORM_MANAGER:APPS:WRITE"],
    }
