"""The job of benchmarks/unbounded/soak.py: windows over 100,000 keys, from a generator to files.

``python -m benchmarks.unbounded.soak_program DIRECTORY RATE [local]`` prints the number of records read every
second. A rate of 0 is no limit.
"""

from __future__ import annotations

import sys
import time

from pystream.common import Configuration, Duration, Encoder, JobStatus, Types, WatermarkStrategy
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import DataGeneratorSource, RateLimiterStrategy
from pystream.datastream.connectors.file_system import FileSink
from pystream.datastream.window import TumblingEventTimeWindows

_KEYS = 100_000
_WINDOW_MILLIS = 200_000
_PAIR = Types.TUPLE([Types.LONG(), Types.LONG()])


def main(directory: str, rate: float, runner: str) -> None:
    """Run the job until the process is killed, or the job fails."""
    settings = {
        "execution.checkpointing.dir": f"{directory}/checkpoints",
        "pystream.runner": runner,
        "spark.driver.memory": "1g",  # Java's heap grows to its limit even without a leak
    }
    env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings))
    env.set_parallelism(2)
    env.enable_checkpointing(1_000)
    limit = RateLimiterStrategy.per_second(rate) if rate else RateLimiterStrategy.no_op()
    source = DataGeneratorSource(
        lambda index: (index * 7919 % _KEYS, index),
        DataGeneratorSource.UNBOUNDED,
        limit,
        type_info=_PAIR,
    )
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(
        lambda pair, timestamp: pair[1]
    )
    sums = (
        env.from_source(source, times, "numbers")
        .key_by(lambda pair: pair[0], key_type=Types.LONG())
        .window(TumblingEventTimeWindows.of(Duration.of_millis(_WINDOW_MILLIS)))
        .reduce(lambda a, b: (a[0], a[1] + b[1]))
    )
    lines = sums.map(str, output_type=Types.STRING())
    lines.sink_to(FileSink.for_row_format(f"{directory}/out", Encoder.simple_string_encoder()).build())
    job = env.execute_async("soak")
    while job.get_job_status().result() is JobStatus.RUNNING:
        time.sleep(1)
        if stages := job.get_metrics().result()["stages"]:  # there are none before the first epoch
            print(stages[0]["numRecordsIn"], flush=True)
    job.get_job_execution_result().result()


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), "local" if sys.argv[3:] else "spark")
