"""Random sequences of intents between apps that start, listen, answer and end; each intent has exactly one outcome."""

from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.fdc3.platform import CONTACT, App, Platform
from tests.long_form import LONG

INTENTS = {"news": "ViewNews", "mail": "StartMail", "phone": "StartCall"}
RESULT = {"context": {"type": "fdc3.order", "id": {"n": "1"}}}


class Intents(RuleBasedStateMachine):
    """Apps raise intents for instances; handlers answer them, or end before they have."""

    @initialize()
    def start_platform(self) -> None:
        self.platform = Platform()
        self.apps: list[App] = []
        self.listeners: dict[str, str] = {}
        # For each intent without a result: who raised it, who handles it, and the ids in its event.
        self.open: list[tuple[App, App, str, dict[str, Any]]] = []

    def one(self, index: int) -> App:
        return self.apps[index % len(self.apps)]

    @precondition(lambda self: len(self.apps) < 6)
    @rule(app_id=st.sampled_from([*INTENTS]))
    def start(self, app_id: str) -> None:
        self.apps.append(self.platform.start(app_id))

    @precondition(lambda self: self.apps)
    @rule(index=st.integers(0, 10))
    def listen(self, index: int) -> None:
        app = self.one(index)
        if app.instance_id not in self.listeners:
            answer = app.ask("addIntentListenerRequest", intent=INTENTS[app.app_id])
            self.listeners[app.instance_id] = answer["listenerUUID"]

    @precondition(lambda self: self.listeners)
    @rule(index=st.integers(0, 10))
    def stop_listening(self, index: int) -> None:
        app = self.one(index)
        uuid = self.listeners.pop(app.instance_id, None)
        if uuid is not None:
            assert app.ask("intentListenerUnsubscribeRequest", listenerUUID=uuid) == {}

    @precondition(lambda self: self.listeners)
    @rule(source=st.integers(0, 10), index=st.integers(0, 10))
    def raise_intent(self, source: int, index: int) -> None:
        handlers = [app for app in self.apps if app.instance_id in self.listeners]
        raiser, handler = self.one(source), handlers[index % len(handlers)]
        intent = INTENTS[handler.app_id]
        uuid = raiser.post("raiseIntentRequest", intent=intent, context=CONTACT, app=handler.identifier)
        answer = raiser.response(uuid, "raiseIntentResponse")
        assert answer == {"intentResolution": {"source": handler.identifier, "intent": intent}}
        [event] = handler.take("intentEvent")
        assert event["payload"]["originatingApp"] == raiser.identifier
        assert event["payload"]["context"] == CONTACT
        self.open.append((raiser, handler, uuid, event))

    @precondition(lambda self: self.apps)
    @rule(source=st.integers(0, 10))
    def raise_for_nobody(self, source: int) -> None:
        gone = {"appId": "mail", "instanceId": "gone"}
        answer = self.one(source).ask("raiseIntentRequest", intent="StartMail", context=CONTACT, app=gone)
        assert answer == {"error": "TargetInstanceUnavailable"}

    @precondition(lambda self: self.open)
    @rule(index=st.integers(0, 10))
    def answer(self, index: int) -> None:
        raiser, handler, uuid, event = self.open.pop(index % len(self.open))
        ids = {
            "intentEventUuid": event["meta"]["eventUuid"],
            "raiseIntentRequestUuid": event["payload"]["raiseIntentRequestUuid"],
        }
        assert handler.ask("intentResultRequest", intentResult=RESULT, **ids) == {}
        if raiser in self.apps:
            assert raiser.response(uuid, "raiseIntentResultResponse") == {"intentResult": RESULT}
        # A second answer reaches nobody.
        handler.ask("intentResultRequest", intentResult=RESULT, **ids)

    @precondition(lambda self: self.open)
    @rule(index=st.integers(0, 10), other=st.integers(0, 10))
    def answer_for_another(self, index: int, other: int) -> None:
        _, handler, _, event = self.open[index % len(self.open)]
        stranger = self.one(other)
        if stranger is not handler:
            stranger.ask(
                "intentResultRequest",
                intentEventUuid=event["meta"]["eventUuid"],
                raiseIntentRequestUuid=event["payload"]["raiseIntentRequestUuid"],
                intentResult=RESULT,
            )

    @precondition(lambda self: self.apps)
    @rule(index=st.integers(0, 10))
    def end(self, index: int) -> None:
        app = self.one(index)
        self.apps.remove(app)
        self.listeners.pop(app.instance_id, None)
        self.platform.end(app)
        waiting = [one for one in self.open if one[1] is app]
        self.open = [one for one in self.open if one[1] is not app]
        for raiser, _, uuid, _ in waiting:
            if raiser in self.apps:
                assert "error" in raiser.response(uuid, "raiseIntentResultResponse")

    @invariant()
    def nobody_got_anything_else(self) -> None:
        if hasattr(self, "apps"):
            assert [app.take() for app in self.apps if app.got] == []
            assert (self.platform.opened, self.platform.choices) == ([], [])

    @invariant()
    def only_intents_without_a_result_are_stored(self) -> None:
        if hasattr(self, "apps"):
            state = self.platform.agent._state
            assert not state.pending
            assert len(state.results) <= len(self.open)


Intents.TestCase.settings = settings(max_examples=max(20, LONG), stateful_step_count=25, deadline=None)
TestIntents = pytest.mark.long(Intents.TestCase)
