"""What all routes share: the edge, authentication, the response cache, errors and OpenAPI."""
