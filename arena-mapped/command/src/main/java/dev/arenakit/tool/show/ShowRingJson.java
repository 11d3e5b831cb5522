package dev.arenakit.tool.show;

import dev.arenakit.mapped.internal.ring.RingRecord;
import dev.arenakit.mapped.internal.ring.RingRecord.State;
import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.RingState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The records of a ring as JSON.
final class ShowRingJson implements ShowRing.Form {
    private final JsonLines lines;

    ShowRingJson(Streams streams) {
        lines = new JsonLines(streams, "show");
    }

    @Override
    public void begin(Path path, RingState state) throws IOException {
        lines.write("ring", json -> state.writeJson(json, path));
    }

    @Override
    public void print(RingRecord ringRecord) throws IOException {
        boolean isMessage = ringRecord.state() == State.COMMITTED;
        lines.write("record", json -> {
            json.writeNumberProperty("position", ringRecord.position());
            json.writeStringProperty("state", ringRecord.state().toString());
            JsonLines.number(json, "type", isMessage ? OptionalLong.of(ringRecord.type()) : OptionalLong.empty());
            json.writeNumberProperty("byteSize", ringRecord.byteSize());
            JsonLines.number(json, "pid", ringRecord.process());
            JsonLines.text(json, "bytes", isMessage
                    ? Optional.of(HexFormat.of().formatHex(ringRecord.bytes().toArray(JAVA_BYTE)))
                    : Optional.empty());
        });
    }

    @Override
    public void end(long left, long total) {
        // A program that has given a limit knows it.
    }
}
