"""Queries images in a cluster of two workers. Arguments: a glob, the sum of quantities."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

from pyspark.sql import SparkSession

glob, expected = sys.argv[1], int(sys.argv[2])
spark = SparkSession.builder.getOrCreate()


def load():
    return spark.read.format("arenakit").option("allocation", "trades").option("partitionBytes", "100000")


def executors():
    """The process ids of the workers of this application."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                line = (process / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            application = spark.sparkContext.applicationId.encode()
            if b"org.apache.spark.executor.CoarseGrainedExecutorBackend" in line and application in line:
                found.append(int(process.name))
    return found


def slow_sum(rows):
    total = sum(row.quantity for row in rows)
    time.sleep(0.3)
    yield total


df = load().load(glob)
print("group by:", df.groupBy("symbol").sum("quantity").selectExpr("sum(`sum(quantity)`)").first()[0] == expected)
df.createOrReplaceTempView("trades")
print("sql:", spark.sql("select sum(quantity) from trades where rowid >= 0").first()[0] == expected)

before = executors()
results = []
query = threading.Thread(target=lambda: results.append(df.select("quantity").rdd.mapPartitions(slow_sum).sum()))
query.start()
tracker = spark.sparkContext.statusTracker()
while query.is_alive() and not any(
    (stage := tracker.getStageInfo(stage_id)) and stage.numCompletedTasks > 1 for stage_id in tracker.getActiveStageIds()
):
    time.sleep(0.05)
os.kill(before[0], signal.SIGKILL)
query.join()
print("killed:", len(before) == 2 and results == [expected] and before[0] not in executors())
try:
    load().load(glob + "-none").count()
except Exception as e:
    print("missing:", "No image" in str(e))
spark.stop()
