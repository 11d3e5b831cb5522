package dev.arenakit.dump;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import java.util.ArrayList;
import java.util.List;

/// Notes that name the fields of consecutive structs, which begin at offset 0: `[7].price, [7].symbol`.
///
/// The note of a line names the fields that begin in it. If no field begins in the line, the note names the field that
/// covers it; if the line has only padding, it has no note. Consecutive elements of an array of numbers have one name,
/// `[7].samples[16..31]`. A union is one field, because the notes do not depend on the contents of memory. If there are
/// more than four fields, the first three fields and the last field are named: `[0].a, [0].b, [0].c .. [0].p`. Fields
/// of size 0 are not named.
///
/// {@snippet file="dev/arenakit/dump/HexDumpExample.java" region="notes"}
///
/// The cost of a note depends on how deeply the types are nested, not on the lengths of arrays. Objects of this class
/// are immutable, and safe for use by several threads.
public final class FieldNotes implements LineNotes {
    /// Up to this number of fields, all fields of a line are named.
    private static final int MAX_NAMES = 4;

    private final StructType struct;

    private FieldNotes(StructType struct) {
        this.struct = struct;
    }

    /// Returns notes for memory that holds structs of one type.
    ///
    /// @param struct the type of the structs
    /// @return the notes
    public static FieldNotes of(StructType struct) {
        return new FieldNotes(struct);
    }

    @Override
    public String note(long byteOffset, int byteCount) {
        if (struct.byteSize() == 0) {
            return "";
        }
        long last = byteCount - 1 > Long.MAX_VALUE - byteOffset ? Long.MAX_VALUE : byteOffset + byteCount - 1;
        List<String> names = names(byteOffset, last);
        return names.size() <= MAX_NAMES
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, MAX_NAMES - 1)) + " .. " + names.getLast();
    }

    /// The names of the fields in a range. The range is given by its last byte, because an end offset could overflow.
    private List<String> names(long first, long last) {
        List<String> names = new ArrayList<>();
        String covering = "";
        long at = first;
        while (true) {
            FieldLocation field = FieldLocation.of(struct, at);
            ArrayType array = field.numberArray();
            long begin = array == null ? field.byteOffset() : field.arrayOffset();
            long byteSize = array == null ? field.byteSize() : array.byteSize();
            if (array != null) {
                long elementByteSize = array.element().byteSize();
                long from = Math.ceilDiv(Math.max(0, first - begin), elementByteSize);
                long to = Math.min(array.length() - 1, (last - begin) / elementByteSize);
                String name = field.path();
                String arrayName = name.substring(0, name.lastIndexOf('['));
                if (from < to) {
                    names.add(arrayName + "[" + from + ".." + to + "]");
                } else if (from == to) {
                    names.add(arrayName + "[" + from + "]");
                } else {
                    covering = name;
                }
            } else if (!field.bitFields().isEmpty()) {
                covering = bitFields(field, first, last, names);
            } else if (!field.isPadding() && begin >= first) {
                names.add(field.path());
            } else if (!field.isPadding()) {
                covering = field.path();
            }
            if (byteSize > last - begin) {
                return names.isEmpty() && !covering.isEmpty() ? List.of(covering) : names;
            }
            at = begin + byteSize;
        }
    }

    /// Adds the names of the bit fields that begin in a range. Returns the name of the first bit field that covers the
    /// beginning of the range, or "".
    private static String bitFields(FieldLocation location, long first, long last, List<String> names) {
        String covering = "";
        for (Member bitField : location.bitFields()) {
            long begin = location.structOffset() + bitField.byteOffset();
            if (begin >= first && begin <= last) {
                names.add(location.path(bitField));
            } else if (begin < first && first - begin < bitField.type().byteSize() && covering.isEmpty()) {
                covering = location.path(bitField);
            }
        }
        return covering;
    }
}
