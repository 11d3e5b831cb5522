package dev.arenakit.tool.where;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnionType.Discriminator;
import dev.arenakit.tool.where.compiler.WhereInteger;
import dev.arenakit.tool.where.compiler.WherePlace;
import dev.arenakit.tool.where.compiler.WherePlace.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds the place of a field by its path.
final class WherePathBinder {
    private final StructType root;
    private final List<WherePlace.Step> steps = new ArrayList<>();
    private StructType struct;
    private MemoryType type;
    /// The path so far, for messages.
    private final StringBuilder path = new StringBuilder();

    private WherePathBinder(StructType root) {
        this.root = root;
        struct = root;
        type = root;
    }

    static WherePlace find(StructType root, WhereExpression.Path path) throws WhereException {
        WherePathBinder finder = new WherePathBinder(root);
        finder.steps.add(new WherePlace.Enter());
        for (WhereExpression.Step step : path.steps()) {
            switch (step) {
                case WhereExpression.Name name -> finder.enterMember(name);
                case WhereExpression.Index index -> finder.enterElement(index);
                case WhereExpression.Every every -> {
                    ArrayType array = finder.array(every.column());
                    finder.steps.add(
                            new WherePlace.Each(array.length(), array.element().byteSize(), finder.count(array)));
                    finder.enter("[*]", array.element());
                }
            }
        }
        return new WherePlace(List.copyOf(finder.steps), finder.type);
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
        if (member.byteOffset() > 0) {
            steps.add(new WherePlace.Move(member.byteOffset()));
        }
        enter((path.isEmpty() ? "" : ".") + name.name(), member.type());
    }

    private WhereException missing(WhereExpression.Name name, List<Member> members) {
        String owner = !path.isEmpty() ? "'" + path + "'" : root.name().isEmpty() ? "the struct" : root.name();
        return new WhereException(name.column(), "no field '" + name.name() + "'"
                + WhereSuggestion.of(name.name(), members.stream().map(Member::name).toList(), owner + " has"));
    }

    private void enterElement(WhereExpression.Index index) throws WhereException {
        ArrayType array = array(index.column());
        if (index.index() >= array.length()) {
            throw new WhereException(index.column(),
                    "'" + path + "' has " + array.length() + " elements, from 0: there is no " + index.index());
        }
        steps.add(new WherePlace.Element(index.index(), array.element().byteSize(), count(array)));
        enter("[" + index.index() + "]", array.element());
    }

    private ArrayType array(int column) throws WhereException {
        if (type instanceof ArrayType array) {
            return array;
        }
        throw new WhereException(column, "'" + path + "' is no array");
    }

    private void enter(String step, MemoryType entered) {
        path.append(step);
        type = entered;
        if (entered instanceof StructType inner) {
            struct = inner;
            steps.add(new WherePlace.Enter());
        }
    }

    private Optional<Stored> count(ArrayType array) {
        return array.count().flatMap(this::stored);
    }

    private void require(UnionType union, int member) {
        if (union.discriminator().isPresent()) {
            Discriminator discriminator = union.discriminator().get();
            List<Long> values = discriminator.values();
            boolean isOtherwise = member == values.size();
            stored(discriminator.member()).ifPresent(found -> steps.add(new WherePlace.Require(found,
                    isOtherwise ? values : List.of(values.get(member)), !isOtherwise)));
        }
    }

    private Optional<Stored> stored(String member) {
        return struct.nested(member)
                .flatMap(found -> WhereInteger.of(found.type()).map(form -> new Stored(found.byteOffset(), form)));
    }
}
