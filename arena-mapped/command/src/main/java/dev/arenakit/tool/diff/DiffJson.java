package dev.arenakit.tool.diff;

import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;

/// Differences as JSON.
final class DiffJson implements DiffForm {
    private final JsonLines lines;
    /// The label of the current allocation.
    private String label = "";

    DiffJson(Streams streams) {
        lines = new JsonLines(streams, "diff");
    }

    @Override
    public void gone(DiffForm.Subject allocation) throws IOException {
        write("gone", allocation);
    }

    @Override
    public void added(DiffForm.Subject allocation) throws IOException {
        write("added", allocation);
    }

    @Override
    public void changed(DiffForm.Subject allocation) throws IOException {
        label = allocation.label();
        write("changed", allocation);
    }

    @Override
    public void size(long before, long after) throws IOException {
        write("size", json -> {
            json.writeNumberProperty("before", before);
            json.writeNumberProperty("after", after);
        });
    }

    @Override
    public void type(String before, String after) throws IOException {
        write("type", json -> {
            json.writeStringProperty("before", before);
            json.writeStringProperty("after", after);
        });
    }

    @Override
    public void field(String path, long byteOffset, String before, String after, String bytes) throws IOException {
        write("field", json -> {
            json.writeStringProperty("field", path);
            json.writeNumberProperty("byteOffset", byteOffset);
            json.writeStringProperty("before", before);
            json.writeStringProperty("after", after);
        });
    }

    @Override
    public void goneStruct(String key, long index, String text) throws IOException {
        struct("goneStruct", key, index, text);
    }

    @Override
    public void addedStruct(String key, long index, String text) throws IOException {
        struct("addedStruct", key, index, text);
    }

    private void struct(String kind, String key, long index, String text) throws IOException {
        write(kind, json -> {
            json.writeStringProperty("key", key);
            json.writeNumberProperty("index", index);
            json.writeStringProperty("text", text);
        });
    }

    @Override
    public void bytes(long byteOffset, long byteSize, String before, String after) throws IOException {
        write("bytes", json -> {
            json.writeNumberProperty("byteOffset", byteOffset);
            json.writeNumberProperty("byteSize", byteSize);
            json.writeStringProperty("before", before);
            json.writeStringProperty("after", after);
        });
    }

    @Override
    public void more(long count, String unit, boolean isFirst) throws IOException {
        write("more", json -> {
            json.writeStringProperty("unit", unit);
            json.writeNumberProperty("count", count);
        });
    }

    @Override
    public void sums(DiffForm.Sums sums, boolean isComplete) throws IOException {
        lines.write("summary", json -> {
            json.writeNumberProperty("changed", sums.changed());
            json.writeNumberProperty("gone", sums.gone());
            json.writeNumberProperty("added", sums.added());
            json.writeNumberProperty("same", sums.same());
            json.writeBooleanProperty("complete", isComplete);
        });
    }

    private void write(String kind, JsonLines.Properties properties) throws IOException {
        lines.write(kind, json -> {
            json.writeStringProperty("allocation", label);
            properties.write(json);
        });
    }

    private void write(String kind, DiffForm.Subject allocation) throws IOException {
        lines.write(kind, json -> {
            long structByteSize = allocation.type().byteSize();
            json.writeStringProperty("allocation", allocation.label());
            json.writeNumberProperty("byteSize", allocation.byteSize());
            if (structByteSize == 0) {
                json.writeNullProperty("typeName");
                json.writeNullProperty("count");
            } else {
                json.writeStringProperty("typeName", allocation.type().name());
                json.writeNumberProperty("count",
                        allocation.entries().orElse(allocation.byteSize() / structByteSize));
            }
        });
    }
}
