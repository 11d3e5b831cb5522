package dev.arenakit.internal.layout.text;

import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StringType.Padding;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The comments in a C header, which describe properties that the declarations cannot express.
final class CHeaderComments {
    private CHeaderComments() {}

    /// Returns the line before the declaration of a type that has a smaller alignment in C, otherwise "".
    static String ofType(MemoryType type, long cAlignment) {
        return cAlignment == type.byteAlignment()
                ? ""
                : "/* Aligned to multiples of " + type.byteAlignment()
                        + ", which C does not support for a type of this size. */\n";
    }

    /// Returns the comment after the declaration of a member, or "" for none.
    ///
    /// @param cName the name of the member in C
    static String ofMember(MemoryType owner, int index, String cName) {
        Member member = owner.members().get(index);
        List<String> remarks = new ArrayList<>();
        if (!cName.equals(member.name())) {
            remarks.add(member.name());
        }
        addRemarks(member.type(), remarks);
        if (owner instanceof UnionType union) {
            union.discriminator()
                    .ifPresent(discriminator -> remarks.add("where " + discriminator.member() + " is "
                            + (index < discriminator.values().size()
                                    ? oneOf(discriminator.values().get(index))
                                    : "none of these")));
        }
        return remarks.isEmpty() ? "" : " /* " + String.join(", ", remarks) + " */";
    }

    /// Returns the values as `1`, `1 or 2`, `1 or 2 or 3`.
    private static String oneOf(List<Long> values) {
        return values.stream().map(String::valueOf).collect(Collectors.joining(" or "));
    }

    private static void addRemarks(MemoryType type, List<String> remarks) {
        if (type instanceof ArrayType array) {
            addRemarks(array.element(), remarks);
            array.count().ifPresent(count -> remarks.add("the first " + count + " are valid"));
        } else if (type instanceof StringType text) {
            addRemarks(text, remarks);
        } else if (type.isScalar() && !(type instanceof BitFieldType)) {
            if (type instanceof RefType reference) {
                // The end of a comment cannot be part of it.
                remarks.add("0, or 1 + the offset"
                        + (reference.unit() == 1 ? "" : " in units of " + reference.unit() + " bytes") + " of a struct"
                        + (reference.target().isEmpty() ? "" : " " + reference.target())
                        + reference.allocation().map(name -> " in " + name.replace("*/", "* /")).orElse(""));
            }
            if (!Sizes.isPowerOfTwo(type.byteSize())) {
                remarks.add(((UnsignedType) type).cName());
            }
            if (type.byteSize() > 1 && StoredInteger.ofBits(type).order() == ByteOrder.BIG_ENDIAN) {
                remarks.add("big-endian");
            }
        }
    }

    private static void addRemarks(StringType text, List<String> remarks) {
        remarks.add(text.charset().name());
        if (text.padding() == Padding.SPACE) {
            remarks.add("padded with spaces");
        }
        if (text.prefixByteSize() > 0) {
            remarks.add("after its length in " + text.prefixByteSize() + (text.prefixByteSize() == 1
                    ? " byte"
                    : text.prefixOrder() == ByteOrder.BIG_ENDIAN ? " bytes, big-endian" : " bytes"));
        }
    }
}
