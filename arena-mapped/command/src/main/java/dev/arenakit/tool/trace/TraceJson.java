package dev.arenakit.tool.trace;

import dev.arenakit.mapped.trace.AllocationTrace;
import dev.arenakit.mapped.trace.TraceState;
import dev.arenakit.mapped.trace.TraceSummary;
import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/// Writes a summary as JSON: an object of the trace, then one object for each class and for each point of time.
final class TraceJson {
    private TraceJson() {}

    static void write(Streams streams, AllocationTrace trace, TraceState state, TraceSummary summary)
            throws IOException {
        JsonLines lines = new JsonLines(streams, "trace");
        lines.write("trace", json -> {
            json.writeStringProperty("state", state.name().toLowerCase(Locale.ROOT));
            JsonLines.time(json, "start", Optional.of(trace.start()));
            json.writeNumberProperty("nanos", summary.nanos());
            json.writeNumberProperty("events", summary.events());
            json.writeNumberProperty("arenas", summary.arenas());
            json.writeNumberProperty("openArenas", summary.openArenas());
            json.writeNumberProperty("mostOpenArenas", summary.mostOpenArenas());
            json.writeNumberProperty("sharedArenas", summary.sharedArenas());
            json.writeNumberProperty("allocations", summary.allocations());
            json.writeNumberProperty("blocks", summary.blocks());
            json.writeNumberProperty("resizes", summary.resizes());
            json.writeNumberProperty("byteSize", summary.byteSize());
            json.writeNumberProperty("peakByteSize", summary.peakByteSize());
            json.writeNumberProperty("peakNanos", summary.peakNanos());
            json.writeNumberProperty("endByteSize", summary.endByteSize());
            json.writeNumberProperty("platformThreads", summary.platformThreads());
            json.writeNumberProperty("virtualThreads", summary.virtualThreads());
            json.writeNumberProperty("freedByOthers", summary.freedByOthers());
            json.writeNumberProperty("outlivingThreads", summary.outlivingThreads());
        });
        for (TraceSummary.Group group : summary.allocationsOfArenas()) {
            lines.write("arenas", json -> {
                json.writeNumberProperty("allocations", group.atLeast());
                json.writeNumberProperty("arenas", group.arenas());
            });
        }
        for (TraceSummary.Cell cell : summary.cells()) {
            lines.write("allocations", json -> {
                json.writeNumberProperty("byteSize", cell.byteSize());
                JsonLines.number(json, "nanos", cell.nanos() < 0
                        ? OptionalLong.empty()
                        : OptionalLong.of(cell.nanos()));
                json.writeNumberProperty("allocations", cell.allocations());
                json.writeNumberProperty("bytes", cell.bytes());
            });
        }
        for (TraceSummary.Point point : summary.timeline()) {
            lines.write("live", json -> {
                json.writeNumberProperty("nanos", point.nanos());
                json.writeNumberProperty("byteSize", point.byteSize());
            });
        }
    }
}
