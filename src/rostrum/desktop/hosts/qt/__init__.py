"""The window process: draws windows with Qt and reports their events. Only this package imports Qt."""

from rostrum.base.name_check import stop_if_replaced

# Before other modules are imported, because they fail if files of the package were overwritten.
stop_if_replaced()
