package dev.arenakit.tool.trace;

import dev.arenakit.mapped.trace.AllocationTrace;
import dev.arenakit.mapped.trace.TraceState;
import dev.arenakit.mapped.trace.TraceSummary;
import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.JsonGenerator;

/// Writes a summary as JSON: an object of the trace, then one object for each class and for each point of time. The
/// properties have the names of the components of [TraceSummary].
final class TraceJson {
    private TraceJson() {}

    static void write(Streams streams, AllocationTrace trace, TraceState state, TraceSummary summary)
            throws IOException {
        JsonLines lines = new JsonLines(streams, "trace");
        lines.write("trace", json -> {
            json.writeStringProperty("state", state.name().toLowerCase(Locale.ROOT));
            JsonLines.time(json, "start", Optional.of(trace.start()));
            numbers(json, summary);
        });
        write(lines, "arenas", summary.allocationsOfArenas());
        write(lines, "arenaSizes", summary.byteSizesOfArenas());
        write(lines, "allocations", summary.cells());
        write(lines, "live", summary.timeline());
    }

    private static void write(JsonLines lines, String kind, List<? extends Record> records) throws IOException {
        for (Record each : records) {
            lines.write(kind, json -> numbers(json, each));
        }
    }

    /// Writes the components that are numbers. A negative number is unknown.
    private static void numbers(JsonGenerator json, Record values) {
        for (RecordComponent component : values.getClass().getRecordComponents()) {
            try {
                if (component.getAccessor().invoke(values) instanceof Long number) {
                    JsonLines.number(json, component.getName(),
                            number < 0 ? OptionalLong.empty() : OptionalLong.of(number));
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
