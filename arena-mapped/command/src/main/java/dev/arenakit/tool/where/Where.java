package dev.arenakit.tool.where;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.tool.where.compiler.WhereCompiler;
import dev.arenakit.tool.where.compiler.WhereCondition;

/// A predicate on structs, which applies to all types that have its fields: `quantity < 0 && symbol == "ARNA"`.
public final class Where {
    /// The largest struct that is searched, since structs that span several extents are assembled on the heap.
    private static final long MAX_STRUCT_SIZE = 1 << 26;

    private final WhereExpression expression;

    private Where(WhereExpression expression) {
        this.expression = expression;
    }

    /// Parses a predicate.
    ///
    /// @throws WhereException if the text is no predicate
    public static Where parse(String text) throws WhereException {
        return new Where(WhereParser.parse(text));
    }

    /// Compiles the predicate for a type.
    ///
    /// @throws WhereException if the type lacks a field of the predicate, or the field has an unsuitable type
    public WhereFilter on(StructType type) throws WhereException {
        WhereCondition condition = WhereBinder.bind(expression, type);
        if (type.byteSize() == 0 || type.byteSize() > MAX_STRUCT_SIZE) {
            throw new WhereException(0, "structs of " + type.byteSize() + " bytes cannot be searched");
        }
        try {
            return new WhereFilter(WhereCompiler.compile(condition, type.byteSize()), (int) type.byteSize());
        } catch (IllegalArgumentException e) {
            throw new WhereException(0, "the predicate is too long");
        }
    }
}
