package dev.arenakit.dump;

import dev.arenakit.layout.ArrayType;
import dev.arenakit.layout.Member;
import dev.arenakit.layout.MemoryType;
import dev.arenakit.layout.StructType;
import java.util.IdentityHashMap;
import java.util.List;

/// Notes that name the fields of structs, which stand one after the other from offset 0 on: `[7].price, [7].symbol`.
///
/// A line's note names the fields that begin in it, or the one that covers it where none does, and is empty where there is padding
/// alone. Elements of an array of numbers are one field, `[7].samples[16..31]`; a union is one field too, since the notes do not
/// see the bytes that would tell which member is valid. Of more than four fields the first three and the last are named:
/// `[0].a, [0].b, [0].c .. [0].p`. Fields without a size have no note.
///
/// {@snippet file="dev/arenakit/dump/HexDumpExample.java" region="notes"}
///
/// A note costs as much as the types are deep, however long arrays are. Objects of this class are immutable, and safe for use
/// by several threads.
public final class FieldNotes implements LineNotes {
    /// More fields than these are not all named.
    private static final int NAMES = 4;

    private final StructType struct;
    /// Of every struct within, the members that have a size.
    private final IdentityHashMap<StructType, Member[]> members = new IdentityHashMap<>();

    private FieldNotes(StructType struct) {
        this.struct = struct;
        prepare(struct);
    }

    /// Notes on structs.
    ///
    /// @param struct what stands in memory
    /// @return the notes
    public static FieldNotes of(StructType struct) {
        return new FieldNotes(struct);
    }

    @Override
    public String note(long byteOffset, int byteCount) {
        if (struct.byteSize() == 0) {
            return "";
        }
        List<String> names = new FieldSearch(members, byteOffset, byteCount).structs(struct);
        return names.size() <= NAMES
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, NAMES - 1)) + " .. " + names.getLast();
    }

    private void prepare(MemoryType type) {
        if (type instanceof ArrayType array) {
            prepare(array.element());
        } else if (type instanceof StructType inner && !members.containsKey(inner)) {
            Member[] sized = inner.members()
                    .stream()
                    .filter(member -> member.type().byteSize() > 0)
                    .toArray(Member[]::new);
            members.put(inner, sized);
            for (Member member : sized) {
                prepare(member.type());
            }
        }
    }
}
