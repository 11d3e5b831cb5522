package dev.arenakit.tool.verify;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageIntegrity;
import dev.arenakit.mapped.ImageIntegrity.CheckedAllocations;
import dev.arenakit.mapped.ImageIntegrity.DamagedRange;
import dev.arenakit.mapped.Seal;
import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.ImageState;
import dev.arenakit.tool.image.RingState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/// The results as JSON.
final class VerifyJson implements VerifyReport {
    private final JsonLines lines;

    VerifyJson(Streams streams) {
        lines = new JsonLines(streams, "verify");
    }

    @Override
    public void problem(Path base, ImageIntegrity.Problem problem) throws IOException {
        write(problem.isNote() ? "note" : "problem", base, problem.allocation(),
                json -> json.writeStringProperty("description", problem.description()));
    }

    @Override
    public void damage(ArenaImage image, Path base, Allocation allocation, DamagedRange range, Seal seal)
            throws IOException {
        write("damage", base, Optional.of(allocation), json -> {
            json.writeNumberProperty("byteOffset", range.byteOffset());
            json.writeNumberProperty("byteSize", range.end() - range.byteOffset());
            json.writeStringProperty("sealed", seal.time().toString());
        });
    }

    @Override
    public void growth(Path base, Allocation allocation, Seal seal) throws IOException {
        long added = allocation.byteSize() - seal.byteSize();
        write("note", base, Optional.of(allocation), json -> json.writeStringProperty("description",
                "Bytes were added after the seal, and are not compared: byteSize=" + added + ", sealed="
                        + seal.time()));
    }

    @Override
    public void end(ArenaImage image, Path base, CheckedAllocations checked, VerifyReport.Sums sums)
            throws IOException {
        long sealed = VerifyReport.sealed(image, checked);
        ImageState state = ImageState.of(image);
        lines.write("image", json -> {
            ImageFileSet.writeJson(json, base);
            json.writeNumberProperty("problems", sums.problems());
            json.writeNumberProperty("allocations", checked.count());
            json.writeNumberProperty("byteSize", checked.byteSize());
            json.writeNumberProperty("sealed", sealed);
            json.writeBooleanProperty("data", sums.hasData());
            state.writeJson(json);
        });
    }

    @Override
    public void endRing(Path path, VerifyReport.RingSums sums) throws IOException {
        lines.write("ring", json -> {
            json.writeStringProperty("base", path.toString());
            json.writeNumberProperty("problems", sums.problems());
            json.writeNumberProperty("records", sums.records());
            JsonLines.number(json, "unread", number(sums, state -> state.positions().unreadByteSize()));
            JsonLines.number(json, "capacity", number(sums, RingState::capacity));
        });
    }

    private static OptionalLong number(VerifyReport.RingSums sums, ToLongFunction<RingState> value) {
        return sums.state().stream().mapToLong(value).findFirst();
    }

    private void write(String kind, Path base, Optional<Allocation> where, JsonLines.Properties properties)
            throws IOException {
        lines.write(kind, json -> {
            json.writeStringProperty("base", base.toString());
            JsonLines.text(json, "allocation", where.map(Allocation::label));
            JsonLines.number(json, "number",
                    where.map(found -> OptionalLong.of(found.number())).orElseGet(OptionalLong::empty));
            properties.write(json);
        });
    }
}
