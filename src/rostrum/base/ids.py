"""IDs: random IDs, and the rules by which the manager and the gateway distinguish users.

- A stored ID is compared exactly. The manager returns user IDs unchanged, so components that get users from the manager
  never fold these IDs.
- Names typed at a sign-in that ignores letter case are compared by ``canonical``.
- IDs that people could confuse have the same ``collision_key``; the second one is rejected.
- IDs that are already stored keep working, even if the rules for new IDs would reject them.
"""

import re
import secrets
import unicodedata
from collections.abc import Iterable

from rostrum.base.name_letters import refused_letter

_LOOKALIKES = {
    "a": "ᴀɑαаᎪᗅꓮ𐊠𖽀",
    "b": "ʙƅβвьᏏᏴᑲᖯᗷꓐꞵ𐊂𐊡𐌁",
    "c": "сᏟᴄⲥꓚ𐊢𐌂𐐽𐔜",
    "d": "ᴅԁᎠᏧᑯᗞᗪꓒꓓ",
    "e": "ᴇεеҽᎬⴹꓰꬲ𐊆𑣆𑣎",
    "f": "ꜰϝքᖴẝꓝꞙꬵ𐊇𐊥𐔥𑣂",
    "g": "ɢƍɡԍցᏀᏳᶃꓖ",
    "h": "ʜηнһհᎻᏂᕼⲏꓧ𐋏",
    "i": "ıɩɪιіᎥꙇ𑣃",
    "j": "ᴊʝϳјᎫᒍꓙ",
    "k": "ᴋκкᏦᛕⲕꓗ𐔘",
    "l": "ʟǀӏᏞᒪᛁⲓⳑⵏꓡꓲ𐊊𐌉𐑃𐔦𑣒𖼖𖼨",
    "m": "ᴍμϻмᎷᗰᛖⲙꓟ𐊰𐌑",
    "n": "ɴոռⲛꓠ𐔓",
    "o": "οσоօଠഠဝჿዐᴏᴑⲟⵔꓳꬽ𐊒𐊫𐐬𐓪𐔖𑣈𑣕𑣗",
    "p": "ᴘρрᏢᑭⲣꓑ𐊕",
    "q": "ԛգզⵕ",
    "r": "ʀгᎡᎱᏒᖇᴦⲅꓣꭇꭈ𐓜𖼵",
    "s": "ƽѕտᏕᏚꓢꜱ𐊖𐑈𑣁𖼺",
    "t": "ᴛτтᎢⲧꓔ𐊗𐊱𐌕𑣜𖼊",
    "u": "ʋυսሀᑌᴜꓴꞟꭎꭒ𐓶𑣘𖽂",
    "v": "νѵᏙᐯᴠⴸꓦꛟ𐔝𑜆𑣀𖼈",
    "w": "ɯѡԝաᎳᏔᴡꓪ𑜊𑜎𑜏",
    "x": "χхᕁᕽᚷⲭⵝꓫꭓ𐊐𐊴𐌗𐔧",
    "y": "ɣʏγуүყᎩᎽᶌỿⲩꓬꭚ𐊲𑣄𖽃",
    "z": "ζᏃᴢꓜ𑣉",
}
"""Letters of other scripts that look like Latin letters, from the Unicode list of confusable characters.

The letters are in the form that results from NFKC and case folding, so compatibility forms (full width, mathematical)
and capital letters need no entries of their own.
"""
_PUNCTUATION = {
    "-": "\u058a\u05be\u1400\u1806\u2010\u2012\u2013\u2014\u2015\u2e17\u2e1a"
    "\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030\u30a0\U00010ead\u2212\u02d7\u2043\u2796\u23af\u2500\u2501\u30fc\u4e00\u1173",
    "'": "\u2018\u2019\u201b\u2032\u2035\u02b9\u02bb\u02bc\u02bd\u02be\u02c8\u02ca\u02cb\u02f4\u055a\u05f3\u07f4\u07f5"
    "\ua78c",
    '"': "\u201c\u201d\u201f\u05f4\u02ba\u02ee\u3003\u301d\u301e\u301f",
    ".": "\u06d4\u0701\u0702\ua4f8",
    ",": "\u201a\u060d\u066b\ua4f9",
    ":": "\u02d0\u02f8\u0589\u05c3\u2236\ua789\ua4fd",
    "·": "\u2022\u2027\u2219\u22c5\u30fb\u16eb",
    "/": "\u2044\u2215\u2571\u27cb\u29f8\u1735",
    "\\": "\u2216\u27cd\u29f5\u29f9",
    "|": "\u2223\u23d0\u2502\u2758\u4e28",
    "_": "\u07fa\u02cd",
    "~": "\u2053\u223c\u223f",
    "*": "\u204e\u066d\u2217\u2731",
    "+": "\u16ed\u2795",
    "!": "\u01c3\u2d51",
}
"""Dashes (all of the category Pd), quotation marks and other signs that look like those of a keyboard.

ASCII signs stay as they are, because the keys of users are stored.
"""
_KANA = dict(zip("カエロタトニハヘオノ〇", "力工口夕卜二八へ才丿o", strict=True))
"""Letters of the Japanese scripts that look like each other."""
_TO_PLAIN = str.maketrans(
    {letter: plain for table in (_LOOKALIKES, _PUNCTUATION) for plain, letters in table.items() for letter in letters}
    | _KANA
)
_NEUTRAL = frozenset({"DIGIT", "COMBINING", "MODIFIER"})
_TOGETHER: tuple[frozenset[str], ...] = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO", "IDEOGRAPHIC"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)
"""Scripts that may be mixed; other IDs must use one script only (Unicode TS 39, "highly restrictive")."""
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]"
)
"""Invisible characters that Unicode classifies as letters, marks or symbols."""
_SPACES = re.compile(r"\s+")


