"""The value types of settings."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Strict

_HEX = re.compile(r"#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE | re.ASCII)
_NAMES = """
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
    cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray
    darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen
    darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue
    firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew
    hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
    lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
    lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
    mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred
    midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
    palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple
    rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue
    slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white
    whitesmoke yellow yellowgreen"""
_COLOUR_NAMES = frozenset(_NAMES.split())


@dataclass(frozen=True, slots=True, eq=False)
class Hint:
    """Additions of a value type to the JSON Schema of a setting."""

    schema: Mapping[str, Any]


def _not_negative(value: float) -> float:
    if value < 0:
        raise ValueError("must not be negative")
    return value


def _port(value: float) -> float:
    if value != int(value) or not 0 <= value <= 65535:
        raise ValueError("must be a whole number from 0 to 65535")
    return int(value)


def _colour(value: str) -> str:
    if value.lower() not in _COLOUR_NAMES and not _HEX.fullmatch(value):
        raise ValueError("must be an HTML colour name or a hex code such as #1a2b3c")
    return value


def _listed(value: Any) -> Any:
    # The specification writes the default of one list as a single text.
    return (value,) if isinstance(value, str) else value


Number = int | float
Amount = Annotated[Number, AfterValidator(_not_negative), Hint({"minimum": 0})]
Port = Annotated[Number, AfterValidator(_port), Hint({"type": "integer", "minimum": 0, "maximum": 65535})]
Colour = Annotated[str, AfterValidator(_colour), Hint({"pattern": "^(#[0-9a-fA-F]{3,8}|[a-zA-Z]+)$"})]
Strings = Annotated[tuple[str, ...], Strict(strict=False)]
AppNames = Annotated[tuple[str, ...], Strict(strict=False), BeforeValidator(_listed)]
Auth = Literal["no-auth", "negotiate", "kerberos"]
Variables = dict[str, str | Number | bool]
