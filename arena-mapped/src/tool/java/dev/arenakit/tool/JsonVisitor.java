package dev.arenakit.tool;

import dev.arenakit.dump.StructVisitor;
import dev.arenakit.layout.ArrayType;
import dev.arenakit.layout.EnumType;
import dev.arenakit.layout.Member;
import dev.arenakit.layout.MemoryType;
import dev.arenakit.layout.StructType;

import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;

/// Writes structs of one allocation as JSON.
final class JsonVisitor implements StructVisitor {
    private static final SerializableString ALLOCATION = new SerializedString("allocation");
    private static final SerializableString INDEX = new SerializedString("index");
    private static final SerializableString VALUE = new SerializedString("value");
    private static final SerializableString ZEROS = new SerializedString("zeros");

    private final JsonGenerator json;
    private final String label;
    /// Encoded once: members are the same objects from struct to struct.
    private final IdentityHashMap<Member, SerializableString> names = new IdentityHashMap<>();

    /// @param label of the allocation
    JsonVisitor(JsonGenerator json, String label) {
        this.json = json;
        this.label = label;
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
        // The place in the array tells.
    }

    @Override
    public void endArray(long leftOut, boolean cutOff) {
        json.writeEndArray();
    }

    @Override
    public void integer(long value) {
        json.writeNumber(value);
    }

    @Override
    public void floating(double value) {
        json.writeNumber(value);
    }

    @Override
    public void floating(float value) {
        json.writeNumber(value);
    }

    @Override
    public void character(char value) {
        json.writeString(String.valueOf(value));
    }

    @Override
    public void bool(boolean value, int stored) {
        json.writeBoolean(value);
    }

    @Override
    public void constant(EnumType type, String name, long value) {
        if (name.isEmpty()) {
            json.writeNumber(value);
        } else {
            json.writeString(name);
        }
    }

    @Override
    public void address(long address) {
        json.writeString("0x" + Long.toHexString(address));
    }

    @Override
    public void text(Text text) {
        json.writeString(text.string());
    }

    @Override
    public void cutOff() {
        json.writeNull();
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
