"""The window process: draws windows with Qt and reports their events. Only this package imports Qt."""
