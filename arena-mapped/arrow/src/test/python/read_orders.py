"""Prints the rows of a stream and of a file, as a client reads them: read_orders.py CLIENT STREAM FILE"""
import sys


def text(value):
    return "[" + "; ".join(str(each) for each in value) + "]" if isinstance(value, list) else str(value)


def rows(client, path, is_file):
    if client == "polars":
        import polars
        return (polars.read_ipc(path) if is_file else polars.read_ipc_stream(path)).to_dicts()
    import pyarrow
    opened = pyarrow.ipc.open_file(path) if is_file else pyarrow.ipc.open_stream(path)
    rows_read = opened.read_all()
    rows_read.validate(full=True)
    if client == "duckdb":
        import duckdb
        found = duckdb.sql("select * from rows_read")
        return [dict(zip(found.columns, row)) for row in found.fetchall()]
    return rows_read.to_pylist()


sys.stdout.reconfigure(encoding="utf-8")
for number, path in enumerate(sys.argv[2:]):
    print("open,side,quantity,symbol,high,n,legs,pair,sides,venue,id,i,c")
    for row in rows(sys.argv[1], path, number == 1):
        values = [list(value) if isinstance(value, tuple) else value for value in list(row.values())[:9]]
        values += [row["at"]["venue"], row["at"]["id"], row["value"]["i"], row["value"]["c"]]
        print(",".join(text(value) for value in values))
