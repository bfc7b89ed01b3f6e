"""The platform: start-up, apps, layouts, channels and services; windows come through a port."""
