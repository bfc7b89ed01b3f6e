"""Things without a domain: errors, time, ids, JSON bytes."""
