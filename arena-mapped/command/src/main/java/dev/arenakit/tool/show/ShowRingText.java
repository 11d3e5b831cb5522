package dev.arenakit.tool.show;

import dev.arenakit.dump.HexDump;
import dev.arenakit.mapped.internal.ring.RingRecord;
import dev.arenakit.mapped.internal.ring.RingRecord.State;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Table;
import dev.arenakit.tool.console.Table.Column;
import dev.arenakit.tool.image.RingState;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The records of a ring as a table.
final class ShowRingText implements ShowRing.Form {
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
    private final boolean hasDumps;
    private final Table table = new Table(Column.number("POSITION"), Column.text("STATE"), Column.number("TYPE"),
            Column.number("SIZE"), Column.number("PROCESS").optional(), Column.text("BYTES").optional());
    private final List<Row> rows = new ArrayList<>();
    private boolean isMeasured;

    /// @param hasDumps whether the bytes of a message follow its row
    ShowRingText(Streams streams, boolean hasDumps) {
        this.streams = streams;
        this.hasDumps = hasDumps;
    }

    @Override
    public void begin(Path path, RingState state) throws IOException {
        long skips = state.positions().skips();
        streams.print(PrintableText.of(path + ": " + state.depth() + "; " + state.describeUsers()
                + (skips == 0 ? "" : "; claims skipped so far: " + skips)) + "\n");
    }

    @Override
    public void print(RingRecord ringRecord) throws IOException {
        boolean isMessage = ringRecord.state() == State.COMMITTED;
        Row row = new Row(List.of(Long.toString(ringRecord.position()), ringRecord.state().toString(),
                isMessage ? Integer.toString(ringRecord.type()) : "", ByteSizes.format(ringRecord.byteSize()),
                text(ringRecord.process()), isMessage && !hasDumps ? firstBytes(ringRecord.bytes()) : ""),
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

    @Override
    public void end(long left, long total) throws IOException {
        if (!rows.isEmpty()) {
            printMeasured();
        }
        if (left > 0) {
            streams.print("(left out: " + left + " of " + total + " records)\n");
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

    private static String text(OptionalLong process) {
        return process.isPresent() ? Long.toString(process.getAsLong()) : "";
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
