"""Simulated desktops of the demo: ordinary clients of the manager, without windows, apps or files."""
