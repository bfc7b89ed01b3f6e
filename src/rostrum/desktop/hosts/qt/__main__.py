"""python -m rostrum.desktop.hosts.qt: the window process."""

from rostrum.desktop.hosts.qt.main import main

main()
