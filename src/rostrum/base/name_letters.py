"""The letters and signs of new names: a positive list, because other signs can make a name look like another one."""

import re

_PERMITTED = re.compile(
    # Signs of a keyboard, without the one that looks like an apostrophe; dashes, quotation marks and signs of names.
    "[ !-_a-~\u2010\u2013\u2014\u2018\u2019\u201a\u201c-\u201e\xab\xbb\u2039\u203a\xa7\xa3\u20ac\xa5\xb0\xb7"
    "\u30fb\u3001\u3002\u300c-\u300f\u3010\u3011\u05f3\u05f4\u02bb\u02bc"
    # Latin with accents, Greek, Cyrillic, Armenian, Hebrew, Arabic.
    "\xc0-\xd6\xd8-\xf6\xf8-\u01bf\u01c4-\u024f\u0259\u0300-\u0304\u0306-\u030c\u0323-\u0328\u0331"
    "\u0370-\u0373\u0376-\u03ff\u0400-\u0481\u048a-\u052f\u0531-\u0556\u0561-\u0587\u05b0-\u05bd\u05bf\u05c1\u05c2"
    "\u05c4\u05c5\u05c7\u05d0-\u05ea\u0620-\u063f\u0641-\u0655\u0660-\u0669\u0670-\u06d3\u06d5\u06ee-\u06fc"
    # Scripts of Africa and Asia.
    "\u0780-\u07b1\u0900-\u0963\u0966-\u0dff\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59\u0e81-\u0edf\u0f20-\u0f29"
    "\u0f40-\u0fbc\u1000-\u1049\u1050-\u109d\u10d0-\u10fa\u10fd-\u10ff\u1c90-\u1cbf\u1200-\u135a\u1780-\u17d3"
    "\u17e0-\u17e9\u1e00-\u1fff"
    # Chinese, Japanese, Korean: complete syllables, not their parts.
    "\u3005-\u3007\u3041-\u3096\u3099\u309a\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\U00020000-\U000323af]+"
)
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_CJK = re.compile("[\u3005\u3006\u3041-\u3096\u309d\u309e\u30a1-\u30fe\u3400-\u9fff\uac00-\ud7a3\U00020000-\U000323af]")
_STROKES = re.compile("[\u4e00\u4e28\u3007]+|\u30fc+")
"""Letters that look like a dash, a line or a circle beside letters of other scripts."""


def refused_letter(name: str) -> str | None:
    """Return the first letter or sign that a new name must not have, or None."""
    others = _PERMITTED.sub("", name)
    if others:
        return others[0]
    joined = name.replace(" ", "")
    for strokes in _STROKES.finditer(joined):
        before, after = joined[: strokes.start()][-1:], joined[strokes.end() :][:1]
        is_long_vowel = strokes[0][0] == "\u30fc"
        if not (
            _KANA.match(before) if is_long_vowel else _CJK.match(before) or _CJK.match(after) or not before + after
        ):
            return strokes[0][0]
    return None
