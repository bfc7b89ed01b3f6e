r"""Finds rules for addresses that could allow more than their authors expect, with an example of such an address.

The examples are not guessed from the text of a rule: they are addresses that the rule allows. The text decides only
which names are tried: a name that the author wrote, with other letters directly before it (``evilbank.example``), and
endings below which anyone can register names (``co.uk``).
"""

import re
from collections.abc import Iterable, Iterator
from itertools import product

from rostrum.base.address_rules import BORDERS, Expression, Plain, read_rule
from rostrum.base.pattern_examples import example
from rostrum.base.patterns import Pattern, compile_pattern

_DOTTED_HOST = re.compile(r"://(?:\\.|\[(?:\\.|[^\]\\])*\]|[^./\\\[])*\.")
_NAMES = re.compile(r"[a-z0-9-]+(?:(?:\\\.|\[\.\])[a-z0-9-]+)*", re.IGNORECASE)
_LONGEST_NAME = 60
_MOST_NAMES = 8
_SCHEMES = ("https", "http", "wss", "ws")
_ENDINGS = ("", r"\.example", r"\.com", r"\.net", r"\.org")
_REST = "(:1)?/.*"
_WEB = "(https?|wss?)://"
_OTHER_SITES = compile_pattern(rf"{_WEB}([a-z0-9]+\.)*unknown(\.(example|com|net|org))?{_REST}")
_EACH_SITE = tuple(
    compile_pattern(rf"{scheme}://([a-z0-9]+\.)*unknown{ending}{_REST}")
    for scheme, ending in product(_SCHEMES, _ENDINGS)
)
_NETWORKS = compile_pattern(rf"{_WEB}(198\.51\.100\.8|172\.40\.8\.8|192\.30\.8\.8|\[2001:db8::8\]){_REST}")
_FILES = compile_pattern("file:(//unknown|///(C:/|c:/)?((home|Users|tmp)/)?unknown)/.*")
_SCRIPTS = compile_pattern("(javascript|data):.*")
_BELOW = {
    # Second levels of countries.
    "ac": "at in jp kr nz uk za",
    "co": "at id il in jp ke kr nz th uk za",
    "com": "ar au br cn co eg hk mx my ph pl sa sg tr tw ua vn",
    "edu": "au",
    "go": "jp",
    "gov": "au uk",
    "gv": "at",
    "ltd": "uk",
    "me": "uk",
    "ne": "jp",
    "net": "au br cn nz uk",
    "or": "at jp kr",
    "org": "au br cn il nz uk za",
    "plc": "uk",
    "sch": "uk",
    # Services whose customers choose a name.
    "amazonaws appspot azureedge firebaseapp herokuapp onrender sharepoint trycloudflare": "com",
    "azurewebsites cloudapp cloudfront trafficmanager windows": "net",
    "github gitlab ngrok": "io",
    "netlify ngrok run vercel web": "app",
    "fly pages workers": "dev",
    # Endings of no country.
    "": "app bank biz cloud dev finance info online page shop site store tech xyz",
}
SHARED = tuple(
    [*names.split(), ending]
    for names_at_once, endings in _BELOW.items()
    for names in names_at_once.split() or [""]
    for ending in endings.split()
)
"""The labels of endings below which anyone can register names: a selection of the Public Suffix List."""


def rule_weaknesses(rule: str) -> tuple[str, ...]:
    """Return the reasons why a valid rule could allow other addresses than its author expects."""
    expression = read_rule(rule)
    if isinstance(expression, Plain):
        return ()
    return tuple(_weaknesses(rule.replace("\\/", "/"), expression))


def _weaknesses(rule: str, expression: Expression) -> Iterator[str]:
    if not expression.pattern.is_anchored:
        yield "does not begin with ^, or one of its alternatives does not; patterns match from the beginning"
    other, is_wide = _other_site(expression)
    if other is not None:
        yield rf"allows pages of other sites, such as {other}; write \. for a dot and [a-z0-9-]+ for a part of a name"
        return
    if is_wide:
        yield (
            "allows pages of all sites that its lookaheads do not exclude; after them, write what is allowed, such as "
            r"^(?!https://old\.)https://[a-z0-9-]+\.bank\.example/"
        )
        return
    if _DOTTED_HOST.search(rule):
        yield r"its host can match any character where it has a dot; write \. for a dot"
    elif (joined := _example(expression, *_joined(rule))) is not None:
        yield rf"allows other names with the same end, such as {joined}; write ([a-z0-9-]+\.)* before the name"
    if (shared := _example(expression, _shared(rule))) is not None:
        yield f"allows names that anyone can register, such as {shared}; write the name of your own domain"
    if (network := _example(expression, _NETWORKS)) is not None:
        yield f"allows addresses of other networks, such as {network}; write the numbers of your own network"
    if (file := _example(expression, _FILES)) is not None:
        yield f"allows files of all folders or servers, such as {file}; write the folder, such as ^file:///opt/apps/"
    if (script := _example(expression, _SCRIPTS)) is not None:
        yield f"allows addresses that are not pages, such as {script}"


def _other_site(rule: Expression) -> tuple[str | None, bool]:
    """Return a page of another site that a rule allows, and whether it allows all but for its lookaheads."""
    if example(rule.pattern, _OTHER_SITES, BORDERS) is None:
        return None, False
    return _example(
        rule, _OTHER_SITES, *(_EACH_SITE if rule.pattern.has_conditions else ())
    ), rule.pattern.has_conditions


def _joined(rule: str) -> Iterator[Pattern]:
    """Yield addresses in which other letters precede a name of the rule directly."""
    names = dict.fromkeys(name.strip("-").lower() for name in _NAMES.findall(rule))
    # Only names that hosts can end with; the longest first.
    likely = sorted((name for name in names if 1 < len(name) <= _LONGEST_NAME), key=len, reverse=True)
    for name in likely[:_MOST_NAMES]:
        yield compile_pattern(f"{_WEB}unknown-?{name}{_REST}")


def _shared(rule: str) -> Pattern:
    """Return addresses with an ending that the rule names and below which anyone can register names."""
    words = set(re.findall("[a-z]+", rule.lower()))
    # The country is written with any two letters.
    endings = ["[a-z]{2}", *(r"\.".join(labels) for labels in SHARED if words.issuperset(labels))]
    text = rf"{_WEB}([a-z0-9]+\.)*unknown\.({'|'.join(endings)}){_REST}"
    return compile_pattern(text, longest=len(text), most_states=len(text))


def _example(rule: Expression, *targets: Pattern) -> str | None:
    """Return an address that a rule allows and one of the targets matches."""
    return next(_allowed(rule, targets), None)


def _allowed(rule: Expression, targets: Iterable[Pattern]) -> Iterator[str]:
    for target in targets:
        found = example(rule.pattern, target, BORDERS)
        # The search ignores lookaheads.
        if found is not None and rule.admits(found):
            yield found
