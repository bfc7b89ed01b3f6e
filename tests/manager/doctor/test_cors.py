"""What doctor says of pages of other origins, from the answers of a running manager."""

import json
from pathlib import Path
from typing import Any

import pytest

from rostrum.manager.config import ManagerConfig, load_config_file, read_config
from rostrum.manager.doctor.cors import check_cors
from rostrum.manager.doctor.finding import CheckResult
from rostrum.manager.doctor.surroundings import is_answered_by_manager
from tests.conftest import ORIGIN
from tests.real_manager import manager


def settings(file: str, port: int, **cors: Any) -> ManagerConfig:
    """Read the settings of a manager, with its port, and with other options of cors than it runs with."""
    document = {**load_config_file(Path(file)), "port": port}
    return read_config({**document, "cors": {**document["cors"], **cors}}, {}).config


def found(config: ManagerConfig) -> list[CheckResult]:
    return list(check_cors(config, is_running=is_answered_by_manager(config)))


@pytest.mark.long
def test_a_real_preflight_request_is_sent_and_explained(tmp_path: Path) -> None:
    other = "https://platform.example.com"
    with manager(tmp_path, cors={"credentials": True, "origin": [ORIGIN, other]}) as running:
        port = int(running.address.rsplit(":", 1)[1].partition("/")[0])

        allowed = found(settings(running.file, port))
        assert [(finding.check, str(finding.verdict)) for finding in allowed] == [("CORS", "ok")] * 2
        assert allowed[1].message == (
            f"web pages from {other} can connect with the session cookie (status of the preflight response: 204)"
        )

        (refused,) = found(settings(running.file, port, origin="https://new.example.com"))
        assert str(refused.verdict) == "error"
        assert "pages from https://new.example.com cannot connect" in refused.message
        assert "status of the preflight response: 400" in refused.message
        assert "restart the manager" in refused.advice

        (every,) = found(settings(running.file, port, origin=True))
        assert (str(every.verdict), "pages from every origin cannot connect" in every.message) == ("error", True)
    (gone,) = found(settings(running.file, port))
    assert str(gone.verdict) == "skipped"


@pytest.mark.long
@pytest.mark.parametrize(
    ("cors", "advice"),
    [
        (
            {"allowedHeaders": ["Authorization", "X-Own"]},
            "add serverx-token to cors.allowedHeaders, or remove that setting",
        ),
        ({"methods": ["GET"]}, "add POST to cors.methods, or remove that setting"),
    ],
)
def test_the_option_that_keeps_browser_platforms_out_is_named(
    tmp_path: Path, cors: dict[str, Any], advice: str
) -> None:
    with manager(tmp_path, cors={"credentials": True, "origin": ORIGIN, **cors}) as running:
        port = int(running.address.rsplit(":", 1)[1].partition("/")[0])

        (refused,) = found(settings(running.file, port))

        assert (str(refused.verdict), refused.advice) == ("error", advice)


def test_where_no_page_can_connect_nothing_is_sent(tmp_path: Path) -> None:
    file = tmp_path / "manager.json"
    base = {"auth_method": "basic", "auth_basic": {"useSessionCookie": False}, "token": {"secret": "x" * 40}}
    for cors, verdict in (({"origin": "*"}, "warning"), ({"origin": []}, "skipped"), ({"origin": ORIGIN}, "skipped")):
        file.write_text(json.dumps({**base, "port": 0, "cors": cors}))
        (finding,) = found(read_config(load_config_file(file), {}).config)
        assert str(finding.verdict) == verdict
