package dev.arenakit.tool.verify;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageProblem;
import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.ImageState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/// The results as JSON.
final class VerifyJson implements VerifyReport {
    private final JsonLines lines;

    VerifyJson(Streams streams) {
        lines = new JsonLines(streams, "verify");
    }

    @Override
    public void problem(Path base, ImageProblem problem) throws IOException {
        Optional<Allocation> where = problem.allocation();
        lines.write(problem.isNote() ? "note" : "problem", json -> {
            json.writeStringProperty("base", base.toString());
            JsonLines.text(json, "allocation", where.map(Allocation::label));
            JsonLines.number(json, "number",
                    where.map(found -> OptionalLong.of(found.number())).orElseGet(OptionalLong::empty));
            json.writeStringProperty("description", problem.description());
        });
    }

    @Override
    public void end(ArenaImage image, Path base, long problems) throws IOException {
        VerifiedAllocations allocations = VerifiedAllocations.of(image);
        ImageState state = ImageState.of(image);
        lines.write("image", json -> {
            ImageFileSet.writeJson(json, base);
            json.writeNumberProperty("problems", problems);
            json.writeNumberProperty("allocations", allocations.count());
            json.writeNumberProperty("byteSize", allocations.byteSize());
            state.writeJson(json);
        });
    }
}
