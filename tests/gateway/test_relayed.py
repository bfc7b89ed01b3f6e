"""What apps cannot do whose connection a browser platform relays, even if they pass the platform's own filter."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rostrum.gateway.messages.global_domain import Hello
from rostrum.gateway.relayed import MESSAGES
from rostrum.gateway.router import Router
from tests.gateway.core import Client, Core, Frame

FILTER = Path(__file__).parents[2] / "platform-ui" / "src" / "messages" / "relay-messages.ts"


@pytest.fixture
def core() -> Core:
    return Core()


def relayed(core: Core, *domains: str, **identity: Any) -> Client:
    return core.connect("app", "user1", *domains, **{"relayed": True, **identity})


def hello(client: Client, **identity: Any) -> Frame:
    proof = {"method": "secret", "login": "user1", "secret": "s"}
    return client.ask(type="hello", identity=identity, authentication=proof)


def test_relayed_apps_get_no_tokens(core: Core) -> None:
    app = core.stranger("app")
    welcome = app.hello(relayed=True)
    assert welcome["options"] == {}
    refused = app.ask(type="create-token")
    assert (refused["type"], refused["reason_uri"]) == ("error", "global.errors.not_authorized")
    assert core.connect("platform").ask(type="create-token")["type"] == "token"


def test_relayed_apps_can_send_the_listed_messages_only(core: Core) -> None:
    app = relayed(core)
    for domain, kind in core.router._routes:
        answers = app.send(domain=domain, type=kind, request_id="r")
        is_refused = any(each.get("reason_uri") == f"{domain}.errors.not_authorized" for each in answers)
        assert is_refused == (kind not in MESSAGES.get(domain, ())), (domain, kind, answers)
    others = {(domain, kind) for domain, kinds in MESSAGES.items() for kind in kinds} - set(core.router._routes)
    assert others == {("global", "ping")}


def test_the_filter_of_the_platform_has_the_same_list() -> None:
    source = FILTER.read_text()
    contexts = re.findall(r'"([\w-]+)"', re.search(r"const CONTEXTS = (\[.*?\]);", source, re.DOTALL)[1])  # type: ignore[index]
    text = re.search(r"export const RELAYED.*?= \{(.*?)\n\};", source, re.DOTALL)[1]  # type: ignore[index]
    lists = {
        domain: set(re.findall(r'"([\w-]+)"', words)) | (set(contexts) if "CONTEXTS" in words else set())
        for domain, words in re.findall(r"^  (\w+): (.*?),\n(?=  \w|$)", text + "\n", re.DOTALL | re.MULTILINE)
    }
    assert lists == MESSAGES


def test_relayed_apps_do_not_join_activities(core: Core) -> None:
    app = relayed(core, "agm", "bus", "context", "metrics")
    refused = app.ask(type="join", destination="activity")
    assert (refused["type"], refused["reason_uri"]) == ("error", "activity.errors.not_authorized")
    assert "activity" not in core.router.state.members


@pytest.mark.parametrize("mark", [True, 1, 0, "", "no", [], {}, "?"])
def test_every_mark_counts_and_is_shown_to_others_as_true(core: Core, mark: object) -> None:
    app = core.stranger("app")
    assert app.hello(relayed=mark)["resolved_identity"]["relayed"] is True
    assert app.ask(type="create-token")["type"] == "error"


@pytest.mark.parametrize("mark", [{}, {"relayed": False}, {"relayed": None}])
def test_a_relayed_connection_has_no_second_sign_in(core: Core, mark: dict[str, Any]) -> None:
    app = relayed(core)
    assert hello(app, application="other", **mark)["type"] == "error"
    assert len(app.peers) == 1
    # Also not after a sign-in that failed.
    stranger = core.stranger()
    wrong = {"method": "secret", "login": "user1", "secret": "wrong"}
    assert stranger.ask(type="hello", identity={"relayed": True}, authentication=wrong)["type"] == "error"
    assert hello(stranger, **mark)["type"] == "error"
    assert hello(core.stranger(), application="platform")["type"] == "welcome"


def test_a_second_sign_in_is_refused_while_the_first_is_checked() -> None:
    checked: list[Hello] = []
    core = Core()
    core.router = Router("T", lambda _, hello: checked.append(hello), core.tokens)
    client = core.stranger()
    first, second = ({"type": "hello", "request_id": name, "identity": {"relayed": name == "1"}} for name in "12")
    assert client.send_text(json.dumps(first)) == []
    [refused] = client.send_text(json.dumps(second))
    assert (refused["type"], refused["request_id"], len(checked)) == ("error", "2", 1)


@pytest.mark.parametrize("name", ["T42.Web.Platform.Control", "t42.web.platform.stream", "T42.Core.Plus.Themes.Stream"])
def test_relayed_apps_cannot_replace_the_methods_of_the_platform(core: Core, name: str) -> None:
    app, platform = relayed(core, "agm"), core.connect("platform", "user1", "agm")
    methods = [{"id": 1, "name": name}]
    assert app.ask(domain="agm", type="register", methods=methods)["type"] == "error"
    assert platform.ask(domain="agm", type="register", methods=methods)["type"] == "success"
    own = [{"id": 2, "name": "T42.Web.Client.Control"}]
    assert app.ask(domain="agm", type="register", methods=own)["type"] == "success"
