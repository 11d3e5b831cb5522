package dev.arenakit.tool;

import dev.arenakit.dump.LayoutDump;
import dev.arenakit.layout.Member;
import dev.arenakit.layout.MemoryType;
import dev.arenakit.layout.StringType;
import dev.arenakit.layout.StructType;
import dev.arenakit.layout.UnionType;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/// A field as text, as [LayoutDump] shows it.
final class FieldText {
    /// A line with more than this is no longer read. Of texts the beginning is shown.
    private static final int LARGEST = 1 << 12;
    /// What is shown of a large union, from where it differs.
    private static final int SHOWN = 8;
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

    /// What is dumped, and where it stands: a struct of this field, and of what tells which member of a union is valid.
    private final StructType struct;
    private final long start;
    private final String name;
    private final long at;

    /// @param fields have found the field
    /// @param at     where it differs
    FieldText(FieldFinder fields, long at) {
        this.at = at;
        name = fields.name();
        MemoryType type = shortened(fields.type());
        List<Member> members = new ArrayList<>();
        if (type instanceof UnionType union && union.discriminator().isPresent()) {
            String tells = union.discriminator().get().member();
            fields.parent().members().stream().filter(member -> member.name().equals(tells)).forEach(members::add);
        }
        start = members.isEmpty() ? fields.start() : fields.parentStart();
        members.add(new Member(name, fields.start() - start, type));
        members.sort(Comparator.comparingLong(Member::byteOffset));
        long byteAlignment = members.stream().mapToLong(member -> member.type().byteAlignment()).max().orElse(1);
        struct = new StructType("", members, FieldFinder.limit(members.getLast()), byteAlignment);
    }

    /// Its text in one of the allocations.
    String of(DataRange range) throws IOException {
        if (struct.byteSize() > LARGEST) {
            return HEX.formatHex(range.bytes(at, SHOWN)) + " ...";
        }
        String text = LayoutDump.of(struct)
                .toString(MemorySegment.ofArray(range.bytes(start, (int) struct.byteSize())));
        // [0] { kind = 1, shape = { radius = 2.0 } }, where what tells stands before or behind.
        boolean isFirst = struct.members().getFirst().name().equals(name);
        boolean isLast = struct.members().getLast().name().equals(name);
        String before = name + " = ";
        int from = text.indexOf((isFirst ? "{ " : ", ") + before) + 2 + before.length();
        int to = isLast ? text.lastIndexOf(" }") : text.lastIndexOf(", " + struct.members().getLast().name() + " = ");
        return text.substring(from, to);
    }

    private static MemoryType shortened(MemoryType type) {
        return type instanceof StringType text && text.byteSize() > LARGEST
                ? new StringType(LARGEST / text.unitByteSize(), text.charset(), text.byteAlignment())
                : type;
    }
}
