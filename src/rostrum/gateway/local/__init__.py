"""Peers in this process, which use the gateway without a socket."""
