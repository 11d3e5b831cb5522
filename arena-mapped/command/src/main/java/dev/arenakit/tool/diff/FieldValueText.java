package dev.arenakit.tool.diff;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.dump.FieldLocation;
import dev.arenakit.dump.LayoutDump;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// The value of a field as text, in the form of [LayoutDump].
///
/// @param type          the type of the field
/// @param byteOffset    the offset of the field
/// @param at            the offset of the first difference
/// @param discriminator the member that tells which member of a union is valid, with its offset in the allocation
record FieldValueText(MemoryType type, long byteOffset, long at, Optional<Member> discriminator) {
    /// Lines with larger fields are not readable.
    private static final int MAX_BYTE_SIZE = 1 << 12;
    /// The number of bytes of a larger field that are shown, from the first difference on.
    private static final int SHOWN = 8;

    /// @param field the field, not padding
    static FieldValueText of(FieldLocation field, long at) {
        return new FieldValueText(field.type(), field.byteOffset(), at,
                Optional.of(field.type())
                        .filter(UnionType.class::isInstance)
                        .flatMap(union -> ((UnionType) union).discriminator())
                        .flatMap(found -> field.struct().nested(found.member()))
                        .map(found -> new Member(found.name(), field.structOffset() + found.byteOffset(),
                                found.type().withByteAlignment(1))));
    }

    static FieldValueText of(MemoryType type, long byteOffset) {
        return new FieldValueText(type, byteOffset, byteOffset, Optional.empty());
    }

    /// Returns the text of the field in an allocation.
    String in(ExtentSource source) throws IOException {
        MemoryType shown = type instanceof UnionType union ? valid(union, source) : type;
        if (shown.byteSize() > MAX_BYTE_SIZE) {
            return RangeComparison.hex(source, at, SHOWN) + " ...";
        }
        String text = LayoutDump.of(StructType.wrapperOf(shown))
                .toString(RangeComparison.read(source, byteOffset, shown.byteSize()))
                .strip();
        // A wrapped bit field is [0] { value = 3 }, and other wrapped values are [0] 3.
        return shown instanceof BitFieldType
                ? text.substring(text.indexOf('=') + 2, text.length() - 2)
                : text.substring(text.indexOf(' ') + 1);
    }

    /// The union with its valid member alone, or with all members if the valid one is unknown.
    private UnionType valid(UnionType union, ExtentSource source) throws IOException {
        int valid = -1;
        if (discriminator.isPresent()) {
            StoredInteger stored = discriminator.get().type().integer().orElseThrow();
            valid = union.discriminator()
                    .orElseThrow()
                    .validMember(stored.get(RangeComparison.read(source, discriminator.get().byteOffset(),
                            stored.byteSize()), 0));
        }
        return new UnionType(union.name(), valid < 0 ? union.members() : List.of(union.members().get(valid)),
                union.byteSize(), union.byteAlignment(), Optional.empty());
    }
}
