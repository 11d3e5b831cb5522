package dev.arenakit.tool.where;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.tool.console.Suggestions;
import dev.arenakit.tool.where.WhereOperand.Step;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// A field of a struct, or a field of each element of an array.
final class WhereField {
    /// A condition on a struct or on a field, at its offset.
    @FunctionalInterface
    interface Condition {
        boolean test(MemorySegment bytes, long at);
    }

    /// The rest of the way to a field that a struct can lack or can have several times. Each step takes the next one,
    /// and the last step tests the field.
    @FunctionalInterface
    private interface Walk {
        /// Whether there is such a field, and it satisfies the condition.
        ///
        /// @param struct the offset of the innermost struct that contains the field
        /// @param at     the offset that the steps so far have reached
        boolean test(MemorySegment bytes, long struct, long at);
    }

    /// Reads an integer of a struct.
    @FunctionalInterface
    private interface LongReader {
        long get(MemorySegment bytes, long struct);
    }

    private static final int SHOWN_NAMES = 12;

    /// The steps so far. A field that each struct has once, at the same offset, needs none of them.
    private final List<UnaryOperator<Walk>> steps = new ArrayList<>();
    private boolean needsSteps;
    private long byteOffset;
    /// The innermost struct so far.
    private StructType struct;
    /// The type of the field. A bit field also says in which bits it is stored.
    private MemoryType type;
    private String path = "";

    private WhereField(StructType root) {
        struct = root;
        type = root;
    }

    static WhereField find(StructType root, List<Step> path) throws WhereException {
        WhereField field = new WhereField(root);
        for (Step step : path) {
            if (step.name().isEmpty()) {
                field.enterElements(step);
            } else {
                field.enterMember(step.name(), step.column());
            }
        }
        if (field.type instanceof ArrayType) {
            throw new WhereException(path.getFirst().column(),
                    "the field is an array: add [0] for an element, or [*] for any");
        }
        if (field.hasFields()) {
            throw new WhereException(path.getFirst().column(), "the field has fields: add a dot and the name of one");
        }
        return field;
    }

    /// The part of a message that says which name the user may have meant, and which names the owner has.
    static String suggestion(String name, List<String> names, String owner) {
        String list = String.join(", ", names.subList(0, Math.min(SHOWN_NAMES, names.size())))
                + (names.size() > SHOWN_NAMES ? " and " + (names.size() - SHOWN_NAMES) + " more" : "");
        return Suggestions.of(name, names.stream()) + (names.isEmpty() ? "" : "; " + owner + " has " + list);
    }

    /// The declared type, without the bits in which a bit field is stored.
    MemoryType type() {
        return type instanceof BitFieldType bits ? bits.declared() : type;
    }

    /// The path in a predicate.
    String path() {
        return path;
    }

    /// The storage of an integer or a boolean, or of the bits of a floating-point number.
    StoredInteger integer() {
        return StoredInteger.ofBits(type);
    }

    /// The condition on a struct that its field, or any of its fields, satisfies a condition.
    Condition any(Condition condition) {
        if (!needsSteps) {
            long offset = byteOffset;
            return (bytes, at) -> condition.test(bytes, at + offset);
        }
        Walk walk = (bytes, _, at) -> condition.test(bytes, at);
        for (UnaryOperator<Walk> step : steps.reversed()) {
            walk = step.apply(walk);
        }
        Walk whole = walk;
        return (bytes, at) -> whole.test(bytes, at, at);
    }

    private boolean hasFields() {
        return type instanceof StructType || type instanceof UnionType;
    }

    private void enterMember(String name, int column) throws WhereException {
        if (type instanceof ArrayType) {
            throw new WhereException(column, "'" + path + "' is an array: use " + path + "[0]." + name
                    + " for an element, or " + path + "[*]." + name + " for any");
        }
        if (!hasFields()) {
            throw new WhereException(column, "'" + path + "' has no fields");
        }
        List<Member> members = type.members();
        List<String> names = members.stream().map(Member::name).toList();
        int number = names.indexOf(name);
        if (number < 0) {
            String owner = !path.isEmpty() ? "'" + path + "'" : struct.name().isEmpty() ? "the struct" : struct.name();
            throw new WhereException(column, "no field '" + name + "'" + suggestion(name, names, owner));
        }
        if (type instanceof UnionType union && union.discriminator().isPresent()) {
            require(union.discriminator().get(), number);
        }
        move(members.get(number).byteOffset());
        enter((path.isEmpty() ? "" : ".") + name, members.get(number).type());
    }

    private void enterElements(Step step) throws WhereException {
        if (!(type instanceof ArrayType array)) {
            throw new WhereException(step.column(), "'" + path + "' is no array");
        }
        long first = step.first();
        boolean isOne = step.last() == first;
        if (isOne && first >= array.length()) {
            throw new WhereException(step.column(),
                    "'" + path + "' has " + array.length() + " elements, from 0: there is no " + first);
        }
        long byteSize = array.element().byteSize();
        long end = isOne ? first + 1 : array.length();
        Optional<LongReader> count = array.count().flatMap(this::stored);
        if (isOne && count.isEmpty()) {
            move(first * byteSize);
        } else {
            LongReader length = count.orElse((_, _) -> -1);
            step(next -> (bytes, inner, at) -> {
                // All elements are valid if the count is out of range.
                long valid = length.get(bytes, inner);
                long last = at + (valid < 0 ? end : Math.min(valid, end)) * byteSize;
                for (long element = at + first * byteSize; element < last; element += byteSize) {
                    if (next.test(bytes, inner, element)) {
                        return true;
                    }
                }
                return false;
            });
        }
        enter(isOne ? "[" + first + "]" : "[*]", array.element());
    }

    /// Adds the step that a union has a member.
    private void require(UnionType.Discriminator discriminator, int member) {
        List<List<Long>> values = discriminator.values();
        boolean isOtherwise = member == values.size();
        List<Long> known = (isOtherwise ? values : List.of(values.get(member))).stream().flatMap(List::stream).toList();
        stored(discriminator.member()).ifPresent(reader -> step(next -> (bytes, inner, at) -> known
                .contains(reader.get(bytes, inner)) != isOtherwise && next.test(bytes, inner, at)));
    }

    /// The reader of an integer of the innermost struct.
    private Optional<LongReader> stored(String member) {
        return struct.nested(member)
                .flatMap(found -> found.type().integer().map(form -> {
                    long offset = found.byteOffset();
                    return (bytes, inner) -> form.get(bytes, inner + offset);
                }));
    }

    private void step(UnaryOperator<Walk> step) {
        needsSteps = true;
        steps.add(step);
    }

    private void move(long byteSize) {
        byteOffset += byteSize;
        steps.add(next -> (bytes, inner, at) -> next.test(bytes, inner, at + byteSize));
    }

    private void enter(String step, MemoryType entered) {
        path += step;
        type = entered;
        if (entered instanceof StructType inner) {
            struct = inner;
            steps.add(next -> (bytes, _, at) -> next.test(bytes, at, at));
        }
    }
}
