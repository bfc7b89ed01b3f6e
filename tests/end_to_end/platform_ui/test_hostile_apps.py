"""Hostile pages of apps in the browser platform, with a real manager and a real gateway."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Frame, Page

from tests.end_to_end.platform_ui.conftest import Desk, at_desk
from tests.end_to_end.platform_ui.hostile import add_hostile_apps
from tests.end_to_end.platform_ui.interop import ConnectedFirm, connected_firm, frame_titled


@dataclass
class Open:
    """The page of the platform with a hostile app in a panel, and another one in a window."""

    firm: ConnectedFirm
    desk: Desk
    frame: Frame
    window: Page

    @property
    def pages(self) -> list[Frame | Page]:
        return [self.frame, self.window]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def opened(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Open]:
    async with connected_firm(tmp_path_factory.mktemp("hostile")) as firm:
        with firm.gateway():
            await add_hostile_apps(firm)
            async with at_desk(browser, firm) as desk:
                await desk.enter()
                await desk.launch("Hostile")
                frame = await frame_titled(desk, "Hostile")
                async with desk.page.expect_popup() as popup:
                    await desk.launch("Outside")
                window = await popup.value
                for page in (frame, window):
                    await page.wait_for_function("window.signedIn !== undefined")
                yield Open(firm, desk, frame, window)
                # After an attack, the page may be closed while it connects again.
                await desk.page.close()
                desk.complaints[:] = [text for text in desk.complaints if not text.startswith("WebSocket connection")]


HELLOS = "['hello', new String('hello'), ['hello'], [new String('hello')], new Map([['a', 'hello']])]"


async def test_an_app_cannot_choose_its_identity_or_credentials(opened: Open) -> None:
    for page, app in zip(opened.pages, ("hostile", "outside"), strict=True):
        identities: list[dict[str, Any] | None] = await page.evaluate(
            f"""async () => {{
              const identities = [];
              for (const type of {HELLOS}) {{
                const [, welcome] = await signedIn({{ type, request_id: crypto.randomUUID(), peer_id: 'p-1',
                  identity: {{ application: "victim", instance: "mine", windowId: "w", relayed: false }},
                  authentication: {{ method: "session" }} }}, identities.length < 2 ? undefined : 20);
                identities.push(welcome?.resolved_identity ?? null);
              }}
              return identities;
            }}"""
        )
        assert identities[0] is not None
        for each in filter(None, identities):
            assert (each["application"], each["applicationName"], each["relayed"]) == (app, app, True)
            assert each["instance"] != "mine"


ATTACKS: dict[str, str] = {
    "a word": "{type: 'create-token'}",
    "a String object": "{type: new String('create-token')}",
    "a list": "{type: ['create-token']}",
    "a list of String objects": "{type: [new String('create-token')]}",
    "other case": "{type: 'Create-Token'}",
    "a domain as String object": "{domain: new String('global'), type: new String('create-token')}",
    "a domain as list": "{domain: ['global'], type: 'create-token'}",
    "a prototype": 'JSON.parse(\'{"domain": "agm", "__proto__": {"type": "create-token"}}\')',
    "a date": "{type: Object.assign(new Date(), {type: 'create-token'})}",
    "activities": "{domain: 'global', type: 'join', destination: new String('activity')}",
    "activities as list": "{domain: 'global', type: 'join', destination: ['activity']}",
    "a factory": "{domain: new String('activity'), type: 'add-peer-factories', factories: []}",
    "another sign-in": "{type: new String('hello'), identity: {application: 'x'}, authentication: {method: 'session'}}",
}


async def test_an_app_gets_no_tokens_activities_or_second_sign_in(opened: Open) -> None:
    attacks = "[" + ",".join(ATTACKS.values()) + "]"
    for page in opened.pages:
        answers: list[dict[str, Any] | None] = await page.evaluate(
            f"""async () => {{
              const [port, welcome] = await signedIn(), answers = [];
              for (const frame of {attacks}) {{
                for (const peer_id of [welcome.peer_id, new String(welcome.peer_id), undefined]) {{
                  const request_id = crypto.randomUUID();
                  port.postMessage(Object.assign(frame, {{request_id, peer_id}}));
                  // A frame that is answered in any case, after the attack.
                  port.postMessage({{type: 'join', domain: 'global', destination: 'bus',
                    request_id: request_id + '-end', peer_id: welcome.peer_id}});
                  await answer(request_id + '-end');
                  answers.push(got.find(each => each.request_id === request_id) ?? null);
                }}
              }}
              return answers;
            }}"""
        )
        names = [name for name in ATTACKS for _ in range(3)]
        for name, each in zip(names, answers, strict=True):
            assert each is None or (each["type"] == "error" and "token" not in each), (name, each)


@pytest.mark.long
async def test_nothing_that_is_sent_before_the_welcome_signs_in_or_gets_a_token(opened: Open) -> None:
    received = await opened.frame.evaluate(
        """async () => {
          const port = await relayPort(), id = crypto.randomUUID(), first = got.length;
          for (let turn = 0; turn < 40; turn += 1) {
            port.postMessage({type: new String('create-token'), request_id: `t${turn}`});
            port.postMessage({type: 'hello', request_id: turn === 20 ? id : `h${turn}`, identity: {application: 'x'},
              authentication: {method: 'session'}});
            port.postMessage({type: ['hello'], request_id: `l${turn}`, authentication: {method: 'session'}});
          }
          port.postMessage({type: 'join', domain: 'global', destination: 'bus', request_id: id + '-end'});
          await answer(id + '-end');
          return got.slice(first).map(({type, resolved_identity}) => [type, resolved_identity?.application ?? ''])
            .filter(([type]) => type === 'welcome' || type === 'token');
        }"""
    )
    assert received == [["welcome", "hostile"]]


@pytest.mark.long
async def test_an_app_cannot_connect_as_the_window_of_another_app(opened: Open) -> None:
    other = await opened.window.evaluate("name")
    errors = await opened.frame.evaluate(
        """async other => {
          const errors = [];
          for (const id of [other, new String(other)])
            errors.push(await relayPort({selfAssignedWindowId: id}).then(() => '', error => error.message));
          return errors;
        }""",
        other,
    )
    assert errors == ["The window has the name of another window."] * 2
    # Requests without a word as their type have no answer.
    assert await opened.frame.evaluate(
        """async () => {
          const send = glue42core => platform.postMessage({glue42core}, '*');
          for (const type of [['connectionRequest'], {}, 7]) send({type, clientId: 'x'});
          send({type: 'connectionRequest', clientId: ['x']});
          await relayPort();
          return true;
        }"""
    )
    opened.desk.complaints.clear()


BOMBS = """(() => {
  let shared = 'x';
  for (let level = 0; level < 80; level += 1) shared = [shared, shared];
  const sparse = [];
  sparse.length = 2 ** 32 - 1;
  const cycle = {};
  cycle.self = cycle;
  let deep = 1;
  for (let level = 0; level < 900; level += 1) deep = [deep];
  return [shared, sparse, cycle, deep, 10n, new Uint8Array(2 ** 24)];
})()"""


@pytest.mark.long
async def test_messages_that_would_exhaust_the_memory_are_discarded(opened: Open) -> None:
    assert (
        await opened.frame.evaluate(
            f"""async () => {{
          const [port] = await signedIn();
          for (const data of {BOMBS}) {{
            port.postMessage({{domain: 'agm', type: 'call', request_id: 'bomb', arguments_kv: data}});
            platform.postMessage({{glue42core: {{type: 'platformPing', data}}}}, '*');
          }}
          const id = crypto.randomUUID();
          port.postMessage({{type: 'join', domain: 'global', destination: 'bus', request_id: id}});
          return (await answer(id))?.type;
        }}"""
        )
        == "success"
    )
    agent = await opened.frame.evaluate(
        f"""async () => {{
          const port = await fdc3Port(), meta = () => ({{requestUuid: crypto.randomUUID(), timestamp: new Date()}});
          for (const context of {BOMBS})
            port.postMessage({{type: 'broadcastRequest', meta: meta(), payload: {{context}}}});
          port.postMessage({{type: new String('WCP4ValidateAppIdentity'), payload: {{identityUrl: location.href,
            actualUrl: location.href}}, meta: {{connectionAttemptUuid: 'x', timestamp: new Date()}}}});
          return new Promise(resolve => {{ port.onmessage = ({{data}}) => resolve([data.type, data.payload.appId]); }});
        }}"""
    )
    assert agent == ["WCP5ValidateAppIdentityResponse", "hostile"]


@pytest.mark.long
async def test_an_app_opens_a_limited_number_of_others(opened: Open) -> None:
    await opened.firm.add_app("Small", "/app-page.html?small", allowMultiple=True)
    await opened.desk.page.reload()
    frame = await frame_titled(opened.desk, "Hostile")
    await frame.wait_for_function("window.signedIn !== undefined")
    errors = await frame.evaluate(
        """async () => {
          const port = await fdc3Port(), errors = [];
          const meta = () => ({requestUuid: crypto.randomUUID(), timestamp: new Date()});
          const answers = new Promise(resolve => {
            port.onmessage = ({data}) => {
              if (data.type === 'WCP5ValidateAppIdentityResponse') for (let turn = 0; turn < 60; turn += 1)
                port.postMessage({type: 'openRequest', meta: meta(), payload: {app: {appId: 'small'}}});
              if (data.type === 'openResponse' && errors.push(data.payload.error ?? '') === 40) resolve(errors);
            };
          });
          port.postMessage({type: 'WCP4ValidateAppIdentity', payload: {identityUrl: location.href,
            actualUrl: location.href}, meta: {connectionAttemptUuid: 'x', timestamp: new Date()}});
          return answers;
        }"""
    )
    assert set(errors) <= {"ErrorOnLaunch", ""}
    assert await opened.desk.page.locator('iframe[title="Small"]').count() == 20
    opened.desk.complaints.clear()
