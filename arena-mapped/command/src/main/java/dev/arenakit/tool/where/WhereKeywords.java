package dev.arenakit.tool.where;

import java.util.Set;

/// The keywords of predicates. A field of the same name hides a keyword.
final class WhereKeywords {
    static final String TRUE = "true";
    static final String FALSE = "false";
    static final String NAN = "nan";
    static final String INFINITY = "infinity";
    /// The index of the struct in its allocation.
    static final String INDEX = "index";
    static final Set<String> ALL = Set.of(TRUE, FALSE, NAN, INFINITY, INDEX);

    private WhereKeywords() {}
}
