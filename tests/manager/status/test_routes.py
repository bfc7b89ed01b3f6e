"""The status of the running server for administrators."""

import pytest

from rostrum import __version__
from rostrum.base.clock import SettableClock
from rostrum.base.passwords import Passwords
from rostrum.manager.app import create_app
from rostrum.manager.config import options, read_config
from tests.conftest import ADMIN, SECRET, Api


async def test_version_database_health_and_uptime(api: Api, clock: SettableClock) -> None:
    clock.advance(90)
    told = (await api.admin.get("/admin/server")).json()

    assert (told["version"], told["uptimeSeconds"], told["eventClients"]) == (__version__, 90, 0)
    assert told["started"] == "2026-01-01T00:00:00Z"
    assert told["node"].rpartition(":")[2].isdigit()
    assert told["database"]["kind"] == "sqlite"
    assert told["database"]["migration"] == told["database"]["newestMigration"]
    assert (
        told["health"]
        == (await api.client().get("/health/ready")).json()
        == {
            "status": "ok",
            "checks": {"database": "ok"},
        }
    )


@pytest.mark.long
async def test_every_setting_is_reported_with_its_origin_and_no_secret(sqlite: str, clock: SettableClock) -> None:
    document = {
        "auth_method": "basic",
        "store": sqlite,
        "cors": {"credentials": True, "origin": "http://admin.example.com"},
        "auth_basic": {"predefinedUsers": [":".join(ADMIN)]},
    }
    loaded = read_config(document, {"API_TOKEN_SECRET": SECRET, "API_LOG_SLOW": "250"})
    app = create_app(loaded.config, clock, Passwords(memory_kib=8, rounds=1), loaded.origins)
    async with app.running():
        answer = await Api(app, loaded.config).admin.get("/admin/server")
    told = {setting["property"]: setting for setting in answer.json()["settings"]}

    assert [*told] == [option.property for option in options()]
    assert told["port"]["origin"] == "default"
    assert (told["store"]["origin"], told["store"]["value"]) == ("configuration object", sqlite)
    slow = told["log.slow"]
    assert (slow["value"], slow["origin"], slow["originName"]) == ("250", "variable", "API_LOG_SLOW")
    assert (slow["display"], told["log.level"]["display"]) == ("250 ms", "info")
    assert told["token.secret"]["display"] == told["token.secret"]["value"]
    assert told["token.secret"]["secret"] is True
    assert SECRET not in answer.text
    assert ADMIN[1] not in answer.text


async def test_only_full_administrators_are_informed(api: Api) -> None:
    user = await api.add_user("ann", "PLATFORM_MANAGER:USERS:WRITE", "PLATFORM_MANAGER:AUDITS:READ")

    for method, path in (("GET", "/admin/server"), ("GET", "/admin/export"), ("POST", "/admin/import")):
        refused = await user.request(method, path)
        assert refused.status_code == 403
        assert "PLATFORM_SERVER_ADMIN" in refused.json()["error"]["message"]
