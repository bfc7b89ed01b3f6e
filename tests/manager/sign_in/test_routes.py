from tests.conftest import Api


async def test_the_administrator_gets_their_identity(api: Api) -> None:
    answer = await api.admin.get("/me")

    assert answer.status_code == 200
    assert answer.json()["id"] == "admin"
    assert answer.json()["groups"] == ["PLATFORM_SERVER_ADMIN"]
    assert "PLATFORM_MANAGER:APPS:WRITE" in answer.json()["permissions"]


async def test_a_user_gets_direct_apps_inherited_groups_and_rights(api: Api) -> None:
    await api.admin.post("/admin/groups", json={"name": "Desk", "expandsTo": ["PLATFORM_MANAGER:APPS:WRITE"]})
    user = await api.add_user("ann", "Desk", apps=["blotter"], email="ann@example.com")

    assert (await user.get("/me")).json() == {
        "id": "ann",
        "account": "2026-01-01T00:00:00.000+00:00",
        "displayName": None,
        "email": "ann@example.com",
        "groups": ["Desk", "PLATFORM_MANAGER:APPS:WRITE"],
        "apps": ["blotter"],
        "permissions": ["PLATFORM_MANAGER:APPS:READ", "PLATFORM_MANAGER:APPS:WRITE"],
    }


async def test_every_user_can_change_their_own_password(api: Api) -> None:
    ann = await api.add_user("ann", "Desk")
    other = await api.client(("ann", "ann-password")).post("/sessions", json={})
    cookie = (await ann.get("/me")).cookies["PLATFORM_SESSION"]
    changing = {"cookie": f"PLATFORM_SESSION={cookie}", "origin": "http://manager.example.com"}

    body = {"current": "ann-password", "new": "another password"}
    answer = await api.client().put("/me/password", json=body, headers=changing)

    assert (answer.status_code, answer.content) == (204, b"")
    fresh = answer.cookies["PLATFORM_SESSION"]
    statuses = {
        "old password": (await api.client(("ann", "ann-password")).get("/me")).status_code,
        "new password": (await api.client(("ann", "another password")).get("/me")).status_code,
        "old cookie": (await api.client().get("/me", headers=changing)).status_code,
        "this session": (await api.client().get("/me", headers={"cookie": f"PLATFORM_SESSION={fresh}"})).status_code,
        "client session": (
            await api.client().get("/me", headers={"authorization": f"Bearer {other.json()['token']}"})
        ).status_code,
    }
    assert statuses == {
        "old password": 401,
        "new password": 200,
        "old cookie": 401,
        "this session": 200,
        "client session": 401,
    }
    me = (await api.client(("ann", "another password")).get("/me")).json()
    assert me["groups"] == ["Desk"]


async def test_a_wrong_current_password_changes_nothing_and_is_throttled(api: Api) -> None:
    ann = await api.add_user("ann")
    cookie = (await ann.get("/me")).cookies["PLATFORM_SESSION"]
    stolen = {"cookie": f"PLATFORM_SESSION={cookie}", "origin": "http://manager.example.com"}

    answers = [
        await api.client().put("/me/password", json={"current": f"guess {n}", "new": "a new password"}, headers=stolen)
        for n in range(12)
    ]

    assert [answer.status_code for answer in answers] == [403] * 10 + [429] * 2
    assert answers[0].json() == {"error": {"code": 403, "message": "the current password is wrong"}}
    assert int(answers[-1].headers["retry-after"]) > 0
    assert (await ann.get("/me")).status_code == 200


async def test_a_password_cannot_be_changed_without_credentials_from_another_site_or_to_itself(api: Api) -> None:
    ann = await api.add_user("ann")
    body = {"current": "ann-password", "new": "another password"}

    assert (await api.client().put("/me/password", json=body)).status_code == 401
    assert (await ann.put("/me/password", json=body, headers={"origin": "http://evil.example.org"})).status_code == 403
    same = await ann.put("/me/password", json={"current": "ann-password", "new": "ann-password"})
    assert same.status_code == 400
    assert same.json()["error"]["details"] == [{"path": "new", "message": "must differ from the current one"}]
    for wrong in ({}, {"current": "ann-password"}, {"new": "another password"}, {**body, "user": "admin"}):
        assert (await ann.put("/me/password", json=wrong)).status_code == 400
    assert (await ann.get("/me")).status_code == 200


async def test_a_change_of_password_is_in_the_audit_without_the_password(api: Api) -> None:
    ann = await api.add_user("ann")
    await ann.put("/me/password", json={"current": "ann-password", "new": "another password"})

    entry = (await api.admin.get("/admin/audit", params={"limit": 1, "sort": "-revision"})).text

    assert "changeOwnPassword" in entry
    assert "another password" not in entry
