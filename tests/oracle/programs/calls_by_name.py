"""Operations of expressions that are called, and replaced, by their names."""

from __future__ import annotations

from pystream.table import DataTypes, StreamTableEnvironment
from pystream.table.expressions import array, call, call_sql, col, lit
from pystream.table.udf import udf

_VALUES = {
    "plus": (7, 2),
    "minus": (7, 2),
    "times": (7, 2),
    "divide": (7, 2),
    "mod": (7, 2),
    "minusPrefix": (7,),
    "equals": (7, 2),
    "notEquals": (7, 2),
    "lessThan": (7, 2),
    "lessThanOrEqual": (7, 2),
    "greaterThan": (7, 2),
    "GREATERTHANOREQUAL": (7, 2),
    "between": (7, 2, 8),
    "notBetween": (7, 2, 8),
    "and": (True, False, True),
    "or": (True, False, True),
    "not": (True,),
    "isNull": (7,),
    "isNotNull": (7,),
    "isTrue": (True,),
    "isFalse": (True,),
    "isNotTrue": (True,),
    "isNotFalse": (True,),
    "ifThenElse": (True, 1, 2),
    "similar": ("abc", "a%"),
    "like": ("abc", "a%"),
    "in": (7, 1, 7),
    "at": (array(5, 6), 2),
    "charLength": ("abc",),
    "upperCase": ("abc",),
    "lowerCase": ("ABC",),
    "toBase64": ("abc",),
    "fromBase64": ("YWJj",),
    "regexpExtract": ("a1b2", "[0-9]", 0),
    "regexpReplace": ("a1b2", "[0-9]", "_"),
    "parseUrl": ("http://a.b/c?d=e", "QUERY", "d"),
    "splitIndex": ("a,b", ",", 1),
    "strToMap": ("a=1,b=2",),
    "dateFormat": ("2024-01-02 03:04:05", "yyyy"),
    "convertTz": ("2024-01-02 03:04:05", "UTC", "Asia/Tokyo"),
    "toDate": ("2024-01-02",),
    "toTimestamp": ("2024-01-02 03:04:05",),
    "fromUnixtime": (0,),
    "map": ("k", 7, "l", 8),
    "array": (7, 8),
    "row": (7, "a"),
}
_AGGREGATES = ["sum0", "stddevPop", "stddevSamp", "varPop", "varSamp"]


def _number(env):
    t_env = StreamTableEnvironment.create(env)
    row = DataTypes.ROW([DataTypes.FIELD("n", DataTypes.INT()), DataTypes.FIELD("x", DataTypes.DOUBLE())])
    return t_env, t_env.from_elements([(7, 2.0)], row)


def _only_row(table):
    with table.execute().collect() as rows:
        return [str(value) for row in rows for value in row]


def values(env):
    t_env, table = _number(env)
    t_env.get_config().set_local_timezone("UTC")
    row = _only_row(table.select(*(call(name, *arguments) for name, arguments in _VALUES.items())))
    return dict(zip(_VALUES, row, strict=True))


def aggregates(env):
    _, table = _number(env)
    result = table.select(*(call(name, col("x")) for name in _AGGREGATES))
    return result.get_schema().get_field_names()


def too_few_arguments(env):
    return str(_number(env)[1].select(call("plus", col("n"))))


def key_without_value(env):
    return str(_number(env)[1].select(call("map", col("n"))))


def array_of_nothing(env):
    return str(_number(env)[1].select(call("array")))


def row_of_nothing(env):
    return str(_number(env)[1].select(call("row")))


def name_in_sql(env):
    _, table = _number(env)
    return _only_row(table.select(call_sql("plus(n, 1)")))


def _replaced(t_env, add):
    add("plus", udf(lambda left, right: left * 10 + right, result_type=DataTypes.BIGINT()))
    add("EQUALS", udf(lambda left, right: False, result_type=DataTypes.BOOLEAN()))
    add("upperCase", udf(lambda text: "mine", result_type=DataTypes.STRING()))


def replaced_by_system_functions(env):
    t_env, table = _number(env)
    _replaced(t_env, t_env.create_temporary_system_function)
    n = col("n")
    fields = [
        n + 1,
        (n + 1) + (n - 1),
        1 + n,
        n == n,
        call("plus", n, 1),
        call("upperCase", "a"),
        lit("a").upper_case,
    ]
    return _only_row(table.select(*fields))


def conditions_of_replaced_operations(env):
    t_env, table = _number(env)
    _replaced(t_env, t_env.create_temporary_system_function)
    return _only_row(table.filter(col("n") == 7))


def replaced_in_sql(env):
    t_env, table = _number(env)
    _replaced(t_env, t_env.create_temporary_system_function)
    t_env.create_temporary_view("numbers", table)
    return _only_row(t_env.sql_query("SELECT n + 1, plus(n, 1) FROM numbers"))


def functions_of_a_database_replace_nothing(env):
    t_env, table = _number(env)
    t_env.create_temporary_function("minus", udf(lambda left, right: 0, result_type=DataTypes.BIGINT()))
    return _only_row(table.select(col("n") - 1))
