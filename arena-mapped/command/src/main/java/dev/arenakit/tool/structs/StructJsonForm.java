package dev.arenakit.tool.structs;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.console.JsonOutput;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.StructRange;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;

/// Structs as JSON for programs, one object per line.
public final class StructJsonForm implements StructForm {
    private final JsonGenerator json;
    private final Printer printer;

    public StructJsonForm(JsonGenerator json) {
        this.json = json;
        printer = new Printer(json);
    }

    @Override
    public void print(AllocationStructs structs, ExtentSource source, StructRange range) throws IOException {
        printer.begin(structs.allocation());
        JsonOutput.write(() -> structs.dump(range).withEveryElement().visit(source, printer));
    }

    @Override
    public void finish() throws IOException {
        JsonOutput.write(json::flush);
    }

    /// Prints the structs of allocations as JSON.
    private static final class Printer extends ValueVisitor {
        private static final SerializableString ALLOCATION = new SerializedString("allocation");
        private static final SerializableString INDEX = new SerializedString("index");
        private static final SerializableString VALUE = new SerializedString("value");
        private static final SerializableString ZEROS = new SerializedString("zeros");

        /// The number of names that are cached across allocations.
        private static final int MAX_NAMES = 1 << 12;

        private final JsonGenerator json;
        /// Encoded names. All structs of a type have the same objects as members, so each name is encoded once.
        private final IdentityHashMap<Member, SerializableString> names = new IdentityHashMap<>();

        private String label = "";

        Printer(JsonGenerator json) {
            this.json = json;
        }

        /// Begins an allocation.
        void begin(Allocation allocation) {
            if (names.size() > MAX_NAMES) {
                names.clear();
            }
            label = allocation.label();
        }

        @Override
        public void beginStruct(StructType type, long index, long byteOffset, MemorySegment bytes) {
            begin(index);
            json.writeName(VALUE);
            json.writeStartObject();
        }

        @Override
        public void endStruct() {
            json.writeEndObject();
            end();
        }

        @Override
        public void zeros(StructType type, long first, long count, long byteOffset) {
            begin(first);
            json.writeName(ZEROS);
            json.writeNumber(count);
            end();
        }

        @Override
        public void beginGroup(MemoryType type, long byteOffset) {
            json.writeStartObject();
        }

        @Override
        public void endGroup() {
            json.writeEndObject();
        }

        @Override
        public void member(Member member, long byteOffset) {
            json.writeName(names.computeIfAbsent(member, named -> new SerializedString(named.name())));
        }

        @Override
        public void beginArray(ArrayType type, long byteOffset) {
            json.writeStartArray();
        }

        @Override
        public void element(long index, long byteOffset) {
            // The position in the array shows the index.
        }

        @Override
        public void endArray(long leftOut, boolean cutOff) {
            json.writeEndArray();
        }

        @Override
        protected void value(@Nullable Object value) {
            JsonOutput.writeValue(json, value);
        }

        private void begin(long index) {
            json.writeStartObject();
            json.writeName(ALLOCATION);
            json.writeString(label);
            json.writeName(INDEX);
            json.writeNumber(index);
        }

        private void end() {
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }
}
