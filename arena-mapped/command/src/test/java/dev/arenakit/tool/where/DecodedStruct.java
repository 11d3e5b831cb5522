package dev.arenakit.tool.where;

import dev.arenakit.dump.LayoutDump;
import dev.arenakit.dump.StructVisitor;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The values of the fields of a struct by their paths, as [LayoutDump] decodes them. If a union has a discriminator
/// that selects no member, its members are left out.
final class DecodedStruct implements StructVisitor {
    /// An enum or a `boolean`.
    record Constant(EnumType type, BigInteger value) {}

    private final Map<String, Object> values = new LinkedHashMap<>();
    private final Deque<String> path = new ArrayDeque<>(List.of(""));
    private final Deque<MemoryType> groups = new ArrayDeque<>();
    /// The numbers of members of unions with a discriminator.
    private final Deque<int[]> shown = new ArrayDeque<>();
    private String at = "";

    private DecodedStruct() {}

    static Map<String, Object> decode(StructType type, MemorySegment bytes) {
        DecodedStruct decoded = new DecodedStruct();
        try {
            LayoutDump.of(type).withEveryElement().visit(bytes, decoded);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return decoded.values;
    }

    @Override
    public void beginStruct(StructType type, long index, long byteOffset, MemorySegment bytes) {
        // There is only one struct.
    }

    @Override
    public void endStruct() {
        // There is only one struct.
    }

    @Override
    public void zeros(StructType type, long first, long count, long byteOffset) {
        throw new AssertionError("Not requested");
    }

    @Override
    public void beginGroup(MemoryType type, long byteOffset) {
        groups.push(type);
        if (hasDiscriminator(type)) {
            shown.push(new int[1]);
        }
        path.push(at + ".");
    }

    @Override
    public void endGroup() {
        MemoryType group = groups.pop();
        String prefix = path.pop();
        if (group instanceof UnionType union && union.discriminator().isPresent()) {
            // A union shows its valid member only, or all members if the valid one is unknown.
            boolean isUnknown = shown.pop()[0] == union.members().size();
            if (isUnknown) {
                values.keySet().removeIf(key -> key.startsWith(prefix));
            }
        }
    }

    @Override
    public void member(Member member, long byteOffset) {
        if (!groups.isEmpty() && hasDiscriminator(groups.element())) {
            shown.element()[0]++;
        }
        at = path.element() + member.name();
    }

    private static boolean hasDiscriminator(MemoryType type) {
        return type instanceof UnionType union && union.discriminator().isPresent();
    }

    @Override
    public void beginArray(ArrayType type, long byteOffset) {
        path.push(at);
    }

    @Override
    public void element(long index, long byteOffset) {
        at = path.element() + "[" + index + "]";
    }

    @Override
    public void endArray(long leftOut, boolean cutOff) {
        path.pop();
    }

    @Override
    public void integer(long value) {
        values.put(at, BigInteger.valueOf(value));
    }

    @Override
    public void unsigned(long value) {
        values.put(at, new BigInteger(Long.toUnsignedString(value)));
    }

    @Override
    public void floating(double value) {
        values.put(at, value);
    }

    @Override
    public void floating(float value) {
        values.put(at, value);
    }

    @Override
    public void character(char value) {
        values.put(at, value);
    }

    @Override
    public void bool(boolean value, int stored) {
        values.put(at, value);
    }

    @Override
    public void constant(EnumType type, String name, long value) {
        values.put(at, new Constant(type, BigInteger.valueOf(value)));
    }

    @Override
    public void address(long address) {
        unsigned(address);
    }

    @Override
    public void text(Text text) {
        values.put(at, text.string());
    }

    @Override
    public void cutOff() {
        throw new AssertionError("All bytes are there");
    }
}
