"""Installer builds: the versions on disk, which of them starts, and how they are switched and rolled back.

The installer runs these modules from its own file before anything is unpacked, and the launcher runs without any
version. They therefore use the standard library and pure Python modules of ``rostrum.base`` only.
"""
