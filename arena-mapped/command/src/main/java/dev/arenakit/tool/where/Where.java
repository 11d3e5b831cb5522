package dev.arenakit.tool.where;

import dev.arenakit.layout.type.StructType;
import java.util.HashSet;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// A predicate on structs, which applies to all types that have its fields: `quantity < 0 && symbol == "ARNA"`.
public final class Where {
    /// The value of the option `--where`.
    public static final class Option implements ITypeConverter<Where> {
        @Override
        public Where convert(String text) {
            try {
                return parse(text);
            } catch (WhereException e) {
                throw new TypeConversionException(e.problem());
            }
        }
    }

    /// The largest struct that is searched, since structs that span several extents are assembled on the heap.
    private static final long MAX_STRUCT_SIZE = 1 << 26;

    private final String text;

    private Where(String text) {
        this.text = text;
    }

    /// Parses a predicate.
    ///
    /// @throws WhereException if the text is no predicate
    public static Where parse(String text) throws WhereException {
        WhereParser.parse(text, (_, _, _) -> (_, _) -> false);
        return new Where(text);
    }

    /// Applies the predicate to a type.
    ///
    /// @throws WhereException if the type lacks a field of the predicate, or the field has an unsuitable type
    public WhereFilter on(StructType type) throws WhereException {
        Set<String> members = new HashSet<>();
        WhereField.Condition condition = WhereParser.parse(text, (field, operator, operand) -> {
            members.add(field.getFirst().name());
            return WhereBinder.bind(type, field, operator, operand);
        });
        if (type.byteSize() == 0 || type.byteSize() > MAX_STRUCT_SIZE) {
            throw new WhereException(0, "structs of " + type.byteSize() + " bytes cannot be searched");
        }
        return new WhereFilter(condition, members, (int) type.byteSize(), false);
    }
}
