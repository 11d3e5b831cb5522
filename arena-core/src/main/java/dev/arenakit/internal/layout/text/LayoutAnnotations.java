package dev.arenakit.internal.layout.text;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.layout.text.LayoutScanner.Kind;
import dev.arenakit.internal.layout.text.LayoutScanner.Token;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StringType;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/// The annotations of a type or member in a text, by their names.
record LayoutAnnotations(Map<String, Argument> arguments) {
    static final LayoutAnnotations NONE = new LayoutAnnotations(Map.of());

    private static final List<String> WITH_NUMBER = List.of("@align", "@offset", "@size", "@case", "@bit", "@prefix");
    private static final List<String> WITH_NAME = List.of("@switch", "@count", "@charset");

    private static final List<Long> PREFIXES = List.of(1L, 2L, 4L);

    /// The argument of an annotation: a name, a number, both, or neither; several numbers of a `@case` or a `@ref`.
    record Argument(Token at, String name, List<Long> numbers) {
        Argument(Token at, String name, long number) {
            this(at, name, List.of(number));
        }

        long number() {
            return numbers.getFirst();
        }
    }

    /// Reads the annotations that follow, as long as they are among the allowed ones.
    static LayoutAnnotations parse(LayoutReader tokens, String... allowed) {
        Map<String, Argument> arguments = new HashMap<>();
        List<String> names = List.of(allowed);
        while (tokens.peek().kind() == Kind.ANNOTATION && names.contains(tokens.peek().text())) {
            Token at = tokens.take();
            Argument argument = argument(at, tokens);
            String other = at.is("@big") ? "@little" : "@big";
            boolean bothOrders = (at.is("@big") || at.is("@little")) && arguments.containsKey(other);
            if (bothOrders || arguments.put(at.text(), argument) != null) {
                throw at.expected("each annotation once, and one byte order");
            }
        }
        return new LayoutAnnotations(arguments);
    }

    private static Argument argument(Token at, LayoutReader tokens) {
        Argument argument = new Argument(at, "", List.of());
        if (WITH_NUMBER.contains(at.text())) {
            tokens.take("(");
            Token number = tokens.peek();
            argument = new Argument(at, "", tokens.takeNumber());
            if (at.is("@prefix")) {
                argument = prefix(argument, number, tokens);
            }
            if (at.is("@case")) {
                argument = cases(argument, tokens);
            }
            if (at.is("@align") && !Sizes.isPowerOfTwo(argument.number())) {
                throw number.expected("a power of two");
            }
            tokens.take(")");
        } else if (at.is("@ref")) {
            argument = reference(at, tokens);
        } else if (WITH_NAME.contains(at.text())) {
            tokens.take("(");
            argument = new Argument(at, tokens.takePath(), List.of());
            tokens.take(")");
        }
        return argument;
    }

    /// Reads the size and the alignment of a struct, its name, and an allocation.
    private static Argument reference(Token at, LayoutReader tokens) {
        tokens.take("(");
        long byteSize = tokens.takeNumber();
        tokens.take(",");
        long byteAlignment = tokens.takeNumber();
        boolean more = tokens.takeIf(",");
        String name = more ? tokens.takeNameIfAny() : "";
        if (more && (name.isEmpty() || tokens.takeIf(","))) {
            Token allocation = tokens.take();
            if (allocation.kind() != Kind.QUOTED) {
                throw allocation.expected("a name in quotation marks");
            }
            name += allocation.text();
        }
        tokens.take(")");
        return new Argument(at, name, List.of(byteSize, byteAlignment));
    }

    /// Returns the type of a reference that is stored as an unsigned integer.
    MemoryType reference(MemoryType integer) {
        Argument reference = Objects.requireNonNull(arguments.get("@ref"));
        String[] names = reference.name().split("\"", -1);
        return new RefType(names[0], reference.numbers().getFirst(), reference.numbers().getLast(),
                names.length > 1 ? Optional.of(names[1]) : Optional.empty(), integer.byteSize(),
                ByteOrder.LITTLE_ENDIAN, integer.byteAlignment());
    }

    private static Argument cases(Argument argument, LayoutReader tokens) {
        List<Long> numbers = new ArrayList<>(argument.numbers());
        while (tokens.takeIf(",")) {
            numbers.add(tokens.takeNumber());
        }
        return new Argument(argument.at(), "", numbers);
    }

    private static Argument prefix(Argument argument, Token number, LayoutReader tokens) {
        if (!PREFIXES.contains(argument.number())) {
            throw number.expected("1, 2 or 4");
        }
        if (!tokens.takeIf(",")) {
            return argument;
        }
        return new Argument(argument.at(), tokens.take("big").text(), argument.number());
    }

    boolean has(String name) {
        return arguments.containsKey(name);
    }

    OptionalLong number(String name) {
        Argument argument = arguments.get(name);
        return argument == null ? OptionalLong.empty() : OptionalLong.of(argument.number());
    }

    List<Long> numbers(String name) {
        Argument argument = arguments.get(name);
        return argument == null ? List.of() : argument.numbers();
    }

    Optional<String> name(String name) {
        return Optional.ofNullable(arguments.get(name)).map(Argument::name);
    }

    ByteOrder order(ByteOrder otherwise) {
        return has("@big") ? ByteOrder.BIG_ENDIAN : has("@little") ? ByteOrder.LITTLE_ENDIAN : otherwise;
    }

    /// Returns the charset of a text whose code units have the type at the token.
    Charset charset(Token at) {
        Argument named = arguments.get("@charset");
        if (named != null) {
            try {
                Charset charset = Charset.forName(named.name().replace('_', '-'));
                if (StringType.of(1, charset).unitByteSize() == 1) {
                    return charset;
                }
            } catch (IllegalArgumentException _) {
                // The same as a charset of other code units.
            }
            throw named.at().expected("the name of a charset of one byte for each character, with '_' for '-'");
        }
        if (at.is("char")) {
            return has("@ascii") ? StandardCharsets.US_ASCII : StandardCharsets.UTF_8;
        }
        boolean big = has("@big");
        return at.is("char16_t")
                ? big ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE
                : big ? StandardCharsets.UTF_32BE : StandardCharsets.UTF_32LE;
    }

    /// Returns a text type whose length is stored before the text, as the annotation `@prefix` says.
    StringType prefixed(StringType text) {
        Argument prefix = Objects.requireNonNull(arguments.get("@prefix"));
        if (text.padding() == StringType.Padding.SPACE) {
            throw prefix.at().expected("either '@spaces' or '@prefix'");
        }
        int byteSize = (int) prefix.number();
        return text.withPrefix(byteSize, prefix.name().isEmpty()
                ? ByteOrder.LITTLE_ENDIAN
                : ByteOrder.BIG_ENDIAN);
    }

    /// Rejects an annotation.
    void checkNone(String name, String expected) {
        Argument argument = arguments.get(name);
        if (argument != null) {
            throw argument.at().expected(expected);
        }
    }

    /// Rejects all annotations except one.
    void checkOnly(String name, String expected) {
        arguments.forEach((key, argument) -> {
            if (!key.equals(name)) {
                throw argument.at().expected(expected);
            }
        });
    }
}
