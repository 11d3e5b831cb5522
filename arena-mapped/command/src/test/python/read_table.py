"""Prints the number of rows of a table and the sum of a column, as a client reads it: read_table.py CLIENT URL"""
import sys
import urllib.request

client, url = sys.argv[1:]
with urllib.request.urlopen(url) as reply:
    if client == "polars":
        import polars
        rows = polars.read_ipc_stream(reply)
        print(rows.height, rows.get_column("id").sum(), rows.get_column("side").to_list()[-1])
    else:
        import pyarrow.compute
        rows = pyarrow.ipc.open_stream(reply)
        if client == "duckdb":
            import duckdb
            print(*duckdb.sql("select count(*), sum(id), max_by(side, id) from rows").fetchall()[0])
        else:
            table = rows.read_all()
            table.validate(full=True)
            print(table.num_rows, pyarrow.compute.sum(table["id"]), table["side"][-1])
