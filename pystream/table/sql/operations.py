"""The operations of expressions that SQL writes otherwise, by their names in Flink."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from pystream.errors import PlanError

__all__ = ["OPERATION", "OperationCall", "names_operation", "template_of"]

OPERATION = "operation"
"""The member of ``meta`` of the tree of an operation that is its name."""

_TEMPLATES: Mapping[str, str] = {
    "plus": ":p0 + :p1",
    "minus": ":p0 - :p1",
    "times": ":p0 * :p1",
    "divide": ":p0 / :p1",
    "mod": ":p0 % :p1",
    "minusprefix": "-:p0",
    "equals": ":p0 = :p1",
    "notequals": ":p0 <> :p1",
    "lessthan": ":p0 < :p1",
    "lessthanorequal": ":p0 <= :p1",
    "greaterthan": ":p0 > :p1",
    "greaterthanorequal": ":p0 >= :p1",
    "between": ":p0 BETWEEN :p1 AND :p2",
    "notbetween": ":p0 NOT BETWEEN :p1 AND :p2",
    "not": "NOT :p0",
    "isnull": ":p0 IS NULL",
    "isnotnull": ":p0 IS NOT NULL",
    "istrue": ":p0 IS TRUE",
    "isfalse": ":p0 IS FALSE",
    "isnottrue": ":p0 IS NOT TRUE",
    "isnotfalse": ":p0 IS NOT FALSE",
    "ifthenelse": "CASE WHEN :p0 THEN :p1 ELSE :p2 END",
    "similar": ":p0 SIMILAR TO :p1",
    "like": ":p0 LIKE :p1",
    "at": ":p0[:p1]",
    "sum0": "COALESCE(SUM(:p0), 0)",
    "stddevpop": "STDDEV_POP(:p0)",
    "stddevsamp": "STDDEV_SAMP(:p0)",
    "varpop": "VAR_POP(:p0)",
    "varsamp": "VAR_SAMP(:p0)",
    "charlength": "CHAR_LENGTH(:p0)",
    "uppercase": "UPPER(:p0)",
    "lowercase": "LOWER(:p0)",
    "frombase64": "FROM_BASE64(:p0)",
    "tobase64": "TO_BASE64(:p0)",
    "currentdate": "CURRENT_DATE",
    "currenttime": "CURRENT_TIME",
    "currenttimestamp": "CURRENT_TIMESTAMP",
    "localtime": "LOCALTIME",
    "localtimestamp": "LOCALTIMESTAMP",
}
_OF_ANY_NUMBER: Mapping[str, str] = {
    "and": " AND ",
    "or": " OR ",
    "regexpextract": "REGEXP_EXTRACT",
    "regexpreplace": "REGEXP_REPLACE",
    "parseurl": "PARSE_URL",
    "splitindex": "SPLIT_INDEX",
    "strtomap": "STR_TO_MAP",
    "randinteger": "RAND_INTEGER",
    "dateformat": "DATE_FORMAT",
    "converttz": "CONVERT_TZ",
    "fromunixtime": "FROM_UNIXTIME",
    "unixtimestamp": "UNIX_TIMESTAMP",
    "todate": "TO_DATE",
    "totimestamp": "TO_TIMESTAMP",
    "in": "IN",
    "map": "MAP",
    "array": "ARRAY",
    "row": "ROW",
}
"""What is between the operands, or the function that they are arguments of."""

_COLLECTIONS: Mapping[str, str] = {
    "ARRAY": "one argument or more",
    "MAP": "a value after each key",
    "ROW": "one argument or more",
}


class OperationCall(exp.Anonymous):
    """A call of an operation by its name, unless the program has a function of that name."""


def names_operation(name: str) -> bool:
    """Return whether an operation has a name; upper and lower case are the same."""
    return name.lower() in _TEMPLATES or name.lower() in _OF_ANY_NUMBER


def template_of(name: str, count: int) -> str:
    """Return an operation as SQL in which ``:p0``, ``:p1`` and so on stand for operands.

    Args:
        name: its name.
        count: the number of its operands.

    Raises:
        PlanError: the operation takes another number of operands.
    """
    places = [f":p{number}" for number in range(count)]
    template = _TEMPLATES.get(name.lower())
    if template is not None:
        wanted = template.count(":p")
        if wanted != count:
            raise PlanError(f"call: {name} takes {wanted} argument{'s' * (wanted != 1)}, not {count}")
        return template
    function = _OF_ANY_NUMBER[name.lower()]
    if function in _COLLECTIONS:
        if not count or (function == "MAP" and count % 2):
            raise PlanError(
                f"call: {name} takes {_COLLECTIONS[function]}, not {count} argument{'s' * (count != 1)}"
            )
        joined = ", ".join(places)
        return f"ROW({joined})" if function == "ROW" else f"{function}[{joined}]"
    if function == function.strip() != "IN":
        return f"{function}({', '.join(places)})"
    if count < 2:
        raise PlanError(f"call: {name} takes two arguments or more, not {count}")
    if function == "IN":
        return f":p0 IN ({', '.join(places[1:])})"
    return function.join(places)
