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
        "## Full lists in Kinto and PocketBase\n\n"
        "Each server lists 500 documents of 800 bytes. Every request contains credentials. The table shows the "
        "processor time for each list, including that of the database. The manager checks Basic credentials with "
        "each request and sets no cookie.\n\n"
        "| peer | time of the peer | time of the manager | peer ÷ manager | goal |\n|---|---|---|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )
