package dev.arenakit.internal.nativecall;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Compares declarations with the declarations that jextract has generated from a header. Each method returns a list of
/// differences. The list is empty if the declaration is correct.
final class HeaderCheck {
    static final String NOT_GENERATED = "not generated";

    private final GeneratedHeader header;

    HeaderCheck(GeneratedHeader header) {
        this.header = header;
    }

    /// Checks that a requested name was generated: jextract silently omits names that it does not find.
    List<String> included(IncludeList.Entry entry) {
        Optional<?> generated = switch (entry.kind()) {
            case "constant" -> header.constant(entry.name());
            case "function" -> header.function(entry.name());
            case "struct" -> header.struct(entry.name());
            default -> throw new IllegalArgumentException("Kind of an included name is not known: kind="
                    + entry.kind());
        };
        return generated.isPresent() ? List.of() : List.of(NOT_GENERATED);
    }

    List<String> constant(String name, long value) {
        return header.constant(name)
                .map(theirs -> theirs.longValue() == value ? List.<String>of() : difference("value", value, theirs))
                .orElse(List.of(NOT_GENERATED));
    }

    List<String> function(String name, FunctionDescriptor type, boolean variadic) {
        return header.function(name).map(theirs -> {
            List<String> problems = new ArrayList<>();
            if (theirs.variadic() != variadic) {
                problems.addAll(difference("variadic", variadic, theirs.variadic()));
            }
            if (!sameTypes(type, theirs.type())) {
                problems.addAll(difference("type", type, theirs.type()));
            }
            return problems;
        }).orElse(List.of(NOT_GENERATED));
    }

    /// Compares a struct. The struct may declare only some of the members, with padding for the others.
    List<String> struct(StructLayout layout) {
        return header.struct(layout.name().orElseThrow()).map(theirs -> {
            List<String> problems = new ArrayList<>();
            if (layout.byteSize() != theirs.byteSize()) {
                problems.addAll(difference("size", layout.byteSize(), theirs.byteSize()));
            }
            if (layout.byteAlignment() != theirs.byteAlignment()) {
                problems.addAll(difference("alignment", layout.byteAlignment(), theirs.byteAlignment()));
            }
            for (MemoryLayout member : layout.memberLayouts()) {
                member.name().ifPresent(name -> problems.addAll(member(name, layout, theirs)));
            }
            return problems;
        }).orElse(List.of(NOT_GENERATED));
    }

    private static List<String> member(String name, GroupLayout ours, GroupLayout theirs) {
        PathElement path = PathElement.groupElement(name);
        if (theirs.memberLayouts().stream().noneMatch(member -> member.name().equals(Optional.of(name)))) {
            return List.of(name + ": no member of the header's struct");
        }
        List<String> problems = new ArrayList<>();
        if (ours.byteOffset(path) != theirs.byteOffset(path)) {
            problems.addAll(difference(name + ": offset", ours.byteOffset(path), theirs.byteOffset(path)));
        }
        if (!sameMember(ours.select(path), theirs.select(path))) {
            problems.addAll(difference(name + ": type", ours.select(path), theirs.select(path)));
        }
        return problems;
    }

    private static boolean sameTypes(FunctionDescriptor ours, FunctionDescriptor theirs) {
        List<MemoryLayout> arguments = ours.argumentLayouts();
        List<MemoryLayout> theirArguments = theirs.argumentLayouts();
        if (arguments.size() != theirArguments.size()
                || ours.returnLayout().isPresent() != theirs.returnLayout().isPresent()) {
            return false;
        }
        for (int i = 0; i < arguments.size(); i++) {
            if (!sameArgument(arguments.get(i), theirArguments.get(i))) {
                return false;
            }
        }
        return ours.returnLayout().isEmpty()
                || sameArgument(ours.returnLayout().get(), theirs.returnLayout().orElseThrow());
    }

    /// A pointer may be passed as an address, or as a long with that name.
    private static boolean sameArgument(MemoryLayout ours, MemoryLayout theirs) {
        return ours.equals(CFunction.Type.ADDRESS_AS_LONG)
                ? theirs instanceof AddressLayout
                : sameMember(ours, theirs);
    }

    /// All addresses are the same, whatever their target.
    private static boolean sameMember(MemoryLayout ours, MemoryLayout theirs) {
        return (ours instanceof AddressLayout && theirs instanceof AddressLayout)
                || ours.withoutName().equals(theirs.withoutName());
    }

    private static List<String> difference(String what, Object ours, Object theirs) {
        return List.of(what + ": ours=" + ours + ", header=" + theirs);
    }
}
