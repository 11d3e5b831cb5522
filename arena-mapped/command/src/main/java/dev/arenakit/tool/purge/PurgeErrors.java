package dev.arenakit.tool.purge;

import dev.arenakit.tool.console.Streams;
import java.io.IOException;

/// Reports images that cannot be read or removed, and records whether there was such an image.
final class PurgeErrors {
    private final Streams streams;
    private boolean failed;

    PurgeErrors(Streams streams) {
        this.streams = streams;
    }

    void report(Object subject, IOException e) {
        failed = true;
        streams.report(subject.toString(), e);
    }

    void report(Object subject, String reason) {
        failed = true;
        streams.report(subject + ": " + reason);
    }

    boolean hasFailed() {
        return failed;
    }
}
