package dev.arenakit.tool.show;

import dev.arenakit.dump.HexDump;
import dev.arenakit.mapped.internal.ring.RingInspection;
import dev.arenakit.mapped.internal.ring.RingRecord;
import dev.arenakit.mapped.internal.ring.RingRecord.State;
import dev.arenakit.mapped.internal.ring.RingRecords;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Table;
import dev.arenakit.tool.console.Table.Column;
import dev.arenakit.tool.image.RingState;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Shows the records of a ring that were not read yet, as a table or as JSON.
final class ShowRing {
    /// The largest number of bytes of a message that are shown.
    private static final int MAX_BYTES = 4096;
    /// The columns are as wide as the first records need, because the records of a ring in use can be read only once.
    private static final int MEASURED = 200;
    /// The number of bytes in a row.
    private static final int FIRST_BYTES = 8;

    /// @param dump the lines below the row
    private record Row(List<String> cells, String dump) {
        String[] array() {
            return cells.toArray(String[]::new);
        }
    }

    private final Streams streams;
    private final Optional<JsonLines> lines;
    private final boolean hasDumps;
    private final Table table = new Table(Column.number("POSITION"), Column.text("STATE"), Column.number("TYPE"),
            Column.number("SIZE"), Column.number("PROCESS"), Column.text("BYTES"));
    private final List<Row> rows = new ArrayList<>();
    private boolean isMeasured;

    /// @param isJson   whether to print JSON for programs, and not a table
    /// @param hasDumps whether the bytes of a message follow its row
    ShowRing(Streams streams, boolean isJson, boolean hasDumps) {
        this.streams = streams;
        this.hasDumps = hasDumps;
        lines = isJson ? Optional.of(new JsonLines(streams, "show")) : Optional.empty();
    }

    /// Prints records.
    ///
    /// @param skip  the number of records that are left out before the first one that is shown
    /// @param limit the largest number of records that are shown
    void print(Path path, long skip, long limit) throws IOException {
        try (RingInspection ring = RingInspection.open(path)) {
            print(path, RingState.of(ring));
            RingRecords records = ring.records(MAX_BYTES);
            long total = 0;
            long printed = 0;
            try {
                for (Optional<RingRecord> next = records.next(); next.isPresent(); next = records.next()) {
                    if (total++ >= skip && printed < limit) {
                        print(next.get());
                        printed++;
                    }
                }
            } finally {
                // The records before damage are printed, too.
                if (!rows.isEmpty()) {
                    printMeasured();
                }
                if (printed < total && lines.isEmpty()) {
                    streams.print("(left out: " + (total - printed) + " of " + total + " records)\n");
                }
            }
        }
    }

    private void print(Path path, RingState state) throws IOException {
        if (lines.isPresent()) {
            lines.get().write("ring", json -> state.writeJson(json, path));
            return;
        }
        long skips = state.positions().skips();
        streams.print(PrintableText.of(path + ": " + state.depth() + "; " + state.describeUsers()
                + (skips == 0 ? "" : "; claims skipped so far: " + skips)) + "\n");
    }

    private void print(RingRecord ringRecord) throws IOException {
        boolean isMessage = ringRecord.state() == State.COMMITTED;
        OptionalLong type = isMessage ? OptionalLong.of(ringRecord.type()) : OptionalLong.empty();
        if (lines.isPresent()) {
            lines.get().write("record", json -> {
                json.writeNumberProperty("position", ringRecord.position());
                json.writeStringProperty("state", ringRecord.state().toString());
                JsonLines.number(json, "type", type);
                json.writeNumberProperty("byteSize", ringRecord.byteSize());
                JsonLines.number(json, "pid", ringRecord.process());
                JsonLines.text(json, "bytes", isMessage
                        ? Optional.of(HexFormat.of().formatHex(ringRecord.bytes().toArray(JAVA_BYTE)))
                        : Optional.empty());
            });
            return;
        }
        Row row = new Row(List.of(Long.toString(ringRecord.position()), ringRecord.state().toString(), text(type),
                ByteSizes.format(ringRecord.byteSize()), text(ringRecord.process()),
                isMessage && !hasDumps ? firstBytes(ringRecord.bytes()) : ""),
                isMessage && hasDumps ? dump(ringRecord) : "");
        if (isMeasured) {
            print(row);
            return;
        }
        table.measure(row.array());
        rows.add(row);
        if (rows.size() == MEASURED) {
            printMeasured();
        }
    }

    private void printMeasured() throws IOException {
        isMeasured = true;
        table.printTitles(streams);
        for (Row row : rows) {
            print(row);
        }
        rows.clear();
    }

    private void print(Row row) throws IOException {
        table.print(streams, row.array());
        streams.print(row.dump);
    }

    private static String text(OptionalLong number) {
        return number.isPresent() ? Long.toString(number.getAsLong()) : "";
    }

    private static String dump(RingRecord ringRecord) throws IOException {
        StringBuilder text = new StringBuilder();
        HexDump.of().append(ringRecord.bytes(), text);
        long left = ringRecord.byteSize() - ringRecord.bytes().byteSize();
        return left == 0
                ? text.toString()
                : text + "(left out: " + left + " of " + ringRecord.byteSize() + " bytes)\n";
    }

    /// The first bytes in hexadecimal and as text, as a line of a dump has them.
    private static String firstBytes(MemorySegment bytes) {
        StringBuilder hex = new StringBuilder();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(FIRST_BYTES, bytes.byteSize()); i++) {
            byte value = bytes.get(JAVA_BYTE, i);
            hex.append("%02x ".formatted(value));
            text.append(value >= ' ' && value < 0x7f ? (char) value : '.');
        }
        return bytes.byteSize() == 0 ? "" : "%-25s|%s|".formatted(hex, text);
    }
}
