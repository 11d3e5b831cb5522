package dev.arenakit.tool.watch;

import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.OptionalLong;

/// Prints the figures as one object each time.
final class WatchJson implements WatchView {
    private static final int TOP_COUNT = 10;

    private final Streams streams;
    private final JsonLines lines;
    private final Path base;

    WatchJson(Streams streams, Path base) {
        this.streams = streams;
        this.base = base;
        lines = new JsonLines(streams, "watch");
    }

    @Override
    public int topCount() {
        return TOP_COUNT;
    }

    @Override
    public void show(WatchFigures now, WatchFigures before) throws IOException {
        lines.write("figures", json -> {
            json.writeStringProperty("time", Instant.now().toString());
            json.writeStringProperty("base", base.toString());
            json.writeStringProperty("state", now.state());
            JsonLines.number(json, "pid", now.pid() == 0 ? OptionalLong.empty() : OptionalLong.of(now.pid()));
            json.writeNumberProperty("allocations", now.count());
            json.writeNumberProperty("freed", now.freed());
            json.writeNumberProperty("byteSize", now.byteSize());
            JsonLines.number(json, "onDisk",
                    now.stored() < 0 ? OptionalLong.empty() : OptionalLong.of(now.stored()));
            json.writeArrayPropertyStart("top");
            for (WatchFigures.TopAllocations.Entry each : now.top()) {
                json.writeStartObject();
                json.writeStringProperty("allocation", each.label());
                json.writeNumberProperty("byteSize", each.byteSize());
                json.writeNumberProperty("written", each.written());
                json.writeNumberProperty("growth", now.isFirst(before) ? 0 : each.growth());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
        streams.out().flush();
    }

    @Override
    public void end(WatchFigures last, WatchView.End end) throws IOException {
        lines.write("end", json -> {
            json.writeStringProperty("time", Instant.now().toString());
            json.writeStringProperty("reason", end.word);
        });
    }
}
