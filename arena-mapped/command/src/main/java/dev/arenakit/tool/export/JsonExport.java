package dev.arenakit.tool.export;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.OwnerRecord;
import dev.arenakit.tool.console.JsonOutput;
import dev.arenakit.tool.image.ImageState;
import dev.arenakit.tool.image.StructRange;
import dev.arenakit.tool.structs.StructForm;
import dev.arenakit.tool.structs.StructJsonForm;
import dev.arenakit.tool.structs.StructPrinter;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/// The export of everything as JSON, one object per line: the image, then each allocation followed by its structs.
final class JsonExport implements ExportForm {
    @Override
    public boolean write(ExportRequest export) throws IOException {
        JsonGenerator json = JsonOutput.generator(export.streams().out());
        StructForm form = new StructJsonForm(json);
        try (StructPrinter printer = new StructPrinter(export.streams(), export.image(), Optional.empty(), form,
                export.selection())) {
            boolean areNamed = !export.allocations().named().isEmpty();
            JsonOutput.write(() -> {
                write(json, export.image(), export.imageName());
                export.allocations().forEach(allocation -> {
                    write(json, allocation);
                    if (areNamed || allocation.isLive()) {
                        Optional<StructType> type = printer.type(allocation);
                        if (type.isPresent()) {
                            printer.print(allocation, type.get(), StructRange.ALL, false);
                        }
                    }
                });
                form.finish();
            });
            return !printer.hasFailed();
        }
    }

    private static void write(JsonGenerator json, ArenaImage image, String name) throws IOException {
        ImageState state = ImageState.of(image);
        json.writeStartObject();
        json.writeStringProperty("image", name);
        json.writeStringProperty("state", state.word());
        json.writeBooleanProperty("chunked", image.isChunked());
        json.writeStringProperty("byteOrder", image.byteOrder() == ByteOrder.LITTLE_ENDIAN ? "little" : "big");
        json.writeArrayPropertyStart("owners");
        for (OwnerRecord owner : state.owners()) {
            json.writeStartObject();
            json.writeNumberProperty("pid", owner.pid());
            json.writeStringProperty("started", owner.start().toString());
            json.writeStringProperty("opened", owner.opened().toString());
            json.writeStringProperty("jvm", owner.jvm());
            json.writeBooleanProperty("closed", owner.isClosed());
            json.writeEndObject();
        }
        json.writeEndArray();
        endLine(json);
    }

    private static void write(JsonGenerator json, Allocation allocation) {
        json.writeStartObject();
        json.writeStringProperty("allocation", allocation.label());
        json.writeNumberProperty("number", allocation.number());
        json.writeBooleanProperty("live", allocation.isLive());
        if (allocation.file() >= 0) {
            json.writeNumberProperty("file", allocation.file());
            json.writeNumberProperty("byteOffset", allocation.byteOffset());
        }
        json.writeNumberProperty("byteSize", allocation.byteSize());
        json.writeNumberProperty("byteAlignment", allocation.byteAlignment());
        allocation.elementCount().ifPresent(count -> json.writeNumberProperty("elementCount", count));
        allocation.storedCount().ifPresent(count -> json.writeNumberProperty("storedCount", count));
        allocation.time().ifPresent(time -> json.writeStringProperty("made", time.toString()));
        allocation.thread().ifPresent(thread -> json.writeNumberProperty("thread", thread));
        allocation.typeText().ifPresent(text -> json.writeStringProperty("type", text));
        endLine(json);
    }

    private static void endLine(JsonGenerator json) {
        json.writeEndObject();
        json.writeRaw('\n');
    }
}
