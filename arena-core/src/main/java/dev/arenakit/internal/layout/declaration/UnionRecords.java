package dev.arenakit.internal.layout.declaration;

import dev.arenakit.layout.annotation.Otherwise;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The records of a union: the records that its sealed interface permits, directly or through nested sealed interfaces.
public final class UnionRecords {
    private UnionRecords() {}

    /// Returns the records in the order of their declaration. A record with [Otherwise] is the last.
    public static List<Class<?>> of(Class<?> union) {
        Set<Class<?>> records = new LinkedHashSet<>();
        collect(union, records);
        List<Class<?>> ordered = new ArrayList<>(records);
        ordered.sort(Comparator.comparing(UnionRecords::isOtherwise));
        return ordered;
    }

    private static void collect(Class<?> union, Set<Class<?>> records) {
        for (Class<?> permitted : union.getPermittedSubclasses()) {
            if (permitted.isInterface() && permitted.isSealed()) {
                collect(permitted, records);
            } else {
                records.add(permitted);
            }
        }
    }

    /// Returns the name in C of the member for a record: the name of the record, with the first letter in lower case.
    static String memberName(Class<?> permitted) {
        String name = permitted.getSimpleName();
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    static boolean isOtherwise(Class<?> permitted) {
        return permitted.isAnnotationPresent(Otherwise.class);
    }
}
