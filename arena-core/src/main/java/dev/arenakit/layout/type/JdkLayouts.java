package dev.arenakit.layout.type;

import dev.arenakit.internal.CIdentifiers;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.UnionLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Converts layouts of the JDK to types.
final class JdkLayouts {
    private JdkLayouts() {}

    static StructType struct(StructLayout layout) {
        return struct(layout, nameOf(layout));
    }

    static MemoryType type(MemoryLayout layout) {
        return type(layout, nameOf(layout));
    }

    /// @param name the name of the type if it is a struct or a union; empty for a member, since the name of its layout
    ///             is the name of the member
    private static MemoryType type(MemoryLayout layout, String name) {
        return switch (layout) {
            case AddressLayout address -> new AddressType(address.targetLayout().map(JdkLayouts::type), address.order(),
                    address.byteAlignment());
            case ValueLayout value -> new ValueType(value.carrier(), value.order(), value.byteAlignment());
            case SequenceLayout sequence -> new ArrayType(type(sequence.elementLayout()), sequence.elementCount(),
                    sequence.byteAlignment());
            case StructLayout struct -> struct(struct, name);
            case UnionLayout union -> new UnionType(name, members(union), union.byteSize(), union.byteAlignment(),
                    Optional.empty());
            case PaddingLayout padding -> throw new IllegalArgumentException("Padding is outside of a struct: layout="
                    + padding + "; use a sequence of bytes");
        };
    }

    private static StructType struct(StructLayout layout, String name) {
        return new StructType(name, members(layout), layout.byteSize(), layout.byteAlignment());
    }

    private static List<Member> members(GroupLayout group) {
        List<Member> members = new ArrayList<>();
        long byteOffset = 0;
        for (MemoryLayout layout : group.memberLayouts()) {
            if (!(layout instanceof PaddingLayout)) {
                String name = nameOf(layout);
                if (name.isEmpty()) {
                    throw new IllegalArgumentException("Member has no name: member=" + layout + ", group=" + group
                            + "; name it by withName");
                }
                members.add(new Member(name, byteOffset, memberType(layout, name)));
            }
            if (group instanceof StructLayout) {
                byteOffset += layout.byteSize();
            }
        }
        return members;
    }

    private static MemoryType memberType(MemoryLayout layout, String name) {
        try {
            return type(layout, "");
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "Member cannot be converted to a type: member=" + name + ", reason: " + e.getMessage(), e);
        }
    }

    /// Returns the name of a layout, or "" for none. The names that jextract gives to anonymous structs and unions,
    /// which consist of line and column as in `$anon$3:9`, become identifiers, like `anon_3_9`.
    private static String nameOf(MemoryLayout layout) {
        String name = layout.name().orElse("");
        String identifier = name.startsWith("$anon$")
                ? name.substring(1).replaceAll("[^A-Za-z0-9_]", "_")
                : name;
        if (!CIdentifiers.isOptional(identifier)) {
            throw new IllegalArgumentException("Name of a layout is not a C identifier: name=" + name + ", layout="
                    + layout + "; name it by withName");
        }
        return identifier;
    }
}
