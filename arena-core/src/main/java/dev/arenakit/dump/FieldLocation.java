package dev.arenakit.dump;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldRun;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The location of the field or the padding that contains a given byte, in memory with consecutive structs.
///
/// A field is a member of a struct or an element of an array, and its type is neither a struct nor an array. A union is
/// one field, because its type does not determine the valid member. Bit fields that share bytes have one location; its
/// path names the first and the last bit field, as in `[7].version..length`. Members of size 0 contain no byte.
///
/// ```java
/// StructType trade = StructType.builder("Trade")
///         .add("id", ValueType.of(long.class))
///         .add("prices", ArrayType.of(ValueType.of(double.class), 3))
///         .build();                                           // 32 bytes
/// FieldLocation field = FieldLocation.of(trade, 7 * 32 + 18);
/// field.path();       // "[7].prices[1]"
/// field.byteOffset(); // 240
/// field.byteSize();   // 8
/// ```
///
/// The time to find a field depends on how deeply the types are nested, not on the lengths of arrays. Objects of this
/// class are immutable, and safe for use by several threads.
public final class FieldLocation {
    private final StructType root;
    private final long found;

    private final MemoryType type;
    private final long byteOffset;
    private final long byteSize;
    private final StructType struct;
    private final long structOffset;
    /// Null for padding.
    private final @Nullable Member member;
    /// The bit fields at the location, or null if there are none.
    private final @Nullable BitFieldRun bits;
    /// The array that contains the field as an element, or null.
    private final @Nullable ArrayType array;
    private final long arrayOffset;

    /// @param path receives the path, unless it is null
    private FieldLocation(StructType root, long found, @Nullable StringBuilder path) {
        this.root = root;
        this.found = found;
        MemoryType type = root;
        long start = element(0, root, found, path);
        StructType struct = root;
        long structStart = start;
        Member member = null;
        BitFieldRun bits = null;
        ArrayType array = null;
        long arrayStart = 0;
        while (true) {
            if (type instanceof StructType inner) {
                List<Member> members = inner.members();
                int next = firstBeyond(members, found - start);
                member = next == 0 ? null : members.get(next - 1);
                bits = member != null && member.type() instanceof BitFieldType
                        ? BitFieldRun.of(members, next - 1)
                        : null;
                struct = inner;
                structStart = start;
                array = null;
                long memberLimit = bits != null
                        ? bits.byteOffset() + bits.byteSize()
                        : member == null ? 0 : member.limit();
                if (member == null || found - start >= memberLimit) {
                    long limit = next == members.size() ? inner.byteSize() : members.get(next).byteOffset();
                    member = null;
                    bits = null;
                    start += memberLimit;
                    byteSize = limit - memberLimit;
                    break;
                }
                if (bits != null) {
                    member = bits.fields().getFirst();
                }
                type = member.type();
                start += member.byteOffset();
                if (path != null) {
                    path.append('.').append(bits == null ? member.name() : path(bits));
                }
            } else if (type instanceof ArrayType inner) {
                array = inner;
                arrayStart = start;
                type = inner.element();
                start = element(start, type, found, path);
            } else {
                byteSize = bits == null ? type.byteSize() : bits.byteSize();
                break;
            }
        }
        this.type = type;
        byteOffset = start;
        this.struct = struct;
        structOffset = structStart;
        this.member = member;
        this.bits = bits;
        this.array = array;
        arrayOffset = arrayStart;
    }

    /// Finds the field or the padding that contains a byte.
    ///
    /// @param struct     the type of the structs; the first struct begins at offset 0
    /// @param byteOffset the offset of the byte
    /// @return the location of the field or the padding
    /// @throws IllegalArgumentException if the size of the struct is 0, or the offset is negative
    public static FieldLocation of(StructType struct, long byteOffset) {
        if (struct.byteSize() == 0 || byteOffset < 0) {
            throw new IllegalArgumentException("No field at this offset: struct=" + struct.name() + ", struct.byteSize="
                    + struct.byteSize() + ", byteOffset=" + byteOffset);
        }
        return new FieldLocation(struct, byteOffset, null);
    }

    /// {@return whether the byte is padding, that is, belongs to no field}
    public boolean isPadding() {
        return member == null;
    }

    /// Returns the path of the field: the index of the struct, then the names and indices of the members and elements,
    /// as in `[7].points[2].x`.
    ///
    /// @return the path of the field, or for padding, the path of the innermost struct that contains it
    public String path() {
        StringBuilder path = new StringBuilder();
        // The path is made by a second search, because most locations are never printed.
        new FieldLocation(root, found, path);
        return path.toString();
    }

    /// Returns the bit fields at this location, which share bytes.
    ///
    /// @return the bit fields as members of [#struct], or an empty list if the field is no bit field
    public List<Member> bitFields() {
        return bits == null ? List.of() : bits.fields();
    }

    /// Returns the path of a bit field at this location.
    ///
    /// @param bitField an element of [#bitFields]
    /// @return the path, as in `[7].version`
    /// @throws IllegalArgumentException if there is no such bit field at this location
    public String path(Member bitField) {
        if (bits == null || !bits.fields().contains(bitField)) {
            throw new IllegalArgumentException("No such bit field at this location: bitField=" + bitField.name()
                    + ", path=" + path());
        }
        String path = path();
        String last = path.substring(0, path.length() - path(bits).length());
        return last + bitField.name();
    }

    /// {@return the type of the field, the type of the first bit field if there are several, or for padding, the type
    /// of the innermost struct that contains it}
    public MemoryType type() {
        return type;
    }

    /// {@return the offset of the first byte of the field or the padding}
    public long byteOffset() {
        return byteOffset;
    }

    /// {@return the size of the field or the padding in bytes}
    public long byteSize() {
        return byteSize;
    }

    /// {@return the innermost struct that contains the field or the padding}
    public StructType struct() {
        return struct;
    }

    /// {@return the offset of the first byte of the innermost struct}
    public long structOffset() {
        return structOffset;
    }

    /// Returns the member of the innermost struct: the field itself, the first of several bit fields, or the array that
    /// contains the field.
    ///
    /// @return the member, or empty for padding
    public Optional<Member> member() {
        return Optional.ofNullable(member);
    }

    private static String path(BitFieldRun bits) {
        String first = bits.fields().getFirst().name();
        return bits.fields().size() == 1 ? first : first + ".." + bits.fields().getLast().name();
    }

    /// The array of numbers that contains the field as an element, or null.
    @Nullable
    ArrayType numberArray() {
        return type.isScalar() ? array : null;
    }

    /// The offset of the first byte of [#numberArray].
    long arrayOffset() {
        return arrayOffset;
    }

    /// The offset of the element that contains a byte.
    private static long element(long start, MemoryType type, long found, @Nullable StringBuilder path) {
        long index = (found - start) / type.byteSize();
        if (path != null) {
            path.append('[').append(index).append(']');
        }
        return start + index * type.byteSize();
    }

    /// The index of the first member that begins beyond an offset.
    private static int firstBeyond(List<Member> members, long byteOffset) {
        int low = 0;
        int high = members.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (members.get(middle).byteOffset() <= byteOffset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
