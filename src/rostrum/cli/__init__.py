"""The command `rostrum`."""

from rostrum.base.name_check import stop_if_replaced

# Before other modules are imported, because they fail if files of the package were overwritten.
stop_if_replaced()
