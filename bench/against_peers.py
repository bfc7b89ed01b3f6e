"""The full list with authentication, against servers that do the same job."""

import statistics

from bench import load, plot
from bench.firm import definition, firm, served
from bench.peers import kinto, pocketbase
from bench.polling import basic
from bench.processes import SERVER_CORE, on_core

ROUNDS = 5


def report() -> str:
    definitions = [definition(number) for number in range(500)]
    rows = []
    with firm(users=1000, apps=500, useSessionCookie=False) as config, served(config, on_core(SERVER_CORE)) as server:
        ours = load.request(server.address, "/apps", basic())
        for run, goal in ((kinto, 100), (pocketbase, 40)):
            with run(definitions) as peer:
                theirs = load.request(peer.address, peer.path, peer.headers)
                pairs = [
                    (
                        load.drive(peer.pids, theirs, seconds=2, connections=4).each,
                        load.drive([server.pid], ours, connections=4).each,
                    )
                    for _ in range(ROUNDS)
                ]
            peer_cost, our_cost = (statistics.median(values) for values in zip(*pairs, strict=True))
            times = statistics.median(pair[0] / pair[1] for pair in pairs)
            plot.RATES[f"{peer.name}: full list"] = 1 / peer_cost
            rows.append(
                f"| {peer.name} | {peer_cost * 1e3:.1f} ms | {our_cost * 1e3:.2f} ms | **{times:.0f} ×** | ≥ {goal} × |"
            )
    return (
        "## The same list elsewhere\n\n"
        "500 documents of 800 bytes, listed with credentials on each request: processor time per list, the database's "
        "included. The manager checks Basic each time and sets no cookie.\n\n"
        "| server | its cost | manager | less by | goal |\n|---|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )
