package dev.arenakit.internal.layout.text;

import dev.arenakit.internal.layout.text.LayoutScanner.Token;
import dev.arenakit.layout.type.EnumType.Constant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The constants of an enum in a text.
///
/// @param otherwise the name of the constant that stands for all other values
record LayoutConstants(List<Constant> constants, Optional<String> otherwise) {
    private static final String OTHERWISE = "@otherwise";

    /// @param unsigned whether the values are unsigned
    static LayoutConstants parse(LayoutReader tokens, int version, boolean unsigned) {
        List<Constant> constants = new ArrayList<>();
        Optional<String> otherwise = Optional.empty();
        long largest = unsigned ? -1 : Long.MAX_VALUE;
        long next = 0;
        boolean full = false;
        tokens.take("{");
        while (!tokens.takeIf("}")) {
            Token name = tokens.takeName("the name of a constant, or '}'");
            if (full && !tokens.peek().is("=")) {
                throw tokens.peek().expected("'=', since there is no value after the previous one");
            }
            if (tokens.takeIf("=")) {
                if (version > 1 && tokens.peek().is(OTHERWISE)) {
                    if (otherwise.isPresent()) {
                        throw tokens.peek().expected("'" + OTHERWISE + "' once");
                    }
                    tokens.take();
                    otherwise = Optional.of(name.text());
                    comma(tokens);
                    continue;
                }
                next = unsigned ? tokens.takeUnsignedNumber() : tokens.takeNumber();
            }
            constants.add(new Constant(name.text(), next));
            full = next == largest;
            next++;
            comma(tokens);
        }
        return new LayoutConstants(constants, otherwise);
    }

    private static void comma(LayoutReader tokens) {
        if (!tokens.takeIf(",") && !tokens.peek().is("}")) {
            throw tokens.peek().expected("',' or '}'");
        }
    }
}
