"""``details`` of type node: a Node.js script."""

from rostrum.contracts.apps.types import Download
from rostrum.contracts.choice import OneOf
from rostrum.contracts.shape import Maybe, Open, member
from rostrum.contracts.values import Number


class RemoteScript(Download):
    """A script to be fetched."""

    url: Maybe[str] = member("Its address.")


class NodeDetails(Open):
    """A Node.js script."""

    path: Maybe[str] = member("File of the script.")
    remote: Maybe[RemoteScript] = member("Script to be fetched.")
    parameters: Maybe[str] = member("Arguments.")
    node_version: Maybe[str] = member("Version of Node.js.")
    node_cli_options: str = member(
        "Options of the Node.js process.", default="--dns-result-order=ipv4first", alias="nodeCLIOptions"
    )
    show_console: bool = member("Its console is visible.", default=False)
    pass_glue_token: bool = member("Gets a gateway token in its environment.", default=False)
    debug: OneOf[bool | str] = member("As inspect; the port as text.", default=False)
    inspect: OneOf[bool | Number] = member("Inspector, with its port if given.", default=False)
    inspect_brk: OneOf[bool | Number] = member("Inspector that stops at once, with its port if given.", default=False)
    timeout: Maybe[Number] = member("Longest wait for the start, seconds.")
    logging: bool = member("Its output goes into the log folder.", default=False)
    terminate_on_shutdown: bool = member("Ends with the platform.", default=True)
