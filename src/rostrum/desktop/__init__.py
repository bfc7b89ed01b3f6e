"""The desktop platform: start-up, apps, layouts, channels and services; windows are behind a port."""
