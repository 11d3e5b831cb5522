package dev.arenakit.tool.console;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.JsonGenerator;

/// The output of a command as JSON Lines. The first line names the command and the version of its properties. The
/// property `kind` of each line names the kind of thing that the line describes. Unknown values are null.
public final class JsonLines {
    /// Writes the properties of an object.
    @FunctionalInterface
    public interface Properties {
        void write(JsonGenerator json) throws IOException;
    }

    /// The version changes if a property is removed or gets another meaning. It stays if properties, kinds or words are
    /// added.
    private static final int VERSION = 1;

    private final String command;
    private final JsonGenerator json;
    private boolean isFirst = true;

    /// @param command the name of the command
    public JsonLines(Streams streams, String command) {
        this.command = command;
        json = JsonOutput.generator(streams.out());
    }

    /// Writes a line. The line reaches the output at once, so that messages about problems appear in order.
    public void write(String kind, Properties properties) throws IOException {
        JsonOutput.write(() -> {
            if (isFirst) {
                isFirst = false;
                object("version", version -> {
                    version.writeStringProperty("command", command);
                    version.writeNumberProperty("version", VERSION);
                });
            }
            object(kind, properties);
            json.flush();
        });
    }

    /// Writes a property that is null if the number is unknown.
    public static void number(JsonGenerator json, String name, OptionalLong value) {
        value.ifPresentOrElse(number -> json.writeNumberProperty(name, number), () -> json.writeNullProperty(name));
    }

    /// Writes a property that is null if the text is unknown.
    public static void text(JsonGenerator json, String name, Optional<String> value) {
        value.ifPresentOrElse(text -> json.writeStringProperty(name, text), () -> json.writeNullProperty(name));
    }

    /// Writes a time in UTC, or null if it is unknown.
    public static void time(JsonGenerator json, String name, Optional<Instant> value) {
        text(json, name, value.map(Instant::toString));
    }

    private void object(String kind, Properties properties) throws IOException {
        json.writeStartObject();
        json.writeStringProperty("kind", kind);
        properties.write(json);
        json.writeEndObject();
        json.writeRaw('\n');
    }
}
