"""The functions and structures of the library xcb that are used, declared for ctypes."""

import ctypes
from ctypes import POINTER, Structure, c_char_p, c_int, c_uint8, c_uint16, c_uint32, c_void_p
from typing import Any


class Cookie(Structure):
    """The number of a request."""

    _fields_ = (("sequence", c_uint32),)


class Generic(Structure):
    """An event, or the common part of all events."""

    _fields_ = (
        ("response_type", c_uint8),
        ("detail", c_uint8),
        ("sequence", c_uint16),
        ("window", c_uint32),
        ("second", c_uint32),
        ("pad", c_uint32 * 5),
        ("full_sequence", c_uint32),
    )


class Iterator(Structure):
    """The screens of a display."""

    _fields_ = (("data", POINTER(c_uint32)), ("rem", c_int), ("index", c_int))


class Property(Structure):
    """A property of a window."""

    _fields_ = (
        ("response_type", c_uint8),
        ("format", c_uint8),
        ("sequence", c_uint16),
        ("length", c_uint32),
        ("type", c_uint32),
        ("bytes_after", c_uint32),
        ("value_len", c_uint32),
        ("pad", c_uint8 * 12),
    )


class Atom(Structure):
    """The number of a name."""

    _fields_ = (
        ("response_type", c_uint8),
        ("pad", c_uint8),
        ("sequence", c_uint16),
        ("length", c_uint32),
        ("atom", c_uint32),
    )


class Geometry(Structure):
    """The size of a window, and its position in its parent."""

    _fields_ = (
        ("response_type", c_uint8),
        ("depth", c_uint8),
        ("sequence", c_uint16),
        ("length", c_uint32),
        ("root", c_uint32),
        ("x", ctypes.c_int16),
        ("y", ctypes.c_int16),
        ("width", c_uint16),
        ("height", c_uint16),
        ("border_width", c_uint16),
    )


class Translated(Structure):
    """A position in another window."""

    _fields_ = (
        ("response_type", c_uint8),
        ("same_screen", c_uint8),
        ("sequence", c_uint16),
        ("length", c_uint32),
        ("child", c_uint32),
        ("x", ctypes.c_int16),
        ("y", ctypes.c_int16),
    )


class Tree(Structure):
    """The parent and children of a window."""

    _fields_ = (
        ("response_type", c_uint8),
        ("pad", c_uint8),
        ("sequence", c_uint16),
        ("length", c_uint32),
        ("root", c_uint32),
        ("parent", c_uint32),
    )


class Pointer(Structure):
    """The position of the pointer, and the held buttons and modifiers."""

    _fields_ = (
        ("response_type", c_uint8),
        ("same_screen", c_uint8),
        ("sequence", c_uint16),
        ("length", c_uint32),
        ("root", c_uint32),
        ("child", c_uint32),
        ("root_x", ctypes.c_int16),
        ("root_y", ctypes.c_int16),
        ("win_x", ctypes.c_int16),
        ("win_y", ctypes.c_int16),
        ("mask", c_uint16),
    )


def declared(xcb: Any) -> Any:
    """Declare the functions: pointers do not fit into the default result type."""
    pointers = (c_void_p,)
    for name, result, arguments in (
        ("xcb_connect", c_void_p, (c_char_p, c_void_p)),
        ("xcb_connection_has_error", c_int, pointers),
        ("xcb_disconnect", None, pointers),
        ("xcb_get_setup", c_void_p, pointers),
        ("xcb_setup_roots_iterator", Iterator, pointers),
        ("xcb_get_file_descriptor", c_int, pointers),
        ("xcb_flush", c_int, pointers),
        ("xcb_poll_for_event", c_void_p, pointers),
        ("xcb_intern_atom", Cookie, (c_void_p, c_uint8, c_uint16, c_char_p)),
        ("xcb_intern_atom_reply", c_void_p, (c_void_p, Cookie, c_void_p)),
        ("xcb_change_window_attributes", Cookie, (c_void_p, c_uint32, c_uint32, c_void_p)),
        ("xcb_get_property", Cookie, (c_void_p, c_uint8, c_uint32, c_uint32, c_uint32, c_uint32, c_uint32)),
        ("xcb_get_property_reply", c_void_p, (c_void_p, Cookie, c_void_p)),
        ("xcb_get_property_value", c_void_p, pointers),
        ("xcb_get_property_value_length", c_int, pointers),
        (
            "xcb_change_property",
            Cookie,
            (c_void_p, c_uint8, c_uint32, c_uint32, c_uint32, c_uint8, c_uint32, c_char_p),
        ),
        ("xcb_delete_property", Cookie, (c_void_p, c_uint32, c_uint32)),
        ("xcb_get_geometry", Cookie, (c_void_p, c_uint32)),
        ("xcb_get_geometry_reply", c_void_p, (c_void_p, Cookie, c_void_p)),
        ("xcb_translate_coordinates", Cookie, (c_void_p, c_uint32, c_uint32, ctypes.c_int16, ctypes.c_int16)),
        ("xcb_translate_coordinates_reply", c_void_p, (c_void_p, Cookie, c_void_p)),
        ("xcb_query_tree", Cookie, (c_void_p, c_uint32)),
        ("xcb_query_tree_reply", c_void_p, (c_void_p, Cookie, c_void_p)),
        ("xcb_query_pointer", Cookie, (c_void_p, c_uint32)),
        ("xcb_query_pointer_reply", c_void_p, (c_void_p, Cookie, c_void_p)),
        ("xcb_unmap_window", Cookie, (c_void_p, c_uint32)),
        ("xcb_set_input_focus", Cookie, (c_void_p, c_uint8, c_uint32, c_uint32)),
        (
            "xcb_grab_button",
            Cookie,
            (c_void_p, c_uint8, c_uint32, c_uint16, c_uint8, c_uint8, c_uint32, c_uint32, c_uint8, c_uint16),
        ),
        ("xcb_ungrab_button", Cookie, (c_void_p, c_uint8, c_uint32, c_uint16)),
        ("xcb_allow_events", Cookie, (c_void_p, c_uint8, c_uint32)),
        ("xcb_kill_client", Cookie, (c_void_p, c_uint32)),
        ("xcb_send_event", Cookie, (c_void_p, c_uint8, c_uint32, c_uint32, c_char_p)),
    ):
        function = getattr(xcb, name)
        function.restype = result
        function.argtypes = arguments
    return xcb
