package dev.arenakit.internal.nativecall;

import java.lang.foreign.StructLayout;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// All declarations of C functions, constants and structs in this package.
final class Declarations {
    private Declarations() {}

    /// @param entry    the kind and name of the declaration
    /// @param problems compares the declaration with the header
    record Declaration(IncludeList.Entry entry, Function<HeaderCheck, List<String>> problems) {}

    static List<Declaration> all() throws IllegalAccessException {
        List<Declaration> all = new ArrayList<>();
        for (CFunction function : CFunction.values()) {
            all.add(new Declaration(new IncludeList.Entry("function", function.cName()),
                    check -> check.function(function.cName(), function.type(), function.isVariadic())));
        }
        for (Field field : CHeaders.class.getDeclaredFields()) {
            all.add(declaration(field.getName(), field.get(null)));
        }
        return all;
    }

    private static Declaration declaration(String field, Object value) {
        return switch (value) {
            case Integer constant -> new Declaration(new IncludeList.Entry("constant", field),
                    check -> check.constant(field, constant));
            case StructLayout struct -> new Declaration(
                    new IncludeList.Entry("struct", struct.name().orElseThrow()), check -> check.struct(struct));
            default -> throw new AssertionError("Neither a constant nor a struct: field=" + field + ", value=" + value);
        };
    }
}
