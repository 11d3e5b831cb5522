package dev.arenakit.mapped.internal.column;

import dev.arenakit.dump.LayoutDump;
import dev.arenakit.dump.StructVisitor;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads structs as Java objects, by the walk over their values.
final class VisitedValues implements StructVisitor {
    private final List<List<@Nullable Object>> rows = new ArrayList<>();
    private boolean isInvalid;
    /// What takes the next value, in each struct and array that has begun.
    private final Deque<Consumer<Object>> targets = new ArrayDeque<>();

    /// Returns the values of each struct.
    ///
    /// @throws IOException if a value is invalid
    static List<List<@Nullable Object>> of(StructType type, MemorySegment structs) throws IOException {
        VisitedValues visitor = new VisitedValues();
        LayoutDump.of(type).withEveryElement().visit(structs, visitor);
        if (visitor.isInvalid) {
            throw new IOException("Value is invalid");
        }
        return visitor.rows;
    }

    private void put(Object value) {
        targets.element().accept(value);
    }

    @Override
    public void beginStruct(StructType type, long index, long byteOffset, MemorySegment bytes) {
        targets.push(row -> rows.add(new ArrayList<>(((Map<?, ?>) row).values())));
        beginGroup(type, byteOffset);
    }

    @Override
    public void endStruct() {
        endGroup();
        targets.pop();
    }

    @Override
    public void zeros(StructType type, long first, long count, long byteOffset) {
        throw new IllegalArgumentException();
    }

    /// The members of a struct or union, which is complete at its end. A union's member that is not visited is null.
    private static final class Group implements Consumer<Object> {
        private final Map<String, @Nullable Object> members = new LinkedHashMap<>();
        private String next = "";
        private boolean hasValidMember = true;
        private boolean wasInvalid;

        @Override
        public void accept(Object value) {
            members.put(next, value);
        }
    }

    private record Elements(List<Object> values) implements Consumer<Object> {
        @Override
        public void accept(Object value) {
            values.add(value);
        }
    }

    @Override
    public void beginGroup(MemoryType type, long byteOffset) {
        Group group = new Group();
        if (type instanceof UnionType union) {
            union.members().forEach(member -> group.members.put(member.name(), null));
            // Without a valid member, all members are visited.
            group.hasValidMember = union.discriminator()
                    .map(found -> found
                            .validMember((long) Objects.requireNonNull(struct().members.get(found.member()))) >= 0)
                    .orElse(true);
            group.wasInvalid = isInvalid;
        }
        targets.push(group);
    }

    private Group struct() {
        return (Group) targets.element();
    }

    @Override
    public void endGroup() {
        Group group = (Group) targets.pop();
        if (!group.hasValidMember) {
            group.members.replaceAll((_, _) -> null);
            isInvalid = group.wasInvalid;
        }
        put(group.members);
    }

    @Override
    public void member(Member member, long byteOffset) {
        ((Group) targets.element()).next = member.name();
    }

    @Override
    public void beginArray(ArrayType type, long byteOffset) {
        targets.push(new Elements(new ArrayList<>()));
    }

    @Override
    public void element(long index, long byteOffset) {
        // The value follows.
    }

    @Override
    public void endArray(long leftOut, boolean cutOff) {
        Elements elements = (Elements) targets.pop();
        // Elements without bytes are visited once.
        for (long i = 0; i < leftOut; i++) {
            elements.values.add(elements.values.getLast());
        }
        put(elements.values);
    }

    @Override
    public void integer(long value) {
        put(value);
    }

    @Override
    public void unsigned(long value) {
        put(ColumnValues.unsigned(value));
    }

    @Override
    public void floating(double value) {
        put(value);
    }

    @Override
    public void floating(float value) {
        put(value);
    }

    @Override
    public void character(char value) {
        put((long) value);
    }

    @Override
    public void bool(boolean value, int stored) {
        put(value);
    }

    @Override
    public void constant(EnumType type, String name, long value) {
        isInvalid |= name.isEmpty() && type.otherwise().isEmpty();
        put(name.isEmpty() ? type.otherwise().orElse("") : name);
    }

    @Override
    public void address(long address) {
        put(ColumnValues.unsigned(address));
    }

    @Override
    public void reference(RefType type, long stored, String target) {
        put(ColumnValues.unsigned(stored));
    }

    @Override
    public void text(Text text) {
        isInvalid |= !isWellFormed(text);
        put(text.string());
    }

    private static boolean isWellFormed(Text text) {
        try {
            return text.charset().newDecoder().decode(text.bytes().asByteBuffer()).hasArray();
        } catch (CharacterCodingException _) {
            return false;
        }
    }

    @Override
    public void cutOff() {
        throw new IllegalArgumentException();
    }
}
