"""One class per resource: identity first, checks the policy, calls storage."""
