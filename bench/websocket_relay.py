"""A WebSocket server that passes each message on to all other clients: the least that a server between pages can do.

Run it with ``python -m bench.websocket_relay``; it prints its port.
"""

import asyncio

from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest, ws_create_server

_clients: set[WSTransport] = set()


class _Client(WSListener):
    def on_ws_connected(self, transport: WSTransport) -> None:
        _clients.add(transport)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        _clients.discard(transport)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.TEXT:
            payload = frame.get_payload_as_bytes()
            for client in _clients - {transport}:
                client.send(WSMsgType.TEXT, payload)


async def main() -> None:
    def accept(_request: WSUpgradeRequest) -> WSListener:
        return _Client()

    server = await ws_create_server(accept, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
