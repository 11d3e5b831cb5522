package dev.arenakit.tool.where;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnionType.Discriminator;
import dev.arenakit.tool.console.Suggestions;
import dev.arenakit.tool.where.WhereField.LongReader;
import dev.arenakit.tool.where.WhereField.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Finds a field by its path.
final class WhereFieldFinder {
    private static final int SHOWN_NAMES = 12;

    /// The steps so far. A field that each struct has once, at the same offset, needs none of them.
    private final List<UnaryOperator<Step>> steps = new ArrayList<>();
    private boolean needsSteps;
    private long byteOffset;
    private StructType struct;
    private MemoryType type;
    /// The path so far.
    private final StringBuilder path = new StringBuilder();

    private WhereFieldFinder(StructType root) {
        struct = root;
        type = root;
    }

    static WhereField find(StructType root, WhereExpression.Path path) throws WhereException {
        WhereFieldFinder finder = new WhereFieldFinder(root);
        for (WhereExpression.Step step : path.steps()) {
            switch (step) {
                case WhereExpression.Name name -> finder.enterMember(name);
                case WhereExpression.Index index -> finder.enterElement(index);
                case WhereExpression.Every every -> finder.enterElements(every);
            }
        }
        return new WhereField(finder.path.toString(), finder.type, false, finder.byteOffset,
                finder.needsSteps ? List.copyOf(finder.steps) : List.of());
    }

    /// The part of a message that says which name the user may have meant, and which names exist.
    ///
    /// @param owner the owner of the names, as in `Trade has`
    static String suggestion(String name, List<String> names, String owner) {
        String list = String.join(", ", names.subList(0, Math.min(SHOWN_NAMES, names.size())))
                + (names.size() > SHOWN_NAMES ? " and " + (names.size() - SHOWN_NAMES) + " more" : "");
        return Suggestions.of(name, names) + (names.isEmpty() ? "" : "; " + owner + " " + list);
    }

    private void enterMember(WhereExpression.Name name) throws WhereException {
        List<Member> members = switch (type) {
            case StructType inner -> inner.members();
            case UnionType union -> union.members();
            case ArrayType _ -> throw new WhereException(name.column(), "'" + path
                    + "' is an array: use " + path + "[0]." + name.name() + " for an element, or " + path + "[*]."
                    + name.name() + " for any");
            default -> throw new WhereException(name.column(), "'" + path + "' has no fields");
        };
        Member member = members.stream()
                .filter(one -> one.name().equals(name.name()))
                .findFirst()
                .orElseThrow(() -> missing(name, members));
        if (type instanceof UnionType union) {
            require(union, members.indexOf(member));
        }
        move(member.byteOffset());
        enter((path.isEmpty() ? "" : ".") + name.name(), member.type());
    }

    private WhereException missing(WhereExpression.Name name, List<Member> members) {
        String owner = !path.isEmpty() ? "'" + path + "'" : struct.name().isEmpty() ? "the struct" : struct.name();
        return new WhereException(name.column(), "no field '" + name.name() + "'"
                + suggestion(name.name(), members.stream().map(Member::name).toList(), owner + " has"));
    }

    private void enterElement(WhereExpression.Index index) throws WhereException {
        ArrayType array = array(index.column());
        if (index.index() >= array.length()) {
            throw new WhereException(index.column(),
                    "'" + path + "' has " + array.length() + " elements, from 0: there is no " + index.index());
        }
        if (array.count().flatMap(this::stored).isPresent()) {
            LongReader length = length(array);
            step(next -> (bytes, inner, at, id) -> index.index() < length.get(bytes, inner, id)
                    && next.test(bytes, inner, at, id));
        }
        move(index.index() * array.element().byteSize());
        enter("[" + index.index() + "]", array.element());
    }

    private void enterElements(WhereExpression.Every every) throws WhereException {
        ArrayType array = array(every.column());
        LongReader length = length(array);
        long byteSize = array.element().byteSize();
        step(next -> (bytes, inner, at, index) -> {
            long end = at + length.get(bytes, inner, index) * byteSize;
            for (long element = at; element < end; element += byteSize) {
                if (next.test(bytes, inner, element, index)) {
                    return true;
                }
            }
            return false;
        });
        enter("[*]", array.element());
    }

    private ArrayType array(int column) throws WhereException {
        if (type instanceof ArrayType array) {
            return array;
        }
        throw new WhereException(column, "'" + path + "' is no array");
    }

    /// The number of valid elements of an array: all elements if the count is out of range.
    private LongReader length(ArrayType array) {
        long all = array.length();
        Optional<LongReader> count = array.count().flatMap(this::stored);
        if (count.isEmpty()) {
            return (_, _, _) -> all;
        }
        LongReader reader = count.get();
        return (bytes, inner, index) -> {
            long valid = reader.get(bytes, inner, index);
            return valid < 0 ? all : Math.min(valid, all);
        };
    }

    /// Adds the step that the union has a member.
    private void require(UnionType union, int member) {
        if (union.discriminator().isEmpty()) {
            return;
        }
        Discriminator discriminator = union.discriminator().get();
        Optional<LongReader> stored = stored(discriminator.member());
        if (stored.isPresent()) {
            List<List<Long>> values = discriminator.values();
            boolean isOtherwise = member == values.size();
            long[] sorted = (isOtherwise ? values : List.of(values.get(member))).stream()
                    .flatMap(List::stream)
                    .mapToLong(Long::longValue)
                    .sorted()
                    .toArray();
            LongReader reader = stored.get();
            step(next -> (bytes, inner, at, index) -> Arrays.binarySearch(sorted,
                    reader.get(bytes, inner, index)) >= 0 != isOtherwise && next.test(bytes, inner, at, index));
        }
    }

    /// The reader of an integer of the innermost struct.
    private Optional<LongReader> stored(String member) {
        return struct.nested(member)
                .flatMap(found -> WhereInteger.of(found.type()).map(form -> {
                    long offset = found.byteOffset();
                    return (bytes, inner, _) -> form.get(bytes, inner + offset);
                }));
    }

    private void step(UnaryOperator<Step> step) {
        needsSteps = true;
        steps.add(step);
    }

    private void move(long byteSize) {
        byteOffset += byteSize;
        if (byteSize > 0) {
            steps.add(next -> (bytes, inner, at, index) -> next.test(bytes, inner, at + byteSize, index));
        }
    }

    private void enter(String step, MemoryType entered) {
        path.append(step);
        type = entered;
        if (entered instanceof StructType inner) {
            struct = inner;
            steps.add(next -> (bytes, _, at, index) -> next.test(bytes, at, at, index));
        }
    }
}
