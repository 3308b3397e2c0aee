"""Functions of one record, for Bytewax and Python UDFs. A record is a single value, a tuple or a dataclass.

PyFlink and pystream also use those that do not create tuples. Nothing is annotated, because an annotation
would declare a type.
"""

from benchmarks.suite.shapes import KEYS, Reading


def map_long(n):
    return n % 1000 * 3 + 1


def map_row5(r):
    return r[0] % 1000 + 1, r[1], r[2] * 1.5, r[3] + "!", not r[4]


def map_row30(r):
    return (
        *(r[0] % 1000 + 1, r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9]),
        *(r[10] * 1.5, r[11], r[12], r[13], r[14], r[15], r[16], r[17], r[18], r[19]),
        *(r[20] + "!", r[21], r[22], r[23], r[24], r[25], r[26], r[27], r[28], r[29]),
    )


def map_nested(r):
    return r[0] % 1000 + 1, (r[1][1], r[1][0]), r[2], r[3]


def map_text(s):
    return s + "!"


def map_reading(r):
    return Reading(r.sensor, r.celsius * 1.8 + 32.0, r.millis % 1000, r.place + "!")


def keep_long(n):
    return n % 3 == 0


def keep_row(r):
    return r[0] % 3 == 0


def keep_text(s):
    return s[9] == "0"


def keep_reading(r):
    return r.millis % 3 == 0


def both_long(n):
    return [n, n % 1000]


def both_row5(r):
    return [tuple(r), (r[0], r[1], r[2] * 0.5, r[3], r[4])]


def both_row30(r):
    return [tuple(r), tuple(r)]


def both_nested(r):
    return [tuple(r), (r[0], (r[1][1], r[1][0]), r[2], r[3])]


def both_text(s):
    return [s[:500], s[500:]]


def both_reading(r):
    return [r, Reading(r.sensor, r.celsius * 1.8 + 32.0, r.millis, r.place)]


def key_long(n):
    return n * 7919 % KEYS


def key_row(r):
    return r[1]


def key_nested(r):
    return r[0] * 7919 % KEYS


def key_text(s):
    return int(s[:10]) * 7919 % KEYS


def key_reading(r):
    return r.sensor


def add_long(a, b):
    return a + b


def add_row5(a, b):
    return b[0], a[1], a[2] + b[2], b[3], b[4]


def add_row30(a, b):
    return (
        *(b[0], a[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9]),
        *(a[10] + b[10], b[11], b[12], b[13], b[14], b[15], b[16], b[17], b[18], b[19]),
        *(b[20], b[21], b[22], b[23], b[24], b[25], b[26], b[27], b[28], b[29]),
    )


def add_nested(a, b):
    return b[0], (a[1][0] + b[1][0], b[1][1]), b[2], b[3]


def longer_text(a, b):
    return a if a > b else b


def add_reading(a, b):
    return Reading(b.sensor, a.celsius + b.celsius, b.millis, b.place)


def first_field(r):
    return r[0]


def number_itself(n):
    return n


def number_of_text(s):
    return int(s[:10])


def millis_of_reading(r):
    return r.millis


MAP = {
    "long": map_long,
    "row5": map_row5,
    "row30": map_row30,
    "nested": map_nested,
    "text": map_text,
    "dataclass": map_reading,
}
FILTER = {
    "long": keep_long,
    "row5": keep_row,
    "row30": keep_row,
    "nested": keep_row,
    "text": keep_text,
    "dataclass": keep_reading,
}
FLAT_MAP = {
    "long": both_long,
    "row5": both_row5,
    "row30": both_row30,
    "nested": both_nested,
    "text": both_text,
    "dataclass": both_reading,
}
KEY = {
    "long": key_long,
    "row5": key_row,
    "row30": key_row,
    "nested": key_nested,
    "text": key_text,
    "dataclass": key_reading,
}
REDUCE = {
    "long": add_long,
    "row5": add_row5,
    "row30": add_row30,
    "nested": add_nested,
    "text": longer_text,
    "dataclass": add_reading,
}
TIME = {
    "long": number_itself,
    "row5": first_field,
    "row30": first_field,
    "nested": first_field,
    "text": number_of_text,
    "dataclass": millis_of_reading,
}
