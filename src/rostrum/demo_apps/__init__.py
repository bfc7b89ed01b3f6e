"""The demo firm's apps: small pages that use channels, intents, shared contexts, notifications and layouts."""
