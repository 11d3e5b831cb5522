package dev.arenakit.tool.serve;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.JsonOutput;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.ImageState;
import dev.arenakit.tool.image.StructRange;
import dev.arenakit.tool.image.TypeNames;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.JsonGenerator;

/// The list of all images and tables, as a JSON object.
final class ServeIndex {
    private static final int VERSION = 1;

    private ServeIndex() {}

    /// Writes the list.
    ///
    /// @param bases the bases of the images, by their names
    static void write(Map<String, Path> bases, OutputStream out) throws IOException {
        JsonGenerator json = JsonOutput.generator(out);
        JsonOutput.write(() -> {
            json.writeStartObject();
            json.writeNumberProperty("version", VERSION);
            json.writeArrayPropertyStart("images");
            bases.forEach((name, base) -> write(json, name, base));
            json.writeEndArray();
            json.writeEndObject();
            json.writeRaw('\n');
            json.close();
        });
    }

    private static void write(JsonGenerator json, String name, Path base) {
        json.writeStartObject();
        json.writeStringProperty("image", name);
        json.writeArrayPropertyStart("tables");
        Optional<String> state = Optional.empty();
        Optional<String> problem = Optional.empty();
        try (ArenaImage image = ImageFileSet.openImage(base)) {
            state = Optional.of(ImageState.of(image).word());
            new AllocationSequence(image).forEachLive(allocation -> ServeTable.of(image, allocation)
                    .filter(ServeTable::canBeServed)
                    .ifPresent(table -> write(json, name, table)));
            if (image.hasSkippedDamage()) {
                problem = Optional.of("records of the catalog are damaged, and tables may be missing");
            }
        } catch (IOException | UncheckedIOException e) {
            problem = Optional.of(ErrorText.of(ErrorText.cause(e)));
        }
        json.writeEndArray();
        JsonLines.text(json, "state", state);
        JsonLines.text(json, "problem", problem);
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String image, ServeTable table) {
        Allocation allocation = table.allocation();
        OptionalLong count = OptionalLong.empty();
        Optional<String> problem;
        try {
            AllocationStructs structs = AllocationStructs.recorded(table.image(), allocation, table.type());
            count = OptionalLong.of(structs.within(StructRange.ALL).count());
            problem = structs.loss();
        } catch (IOException e) {
            problem = Optional.of(ErrorText.of(e));
        }
        json.writeStartObject();
        json.writeStringProperty("table", allocation.label());
        json.writeStringProperty("path", ServeTarget.path(image, allocation.label(), allocation.number()));
        json.writeStringProperty("typeName", TypeNames.of(table.type()));
        JsonLines.number(json, "count", count);
        json.writeNumberProperty("byteSize", allocation.byteSize());
        JsonLines.text(json, "type", allocation.typeText());
        JsonLines.text(json, "problem", problem);
        json.writeEndObject();
    }
}
