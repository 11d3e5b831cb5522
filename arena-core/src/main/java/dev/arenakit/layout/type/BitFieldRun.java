package dev.arenakit.layout.type;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Consecutive bit fields of a struct that share bytes, or a single bit field that shares no bytes.
///
/// A description in another language, such as the declarations of C, can declare such a run as a sequence of named and
/// unused bits ([#parts]).
///
/// @param first    the index of the first bit field among the members of the struct
/// @param fields   the bit fields
/// @param byteSize the number of bytes from the beginning of the first bit field to the end of the last one
public record BitFieldRun(int first, List<Member> fields, long byteSize) {
    /// Bits that are a bit field, or unused.
    ///
    /// @param index   the index of the bit field among the members of the struct, or -1 if the bits are unused
    /// @param bitSize the number of bits; unused bits do not extend over the end of a byte
    public record Part(int index, int bitSize) {}

    /// A field at a position in the bits of the run.
    private record Place(long bit, Part part) {}

    /// Creates a run, with a copy of the list.
    ///
    /// @throws IllegalArgumentException if there are no fields, or if a field is not a bit field
    public BitFieldRun {
        fields = List.copyOf(fields);
        if (fields.isEmpty() || !fields.stream().allMatch(field -> field.type() instanceof BitFieldType)) {
            throw new IllegalArgumentException("Run is not one of bit fields: fields=" + fields);
        }
    }

    /// Returns the run that contains a bit field.
    ///
    /// @param members the members of the struct
    /// @param index   the index of the bit field among the members
    /// @return the run
    /// @throws IllegalArgumentException if the member at the index is not a bit field
    public static BitFieldRun of(List<Member> members, int index) {
        int start = index;
        // A field of at most 8 bytes that begins before these fields does not extend to the first field.
        for (int i = index - 1; i >= 0 && members.get(i).type() instanceof BitFieldType
                && members.get(start).byteOffset() - members.get(i).byteOffset() < Long.BYTES; i--) {
            start = members.get(i).limit() > members.get(start).byteOffset() ? i : start;
        }
        int end = start + 1;
        long limit = members.get(start).limit();
        while (end < members.size() && members.get(end).type() instanceof BitFieldType
                && members.get(end).byteOffset() < limit) {
            limit = Math.max(limit, members.get(end).limit());
            end++;
        }
        return new BitFieldRun(start, members.subList(start, end), limit - members.get(start).byteOffset());
    }

    /// Returns the offset of the first byte of the run.
    ///
    /// @return the offset in bytes from the beginning of the struct
    public long byteOffset() {
        return fields.getFirst().byteOffset();
    }

    /// Returns the index of the member after the run.
    ///
    /// @return the index among the members of the struct, or their number if there is no such member
    public int end() {
        return first + fields.size();
    }

    /// Returns the order in which the bits of all fields are consecutive.
    ///
    /// @return the byte order of the fields, or empty if there are fields of both orders; a field within one byte whose
    ///         declared type has one byte is consecutive in both orders
    public Optional<ByteOrder> order() {
        for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
            if (fields.stream().allMatch(field -> bit(field, order) >= 0)) {
                return Optional.of(order);
            }
        }
        return Optional.empty();
    }

    /// Returns the bits of the run from the first to the last byte.
    ///
    /// @param order the order of the bits ([#order])
    /// @return the fields and the unused bits, which are 8 bits for each byte in total
    public List<Part> parts(ByteOrder order) {
        List<Place> places = IntStream.range(0, fields.size())
                .mapToObj(i -> new Place(bit(fields.get(i), order), new Part(first + i, type(fields.get(i)).bitSize())))
                .sorted(Comparator.comparingLong(Place::bit))
                .toList();
        List<Part> parts = new ArrayList<>();
        long bit = 0;
        for (Place place : places) {
            addUnused(parts, bit, place.bit);
            parts.add(place.part);
            bit = place.bit + place.part.bitSize;
        }
        addUnused(parts, bit, Byte.SIZE * byteSize);
        return parts;
    }

    private static void addUnused(List<Part> parts, long from, long to) {
        for (long bit = from; bit < to;) {
            long next = Math.min(to, bit / Byte.SIZE * Byte.SIZE + Byte.SIZE);
            parts.add(new Part(-1, (int) (next - bit)));
            bit = next;
        }
    }

    /// The position of a field in an order of the bits, or a negative number if its bits are not consecutive in that
    /// order.
    private long bit(Member field, ByteOrder order) {
        BitFieldType type = type(field);
        long bits = Byte.SIZE * (field.byteOffset() - byteOffset());
        if (type.order() == order) {
            return bits + type.bitOffset();
        }
        int fromOtherEnd = Byte.SIZE - type.bitOffset() - type.bitSize();
        return fromOtherEnd < 0 ? -1 : bits + fromOtherEnd;
    }

    private static BitFieldType type(Member field) {
        return (BitFieldType) field.type();
    }
}
