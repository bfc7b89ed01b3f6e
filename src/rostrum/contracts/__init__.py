"""The JSON that manager, desktop and browsers exchange: app definitions, layouts, preferences."""
