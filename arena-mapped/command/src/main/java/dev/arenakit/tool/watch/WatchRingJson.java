package dev.arenakit.tool.watch;

import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/// Prints the figures of a ring as one object each time.
final class WatchRingJson implements WatchRing.View {
    private final Streams streams;
    private final JsonLines lines;
    private final Path path;

    WatchRingJson(Streams streams, Path path) {
        this.streams = streams;
        this.path = path;
        lines = new JsonLines(streams, "watch");
    }

    @Override
    public void show(WatchRing.Figures now, WatchRing.Figures before) throws IOException {
        lines.write("ring", json -> {
            json.writeStringProperty("time", Instant.now().toString());
            now.state().writeJson(json, path);
        });
        streams.out().flush();
    }

    @Override
    public void end() throws IOException {
        lines.write("end", json -> {
            json.writeStringProperty("time", Instant.now().toString());
            json.writeStringProperty("reason", WatchView.End.DELETED.word);
        });
    }
}
