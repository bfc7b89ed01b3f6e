"""The services of the running desktop, each with its methods on the gateway."""
