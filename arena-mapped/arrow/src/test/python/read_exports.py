"""Reads exports of a JVM in the same process: read_exports.py JAVA_HOME CLASSPATH"""
import os
import sys

import duckdb
import jpype
import polars
import pyarrow
import pyarrow.compute

os.environ["JAVA_HOME"] = sys.argv[1]
jpype.startJVM("--enable-native-access=ALL-UNNAMED", classpath=sys.argv[2].split(":"), convertStrings=True)
rows = jpype.JClass("dev.arenakit.arrow.ArrowCRows")
state = jpype.JClass("dev.arenakit.arrow.internal.cdata.CDataState")


def batch():
    with rows.export() as export:
        return pyarrow.RecordBatch._import_from_c(export.arrayAddress(), export.schemaAddress())


def reader():
    with rows.stream() as stream:
        return pyarrow.RecordBatchReader._import_from_c(stream.address())


def text(table):
    return "\n".join(" ".join(str(value) for value in row.values()) for row in table.to_pylist())


print(batch().schema.metadata[b"dev.arenakit.layout"].decode().splitlines()[0])
expected = batch()
expected.validate(full=True)
print(text(expected))
table = reader().read_all()
table.validate(full=True)
print(table.num_rows, len(table.column(0).chunks), text(table) == text(expected))
kept = batch().column("kind")
print(kept.to_pylist())
try:
    with rows.malformed() as stream:
        pyarrow.RecordBatchReader._import_from_c(stream.address()).read_all()
except pyarrow.lib.ArrowInvalid as e:
    print(e)

numbers = rows.numbers()
with numbers.export() as export:
    column = pyarrow.Array._import_from_c(export.arrayAddress(), export.schemaAddress())
print(column.type, pyarrow.compute.sum(column), numbers.close())
del column
print(numbers.close())

stream = reader()
print(duckdb.sql("select kind, sum(x) from stream group by 1 order by 1").fetchall())
print(polars.from_arrow(batch())["name"].to_list())
del expected, table, kept, stream
print(state.exports(), state.leases())
