package dev.arenakit.tool.image;

import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.internal.ring.RingInspection;
import dev.arenakit.mapped.internal.ring.RingPositions;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.JsonLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import tools.jackson.core.JsonGenerator;

/// The state of a ring in a file, through which processes send messages.
public record RingState(long capacity, RingPositions positions, RingInspection.Users users) {
    /// Returns the current state of a ring.
    public static RingState of(RingInspection ring) throws IOException {
        return new RingState(ring.capacity(), ring.positions(), ring.users());
    }

    /// Whether a path leads to a ring. If it also is the base of an image, the image is meant.
    public static boolean isRing(Path path) throws IOException {
        return Files.isRegularFile(path) && !Files.exists(ImageFiles.catalog(path)) && RingInspection.isRing(path);
    }

    /// The size of what was not read, and the capacity.
    public String depth() {
        return ByteSizes.format(positions.unreadByteSize()) + " of " + ByteSizes.format(capacity) + " unread";
    }

    /// The producers and the reader.
    public String describeUsers() {
        if (users.producers().isEmpty() || users.hasReader().isEmpty()) {
            return "producers and reader unknown";
        }
        int producers = users.producers().getAsInt();
        return (producers == 0 ? "no producer" : Counts.of(producers, "producer"))
                + (users.hasReader().get() ? ", a reader" : ", no reader");
    }

    /// Writes the state as properties of a JSON object.
    public void writeJson(JsonGenerator json, Path path) {
        json.writeStringProperty("base", path.toString());
        json.writeNumberProperty("unread", positions.unreadByteSize());
        json.writeNumberProperty("capacity", capacity);
        json.writeNumberProperty("read", positions.head());
        json.writeNumberProperty("written", positions.tail());
        json.writeNumberProperty("skippedClaims", positions.skips());
        JsonLines.number(json, "producers", users.producers().isPresent()
                ? OptionalLong.of(users.producers().getAsInt())
                : OptionalLong.empty());
        if (users.hasReader().isPresent()) {
            json.writeBooleanProperty("reader", users.hasReader().get());
        } else {
            json.writeNullProperty("reader");
        }
    }
}
