"""An app that intercepts starts, as a program: it prevents the start of one app, and writes down those it has seen."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

PREVENTED, SEEN = sys.argv[1], Path(sys.argv[2])


def main() -> None:
    with connect(os.environ["ROSTRUM_GATEWAY"]) as socket:
        methods: dict[str, tuple[str, Any]] = {}

        def get() -> dict[str, Any]:
            frame: dict[str, Any] = json.loads(socket.recv())
            if frame["type"] == "methods-added":
                methods.update({one["name"]: (frame["server_id"], one["id"]) for one in frame["methods"]})
            return frame

        def ask(**message: Any) -> dict[str, Any]:
            socket.send(json.dumps({"request_id": "r", **message}))
            while (frame := get()).get("request_id") != "r":
                pass
            return frame

        token = {"method": "gateway-token", "token": os.environ["ROSTRUM_TOKEN"]}
        peer = ask(type="hello", identity={"application": "guard"}, authentication=token)["peer_id"]
        ask(type="join", destination="agm", peer_id=peer)
        ask(domain="agm", type="register", peer_id=peer, methods=[{"id": "g", "name": "Guard", "flags": {}}])
        server, method = methods["Rostrum.Interception.Register"]
        wanted = {"area": "Apps", "operation": "Start", "method": "Guard"}
        ask(domain="agm", type="call", peer_id=peer, server_id=server, method_id=method, arguments_kv=wanted)
        while True:
            frame = get()
            if frame["type"] == "invoke":
                name = frame["arguments_kv"]["arguments"]["name"]
                with SEEN.open("a") as file:
                    file.write(f"{name}\n")
                answer = {"invocation_id": frame["invocation_id"], "result": {"prevent": name == PREVENTED}}
                socket.send(json.dumps({"domain": "agm", "type": "yield", "peer_id": peer, **answer}))


main()
