package dev.arenakit.tool.diff;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.dump.FieldLocation;
import dev.arenakit.dump.LayoutDump;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnionType.Discriminator;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/// The value of a field as text, in the form of [LayoutDump].
final class FieldValueText {
    /// Lines with larger fields are not readable, so longer strings are cut.
    private static final int MAX_BYTE_SIZE = 1 << 12;
    /// The number of bytes of a larger union that are shown, from the first difference on.
    private static final int SHOWN = 8;
    /// The struct needs a name: a struct without a name that has a field `value` is shown as the value alone.
    private static final String STRUCT = "Struct";
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

    /// The struct that is dumped. It has the field, and also the discriminator if the field is a union.
    private final StructType struct;
    private final long start;
    private final String name;
    private final long at;

    /// @param field the field, not padding
    /// @param at    the offset of the first difference
    FieldValueText(FieldLocation field, long at) {
        this.at = at;
        name = field.member().orElseThrow().name();
        MemoryType type = shortened(field.type());
        List<Member> members = new ArrayList<>();
        if (type instanceof UnionType union && union.discriminator().isPresent()) {
            // The discriminator may be in a nested struct, where it may have the same name as the union here.
            String renamed = name + "_discriminator";
            field.struct()
                    .nested(union.discriminator().get().member())
                    .ifPresent(found -> members.add(new Member(renamed, found.byteOffset(), found.type())));
            type = withDiscriminator(union, renamed);
        }
        start = members.isEmpty() ? field.byteOffset() : field.structOffset();
        members.add(new Member(name, field.byteOffset() - start, type));
        members.sort(Comparator.comparingLong(Member::byteOffset));
        long byteAlignment = members.stream().mapToLong(member -> member.type().byteAlignment()).max().orElse(1);
        struct = new StructType(STRUCT, members, members.getLast().limit(), byteAlignment);
    }

    /// @param type   the type of the field
    /// @param offset the offset of the field
    FieldValueText(MemoryType type, long offset) {
        name = "value";
        start = offset;
        at = offset;
        MemoryType shown = shortened(type);
        struct = new StructType(STRUCT, List.of(new Member(name, 0, shown)), shown.byteSize(), shown.byteAlignment());
    }

    /// Returns the text of the field in an allocation.
    String of(ExtentSource source) throws IOException {
        if (struct.byteSize() > MAX_BYTE_SIZE) {
            return HEX.formatHex(RangeComparison.bytes(source, at, SHOWN)) + " ...";
        }
        String text = LayoutDump.of(struct)
                .toString(MemorySegment.ofArray(RangeComparison.bytes(source, start, (int) struct.byteSize())));
        // [0] { kind = 1, shape = { radius = 2.0 } }: the discriminator may be before the field or after it.
        boolean isFirst = struct.members().getFirst().name().equals(name);
        boolean isLast = struct.members().getLast().name().equals(name);
        String before = name + " = ";
        int from = text.indexOf((isFirst ? "{ " : ", ") + before) + 2 + before.length();
        int to = isLast ? text.lastIndexOf(" }") : text.lastIndexOf(", " + struct.members().getLast().name() + " = ");
        return text.substring(from, to);
    }

    private static UnionType withDiscriminator(UnionType union, String name) {
        return new UnionType(union.name(), union.members(), union.byteSize(), union.byteAlignment(),
                union.discriminator()
                        .map(found -> new Discriminator(name, found.values(), found.otherwise())));
    }

    private static MemoryType shortened(MemoryType type) {
        return type instanceof StringType text && text.byteSize() > MAX_BYTE_SIZE
                ? new StringType((MAX_BYTE_SIZE - text.prefixByteSize()) / text.unitByteSize(), text.charset(),
                        text.byteAlignment(), text.padding(), text.prefixByteSize(), text.prefixOrder())
                : type;
    }
}
