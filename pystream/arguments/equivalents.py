"""The equivalents of methods of PySpark, pandas and Flink's Java API, by class, for messages."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["EQUIVALENTS"]


def _each(names: str, hint: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), hint)


_COLLECTED = "use execute_and_collect() for all elements, take(n) for some"
_KEYED_FIRST = "call key_by(…) first"
_AS_TABLE = "use StreamTableEnvironment.from_data_stream(stream)"

_STREAM = {
    **_each("count len size", "use a query: SELECT COUNT(*) FROM the table of from_data_stream(stream)"),
    **_each("groupBy groupby group_by group", "use key_by(selector)"),
    **_each("select withColumn with_column with_columns withColumns assign apply", "use map(function)"),
    **_each("withColumnRenamed rename drop fillna astype transform", "use map(function)"),
    **_each("where query dropna sample loc", "use filter(predicate)"),
    **_each("agg aggregate fold mean avg", "use key_by(…).window(…).aggregate(…), or key_by(…).reduce(…)"),
    **_each("head first limit iloc tail", "use take(n)"),
    **_each("collect collectAsList toList to_list tolist toLocalIterator items execute", _COLLECTED),
    **_each("foreach forEach foreachPartition", "use map(function), or foreach_batch(function) for batches"),
    **_each("schema printSchema print_schema columns dtypes dtype info returns", "use get_type()"),
    **_each(
        "distinct unique drop_duplicates dropDuplicates",
        "use key_by(…).process(…) with state, or SELECT DISTINCT",
    ),
    **_each(
        "orderBy order_by sort sort_values sortBy", "use a table and its order_by(…): a stream has no end"
    ),
    **_each("repartition", "use rebalance()"),
    **_each("coalesce", "use set_parallelism(…)"),
    **_each("persist", "use cache()"),
    **_each(
        "write writeStream writeTo saveAsTextFile writeAsText write_as_text writeAsCsv to_csv to_parquet",
        "use sink_to(FileSink.for_row_format(…).build())",
    ),
    **_each("withWatermark assignTimestamps", "use assign_timestamps_and_watermarks(strategy)"),
    **_each("reduce sum min max min_by max_by minBy maxBy window interval_join intervalJoin", _KEYED_FIRST),
    **_each("countWindow count_window process_keyed", _KEYED_FIRST),
    **_each("timeWindow time_window", "use key_by(…).window(TumblingEventTimeWindows.of(…))"),
    **_each("timeWindowAll time_window_all countWindowAll count_window_all", "use window_all(assigner)"),
    **_each(
        "split side_output sideOutput", "use process(…) that yields tag, value, and get_side_output(tag)"
    ),
    **_each(
        "mapPartitions map_partitions mapPartition mapInPandas mapInArrow map_in_pandas",
        "use map(…) with a function annotated with pd.DataFrame or pa.RecordBatch",
    ),
    **_each("toDF to_df toTable to_table", _AS_TABLE),
    **_each(
        "createOrReplaceTempView createTempView create_temporary_view registerTempTable",
        "use StreamTableEnvironment.create_temporary_view(name, stream)",
    ),
    **_each("start", "use execute() of the environment"),
    **_each("merge concat append", "use union(…) for more elements, join(…) for pairs"),
}

_KEYED = {
    **_each(
        "applyInPandas applyInPandasWithState transformWithState flatMapGroups mapGroups updateStateByKey "
        "mapWithState apply",
        "use process(KeyedProcessFunction), or window(…).apply(…)",
    ),
    **_each("count size", "use map to pairs of a key and 1, then key_by(…).sum(1)"),
    **_each("agg aggregate mean avg fold", "use window(…).aggregate(AggregateFunction), or reduce(…)"),
    **_each("timeWindow time_window", "use window(TumblingEventTimeWindows.of(…))"),
}

_WINDOWED = {
    **_each(
        "count sum min max avg mean agg min_by max_by fold", "use aggregate(AggregateFunction), or reduce(…)"
    ),
    **_each(
        "collect to_list toList toPandas", "use process(…), whose function gets all elements of a window"
    ),
    **_each(
        "map filter flat_map flatMap select where key_by sink_to print take execute_and_collect",
        "close the windows first with reduce(…), aggregate(…) or process(…)",
    ),
    **_each("late_data sideOutput side_output", "use side_output_late_data(tag)"),
    **_each("lateness", "use allowed_lateness(milliseconds)"),
}

_CONNECTED = {
    **_each("filter", "use flat_map(CoFlatMapFunction)"),
    **_each("join window union", "use it on the streams themselves, without connect(…)"),
    **_each("transform apply select", "use map(CoMapFunction), or process(CoProcessFunction)"),
}

_TABLE = {
    **_each("count len size", "use select(lit(1).count)"),
    **_each("withColumn with_column withColumns with_columns assign", "use add_or_replace_columns(…)"),
    **_each("withColumnRenamed rename toDF", "use rename_columns(col('old').alias('new')), or alias(…)"),
    **_each("drop", "use drop_columns(…)"),
    **_each("agg", "use group_by(…).select(…), or select(…) of aggregates"),
    **_each("flatMap", "use flat_map(function made by udtf)"),
    **_each("head first take tail show", "use limit(n).execute().print()"),
    **_each("print", "use execute().print()"),
    **_each("collect toList to_list toLocalIterator items", "use execute().collect()"),
    **_each(
        "apply transform",
        "use map(function made by udf), or StreamTableEnvironment.to_data_stream(table)",
    ),
    **_each("schema columns dtypes info", "use get_schema()"),
    **_each("sort sort_values sortBy", "use order_by(…)"),
    **_each("dropDuplicates drop_duplicates unique", "use distinct()"),
    **_each("merge", "use join(other, condition)"),
    **_each(
        "insertInto write writeTo writeStream to_csv to_parquet saveAsTable",
        "use execute_insert(name of a table)",
    ),
    **_each("as_", "use alias(…)"),
    **_each("subtract exceptAll except_", "use minus(…) or minus_all(…)"),
    **_each("unionByName append concat", "use union_all(…)"),
    **_each(
        "createOrReplaceTempView createTempView create_temporary_view",
        "use create_temporary_view(name, table) of the table environment",
    ),
    **_each("to_data_stream toDataStream", "use to_data_stream(table) of the table environment"),
    **_each("dropna query loc", "use filter(…)"),
    **_each("key_by keyBy", "use group_by(…)"),
    **_each("sum min max avg mean", "use select(col('x').sum) or its likes"),
}

_GROUPED = {
    **_each(
        "agg count sum min max avg mean size",
        "use select(…) with the key and aggregates, such as col('x').sum",
    ),
    **_each("apply applyInPandas", "use select(…) with a function made by udf"),
    **_each("filter where having", "use filter(…) after select(…)"),
    **_each("execute collect to_pandas toPandas", "use select(…) first"),
}

_ENVIRONMENT = {
    **_each(
        "read readStream read_csv readCsv readFile read_file read_parquet read_json",
        "use from_source(FileSource…), or read_text_file(path)",
    ),
    **_each(
        "parallelize createDataFrame create_data_frame fromData from_data emptyRDD", "use from_collection(…)"
    ),
    **_each(
        "range fromSequence from_sequence",
        "use from_source(NumberSequenceSource(start, end), WatermarkStrategy.no_watermarks(), name)",
    ),
    **_each(
        "sql execute_sql executeSql sql_query sqlQuery table create_temporary_view",
        "use StreamTableEnvironment.create(env)",
    ),
    **_each("stop", "use close()"),
    **_each("createLocalEnvironment", "use StreamExecutionEnvironment.get_execution_environment()"),
    **_each("conf config", "use configure(Configuration) and get_configuration()"),
    **_each("addJar add_jar", "use add_jars(…)"),
    **_each("addPyFile add_py_file", "use add_python_file(path)"),
    **_each("collect", "use execute_and_collect() of a stream"),
    **_each("setRuntimeMode runtime_mode", "use set_runtime_mode(RuntimeExecutionMode…)"),
}

_TABLE_ENVIRONMENT = {
    **_each("sql query", "use sql_query(…) for a query, execute_sql(…) for other statements"),
    **_each("table scan from_ get_table", "use from_path(name)"),
    **_each("createDataFrame from_collection fromValues from_values", "use from_elements(elements)"),
    **_each("read readStream", "use from_data_stream(stream), or execute_sql('CREATE TABLE …')"),
    **_each(
        "udf register_function registerFunction create_function",
        "use create_temporary_system_function(name, function)",
    ),
    **_each("register_table registerTable createOrReplaceTempView", "use create_temporary_view(name, table)"),
    **_each("createTable", "use create_table(path, descriptor)"),
    **_each("createTemporaryTable", "use create_temporary_table(path, descriptor)"),
    **_each("sql_update sqlUpdate insert_into insertInto", "use execute_sql('INSERT INTO …')"),
    **_each(
        "connect register_table_source register_table_sink from_table_source create_temporary_sink",
        "use execute_sql('CREATE TABLE …'), or create_temporary_table(path, descriptor)",
    ),
    "register_java_function": "use create_temporary_system_function(name, function): Java does not run here",
    **_each("explain", "use explain_sql(statement), or explain() of a table"),
    **_each("catalog show_tables showTables", "use list_tables()"),
    **_each("to_pandas toPandas collect", "use to_pandas() or execute().collect() of a table"),
    **_each("set_parallelism setParallelism configure", "use get_config().set(key, value)"),
}

_DATA_SET = {
    **_each("count size len", "use map to 1 and reduce(…)"),
    **_each("collect show print toPandas to_pandas", "use output(), then execute() of the environment"),
    **_each("head take limit", "use first(n)"),
    **_each("select project withColumn assign apply", "use map(function)"),
    **_each("where", "use filter(predicate)"),
    **_each("key_by keyBy", "use group_by(…)"),
    **_each("agg", "use aggregate(…)"),
    **_each(
        "sort order_by orderBy sort_values sort_partition sortPartition", "use group_by(…).sort_group(…)"
    ),
    **_each("write_as_text writeAsText to_text", "use write_text(path)"),
    **_each("write_as_csv writeAsCsv to_csv", "use write_csv(path)"),
    **_each("mapPartitions", "use map_partition(function)"),
    **_each("left_outer_join leftOuterJoin right_outer_join full_outer_join", "use co_group(…)"),
    **_each("repartition", "use rebalance()"),
    **_each("union_all unionAll concat", "use union(…)"),
    **_each("zip_with_unique_id zipWithUniqueId", "use zip_with_index()"),
    **_each("drop_duplicates dropDuplicates unique", "use distinct(…)"),
    **_each("sort_group sortGroup", "call group_by(…) first"),
}

_GROUPING = {
    **_each("agg", "use aggregate(…)"),
    **_each("count size apply map filter combine_group", "use reduce_group(function)"),
    **_each("sort order_by orderBy", "use sort_group(…)"),
    **_each("head take limit", "use first(n)"),
}

_RESULT = {
    **_each("show", "use print()"),
    **_each("fetchall to_list toList items", "use collect()"),
    **_each("to_pandas toPandas", "use to_pandas() of the table"),
    **_each("schema columns", "use get_table_schema()"),
}

_EXPRESSION = {
    **_each("isin", "use in_(…)"),
    **_each("upper", "use upper_case"),
    **_each("lower", "use lower_case"),
    **_each("name as_", "use alias(…)"),
    **_each("when otherwise", "use then(if_true, if_false)"),
    **_each("fillna ifnull coalesce", "use if_null(…)"),
    **_each("length len", "use char_length"),
    **_each("contains", "use like('%…%')"),
    **_each("mean average", "use avg"),
    **_each("astype", "use cast(type)"),
    **_each("object_update", "use a row of the values: there are no structured types"),
    **_each(
        "bitmap_and bitmap_and_agg bitmap_and_cardinality_agg bitmap_andnot bitmap_build bitmap_build_agg "
        "bitmap_build_cardinality_agg bitmap_cardinality bitmap_from_bytes bitmap_or bitmap_or_agg "
        "bitmap_or_cardinality_agg bitmap_to_array bitmap_to_bytes bitmap_to_string bitmap_xor "
        "bitmap_xor_agg bitmap_xor_cardinality_agg",
        "use an array of the numbers: there is no type BITMAP",
    ),
}

EQUIVALENTS: Mapping[str, Mapping[str, str]] = {
    "DataStream": _STREAM,
    "KeyedStream": _KEYED,
    "WindowedStream": _WINDOWED,
    "AllWindowedStream": _WINDOWED,
    "ConnectedStreams": _CONNECTED,
    "Table": _TABLE,
    "GroupedTable": _GROUPED,
    "WindowGroupedTable": _each(
        "aggregate", "use select(f(col('a')).alias('r')), and col('r').get(…) of its results for the columns"
    ),
    "TableResult": _RESULT,
    "StreamExecutionEnvironment": _ENVIRONMENT,
    "TableEnvironment": _TABLE_ENVIRONMENT,
    "EnvironmentSettings.Builder": _each(
        "use_blink_planner use_old_planner use_any_planner", "use none of these calls: there is one planner"
    ),
    "Expression": _EXPRESSION,
    "DataSet": _DATA_SET,
    "Grouping": _GROUPING,
    "Environment": _each("read readTextFile", "use read_text(path)")
    | _each("from_collection parallelize createDataFrame", "use from_elements(…)")
    | _each("range", "use generate_sequence(from, to)"),
}
"""Equivalents of names that a class lacks, by class and name; subclasses have those of their bases."""
