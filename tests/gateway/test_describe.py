"""The reference page names every message."""

import re

from rostrum.gateway.describe import reference
from rostrum.gateway.messages import agm
from tests.gateway.test_wrong_types import MESSAGES


def test_every_message_a_client_may_send_is_on_the_page_of_its_domain() -> None:
    sections = re.split(r"^## ", reference(), flags=re.MULTILINE)
    pages = {section.split("\n", 1)[0]: section for section in sections}

    missing = [
        (domain, kind)
        for domain, kind, _ in MESSAGES
        if f"| `{kind}` |" not in pages[domain] and f"| `{kind}` |" not in pages["context"]
    ]
    assert missing == []
    assert "| `hello` |" in pages["global"]


def test_fields_are_described_with_their_types() -> None:
    page = reference()

    assert "`server_id` text, `method_id` text or number, [`arguments` JSON]" in page
    assert "[`authentication` object (method, provider, login, secret, token)]" in page
    assert "`publisher-identity` JSON" in page
    assert not any(name in page for name in vars(agm) if name.startswith("Agm"))
