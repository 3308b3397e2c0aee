"""Processes forked from a program that has run a job can run jobs, and do not affect those of the parent."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

PROGRAM = """
import multiprocessing, os, sys
from concurrent.futures import ProcessPoolExecutor
from pystream.datastream import StreamExecutionEnvironment

def job(*numbers):
    env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)
    with env.from_collection(numbers).map(lambda number: number * 2).execute_and_collect() as results:
        return list(results)

def slow(number):
    import time
    time.sleep(1)
    return number

if __name__ == "__main__":
    print(job(1))
    env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)
    env.from_collection(range(2)).map(slow).print()
    client = env.execute_async()
    child = os.fork()
    if not child:
        try:
            client.get_job_execution_result().result()
        except Exception as error:
            print(type(error).__name__, flush=True)
        sys.exit()
    print(os.waitpid(child, 0)[1])
    client.get_job_execution_result().result()
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        print(pool.submit(job, 2, 3).result())
    print(job(4))
"""


def test_forked_processes_run_jobs_and_do_not_affect_those_of_the_parent(tmp_path: Path) -> None:
    program = tmp_path / "forking.py"
    program.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, str(program)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    lines = ["[2]", "ForkedProcessError", "0", "0", "1", "[4, 6]", "[8]"]
    assert (done.stdout.split("\n"), done.returncode) == ([*lines, ""], 0), done.stderr


HELD = """
import os, signal, sys, threading
from concurrent.futures import Future
from pystream.hosts.process import register_job
from pystream.hosts.spark.jvm import prepare_for_forks

future, held, forked = Future(), threading.Event(), threading.Event()
prepare_for_forks()
register_job(future)

def hold():
    with future._condition:  # as a thread does briefly to complete the future
        held.set()
        forked.wait()

holder = threading.Thread(target=hold)
holder.start()
held.wait()
child = os.fork()
if not child:
    signal.alarm(30)  # ends this process if it waits forever
    print(type(future.exception()).__name__, flush=True)
    os._exit(0)
forked.set()
holder.join()
os.waitpid(child, 0)
"""


def test_a_process_forked_while_a_future_is_locked_does_not_wait_for_the_lock() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HELD],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout == "ForkedProcessError\n", done.stderr