def new_id() -> str:
    """Return 12 URL-safe characters (about 72 random bits). The first one is a letter or a digit."""
    # Commands would read an ID that begins with a dash as an option.
    while not (made := secrets.token_urlsafe(9))[0].isalnum():
        pass
    return made


def canonical(user_id: str, *, case_sensitive: bool = False) -> str:
    """Return the form in which a sign-in compares names; if names are case-sensitive, the name itself."""
    return user_id if case_sensitive else _normal(user_id)


def collision_key(user_id: str) -> str:
    """Return a key that is equal for IDs that people could confuse.

    The key ignores letter case, compatibility forms, invisible characters, the kinds of spaces, dashes and quotation
    marks, and the difference between Latin letters and letters of other scripts that look like them.
    """
    visible = "".join(
        " " if letter.isspace() else letter for letter in _normal(user_id) if letter.isspace() or not _is_hidden(letter)
    )
    # Normalize again: after an invisible character was removed, adjacent letters may combine.
    return _normal(_SPACES.sub(" ", visible).strip().translate(_TO_PLAIN)).replace("''", '"')


def problem_of_spaces(name: str) -> str | None:
    """Describe why a name could look like another one that has other spaces or invisible characters."""
    if name != name.strip():
        return "must not start or end with a space"
    if any(letter.isspace() and letter != " " for letter in name) or "  " in name:
        return "must not contain white space other than single spaces"
    if any(_is_hidden(letter) for letter in name):
        return "must not contain invisible or control characters"
    return None


def problem_of_new_id(user_id: str) -> str | None:
    """Describe why an ID cannot be used for a new user or group; ``None`` if it can."""
    problem = problem_of_spaces(user_id)
    if problem is not None:
        return problem
    if unicodedata.normalize("NFKC", user_id) != user_id:
        return f"must be in normalized form (NFKC), such as {_shown(unicodedata.normalize('NFKC', user_id))}"
    refused = refused_letter(user_id)
    if refused:
        return f"must not contain {_shown(refused)} ({unicodedata.name(refused, 'unnamed').lower()})"
    scripts = _scripts(user_id)
    if len(scripts) > 1 and not any(scripts <= allowed for allowed in _TOGETHER):
        return f"must not mix letters of different scripts ({', '.join(sorted(s.capitalize() for s in scripts))})"
    return None


def validate_new_id(user_id: str) -> str:
    """Return the ID, or raise ValueError with the reason why it cannot be used for a new user."""
    problem = problem_of_new_id(user_id)
    if problem is not None:
        raise ValueError(problem)
    return user_id


def _is_hidden(letter: str) -> bool:
    return unicodedata.category(letter) in _HIDDEN or _INVISIBLE.match(letter) is not None


def _normal(text: str) -> str:
    # Case folding can undo the normalization, so normalize again (Unicode, section 3.13, D146).
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", folded).casefold())


def _scripts(text: Iterable[str]) -> frozenset[str]:
    """Name the scripts of the letters and of digits other than 0 to 9, by their Unicode names."""
    names = (_script(letter) for letter in text if unicodedata.category(letter)[0] in "LM" or letter.isdecimal())
    return frozenset(name for name in names if name and name not in _NEUTRAL)


def _script(letter: str) -> str:
    words = unicodedata.name(letter, "").partition(" DIGIT ")
    # Such as EXTENDED ARABIC-INDIC.
    return words[0].removesuffix("-INDIC").split(" ")[-1 if words[1] else 0]


def _shown(text: str) -> str:
    return repr(text[:100])
