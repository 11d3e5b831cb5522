package dev.arenakit.mapped.internal.arena;

import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Describes how the recorded type of an allocation differs from the requested one, by the first member that differs.
public final class TypeMismatch {
    private TypeMismatch() {}

    /// Checks the recorded type of an allocation.
    ///
    /// @throws IllegalStateException if it is not the requested type; the message names the first member that differs
    public static void check(String name, String recordedText, StructType requested) {
        if (!isSame(recordedText, requested)) {
            throw new IllegalStateException("Allocation is of another type: name=" + name + ", "
                    + describe(recordedText, requested)
                    + "; copy its structs to a new allocation, and free this one");
        }
    }

    /// {@return whether a recorded type, whose text may be of an earlier version of the grammar, is the requested one}
    static boolean isSame(String recordedText, StructType requested) {
        try {
            return LayoutText.parse(recordedText).equals(requested);
        } catch (LayoutParseException _) {
            return false;
        }
    }

    /// {@return the difference, as the values of a message}
    ///
    /// @param recordedText the text of the recorded type, which a later release may have written; empty if there is
    ///                     none
    static String describe(String recordedText, StructType requested) {
        if (recordedText.isEmpty()) {
            return values("", "none", whole(requested));
        }
        try {
            StructType recorded = LayoutText.parse(recordedText);
            String difference = firstMember(recorded, requested, "");
            return difference != null ? difference : values("", whole(recorded), whole(requested));
        } catch (LayoutParseException _) {
            return values("", recordedText, LayoutText.print(requested));
        }
    }

    private static @Nullable String firstMember(StructType recorded, StructType requested, String path) {
        List<Member> first = recorded.members();
        List<Member> second = requested.members();
        for (int i = 0; i < Math.max(first.size(), second.size()); i++) {
            if (i >= first.size()) {
                return values(path + second.get(i).name(), "none", words(second.get(i)));
            }
            if (i >= second.size()) {
                return values(path + first.get(i).name(), words(first.get(i)), "none");
            }
            if (!first.get(i).equals(second.get(i))) {
                return member(first.get(i), second.get(i), path);
            }
        }
        return null;
    }

    private static String member(Member recorded, Member requested, String path) {
        String name = path + recorded.name();
        if (recorded.name().equals(requested.name()) && recorded.byteOffset() == requested.byteOffset()
                && recorded.type() instanceof StructType first && requested.type() instanceof StructType second) {
            String nested = firstMember(first, second, name + ".");
            return nested != null ? nested : values(name, whole(first), whole(second));
        }
        String first = words(recorded);
        String second = words(requested);
        return first.equals(second)
                ? values(name, recorded.type().toString(), requested.type().toString())
                : values(name, first, second);
    }

    private static String values(String member, String recorded, String requested) {
        return (member.isEmpty() ? "" : "member=" + member + ", ") + "recorded=" + recorded + ", requested="
                + requested;
    }

    private static String whole(StructType struct) {
        return LayoutText.typeName(struct) + " of byteSize=" + struct.byteSize() + " and byteAlignment="
                + struct.byteAlignment();
    }

    private static String words(Member member) {
        return LayoutText.typeName(member.type()) + " " + member.name() + " at byteOffset=" + member.byteOffset();
    }
}
