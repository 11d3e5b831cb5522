package dev.arenakit.layout.text;

import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.text.LayoutScanner.Kind;
import dev.arenakit.layout.text.LayoutScanner.Token;
import dev.arenakit.layout.text.LayoutTokenStream.Annotations;
import dev.arenakit.layout.text.LayoutTypeBuilder.Base;
import dev.arenakit.layout.text.LayoutTypeBuilder.Derivation;
import dev.arenakit.layout.text.LayoutTypeBuilder.Parsed;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnionType.Discriminator;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Parses the grammar of [LayoutText] by recursive descent.
final class LayoutParser {
    static final int VERSION = 1;
    static final String VERSION_LINE = "#pragma layout " + VERSION;

    private static final String TYPES = "a type: struct, union, enum, void, char, char16_t, bool, int8_t, int16_t, "
            + "uint16_t, int32_t, int64_t, float or double";

    private static final Map<String, Class<?>> CARRIERS = Stream.of(boolean.class, byte.class, short.class, char.class,
            int.class, long.class, float.class, double.class)
            .collect(Collectors.toMap(carrier -> ValueType.of(carrier).cName(), carrier -> carrier));

    private final LayoutTokenStream tokens;
    private final LayoutTypeBuilder types = new LayoutTypeBuilder();
    private final Map<String, Parsed> definitions = new HashMap<>();
    private int nesting;

    private LayoutParser(String text) {
        tokens = new LayoutTokenStream(text);
    }

    static StructType parse(String text) {
        return new LayoutParser(text).text();
    }

    private StructType text() {
        tokens.version(VERSION, VERSION_LINE);
        while (true) {
            Token start = tokens.peek();
            MemoryType last = definition();
            tokens.take(";");
            if (tokens.peek().kind() == Kind.END) {
                if (last instanceof StructType struct) {
                    return struct;
                }
                throw start.expected("'struct' in the last definition");
            }
        }
    }

    private MemoryType definition() {
        Token kind = tokens.peek();
        if (!isGroup(kind)) {
            throw kind.expected("'struct', 'union' or 'enum'");
        }
        tokens.take();
        Token name = tokens.peek();
        String tag = tokens.takeNameIfAny();
        if (definitions.containsKey(tag)) {
            throw name.expected("a name that is not defined yet");
        }
        Base definition = group(kind, name, tag, true);
        Parsed parsed = definition.type().orElseThrow();
        if (!tag.isEmpty()) {
            definitions.put(tag, parsed);
        }
        return parsed.type();
    }

    private static boolean isGroup(Token word) {
        return word.is("struct") || word.is("union") || word.is("enum");
    }

    /// Parses the part of a declaration before the declarator.
    private Base base() {
        Token start = tokens.takeName(TYPES);
        if (isGroup(start)) {
            Token name = tokens.peek();
            return group(start, name, tokens.takeNameIfAny(), false);
        }
        Class<?> carrier = CARRIERS.get(start.text());
        if (carrier != null) {
            Annotations annotations = tokens.annotations("@big", "@little", "@align");
            ValueType value = ValueType.of(carrier, annotations.order(ByteOrder.LITTLE_ENDIAN));
            return types.base(start, new Parsed(value, 1, 1), annotations);
        }
        return switch (start.text()) {
            case "void" -> Base.ofVoid(start);
            case "char" -> Base.ofText(start, tokens.annotations("@ascii"));
            case "char16_t" -> Base.ofText(start, tokens.annotations("@big", "@little"));
            default -> throw start.expected(TYPES);
        };
    }

    /// Parses a struct, a union or an enum: a body, or the name of a previous one.
    private Base group(Token kind, Token name, String tag, boolean defines) {
        return kind.is("enum") ? enumeration(kind, name, tag, defines) : fields(kind, name, tag, defines);
    }

    private Base enumeration(Token kind, Token name, String tag, boolean defines) {
        Class<?> carrier = int.class;
        boolean sized = tokens.takeIf(":");
        if (sized) {
            Token word = tokens.takeName("the type of an integer");
            carrier = CARRIERS.getOrDefault(word.text(), void.class);
            if (carrier == void.class) {
                throw word.expected("int8_t, int16_t, int32_t or int64_t");
            }
        }
        Annotations annotations = tokens.annotations("@big", "@little", "@align");
        if (sized || defines || tokens.peek().is("{")) {
            ValueType value = ValueType.of(carrier, annotations.order(ByteOrder.LITTLE_ENDIAN));
            List<EnumType.Constant> constants = constants();
            MemoryType type = types.checked(kind, () -> new EnumType(tag, value, constants));
            return types.base(kind, types.sized(kind, type, 1L + constants.size(), 1), annotations);
        }
        Parsed defined = defined(kind, name, tag);
        EnumType type = types.ordered((EnumType) defined.type(), annotations);
        return types.base(kind, new Parsed(type, defined.parts(), 1), annotations);
    }

    private List<EnumType.Constant> constants() {
        List<EnumType.Constant> constants = new ArrayList<>();
        tokens.take("{");
        long last = -1;
        while (!tokens.takeIf("}")) {
            Token name = tokens.takeName("the name of a constant, or '}'");
            if (last == Long.MAX_VALUE && !tokens.peek().is("=")) {
                throw tokens.peek().expected("'=', since there is no value after " + last);
            }
            last = tokens.takeIf("=") ? tokens.takeNumber() : last + 1;
            constants.add(new EnumType.Constant(name.text(), last));
            if (!tokens.takeIf(",") && !tokens.peek().is("}")) {
                throw tokens.peek().expected("',' or '}'");
            }
        }
        return constants;
    }

    private Base fields(Token kind, Token name, String tag, boolean defines) {
        boolean union = kind.is("union");
        Annotations annotations = union
                ? tokens.annotations("@packed", "@align", "@size", "@switch")
                : tokens.annotations("@packed", "@align", "@size");
        if (defines || tokens.peek().is("{")) {
            if (++nesting > LayoutDefinitions.MAX_DEPTH) {
                throw kind.expected("at most " + LayoutDefinitions.MAX_DEPTH + " levels of nested types");
            }
            Parsed group = union ? union(kind, tag, annotations) : struct(kind, tag, annotations);
            nesting--;
            return Base.of(kind, group);
        }
        annotations.checkOnly("@align", "'{' after the annotations of a definition");
        return types.base(kind, defined(kind, name, tag), annotations);
    }

    private Parsed defined(Token kind, Token name, String tag) {
        Parsed definition = definitions.get(tag);
        if (tag.isEmpty()) {
            throw tokens.peek().expected("a name or '{' after '" + kind.text() + "'");
        }
        Class<?> type = kind.is("struct") ? StructType.class : kind.is("union") ? UnionType.class : EnumType.class;
        if (definition == null || !type.isInstance(definition.type())) {
            throw name.expected("the name of a " + kind.text() + " that is already defined, or a definition");
        }
        return definition;
    }

    private Parsed struct(Token kind, String tag, Annotations annotations) {
        List<Member> members = new ArrayList<>();
        long end = 0;
        long parts = 1;
        int depth = 0;
        tokens.take("{");
        while (!tokens.takeIf("}")) {
            Declaration declared = declaration(annotations.has("@packed"));
            Annotations place = tokens.annotations("@offset");
            tokens.take(";");
            MemoryType type = declared.parsed().type();
            long before = end;
            Member member = types.checked(declared.name(), () -> new Member(declared.name().text(),
                    place.number("@offset").orElseGet(() -> Sizes.alignUpExact(before, type.byteAlignment())), type));
            members.add(member);
            end = member.limit();
            parts += declared.parsed().parts();
            depth = Math.max(depth, declared.parsed().depth());
        }
        long limit = end;
        long byteAlignment = annotations.number("@align").orElse(LayoutDefinitions.largestAlignment(members));
        StructType struct = types.checked(kind, () -> new StructType(tag, members,
                annotations.number("@size").orElseGet(() -> Sizes.alignUpExact(limit, byteAlignment)), byteAlignment));
        return types.sized(kind, struct, parts, 1 + depth);
    }

    private Parsed union(Token kind, String tag, Annotations annotations) {
        List<Member> members = new ArrayList<>();
        List<Long> cases = new ArrayList<>();
        long parts = 1;
        int depth = 0;
        tokens.take("{");
        while (!tokens.takeIf("}")) {
            Declaration declared = declaration(annotations.has("@packed"));
            if (annotations.has("@switch")) {
                Token at = tokens.peek();
                cases.add(tokens.annotations("@case").number("@case").orElseThrow(() -> at.expected("'@case'")));
            }
            tokens.take(";");
            members.add(new Member(declared.name().text(), 0, declared.parsed().type()));
            parts += declared.parsed().parts();
            depth = Math.max(depth, declared.parsed().depth());
        }
        long limit = members.stream().mapToLong(Member::limit).max().orElse(0);
        long byteAlignment = annotations.number("@align").orElse(LayoutDefinitions.largestAlignment(members));
        UnionType union = types.checked(kind, () -> new UnionType(tag, members,
                annotations.number("@size").orElseGet(() -> Sizes.alignUpExact(limit, byteAlignment)), byteAlignment,
                annotations.name("@switch").map(member -> new Discriminator(member, cases))));
        return types.sized(kind, union, parts, 1 + depth);
    }

    /// The name and the type of a member.
    private record Declaration(Token name, Parsed parsed) {}

    private Declaration declaration(boolean packed) {
        Base base = base();
        List<Derivation> derivations = new ArrayList<>();
        Token name = declarator(derivations);
        return new Declaration(name, types.build(base, derivations, packed));
    }

    /// Parses a declarator. Its arrays and pointers are added to the list, the outermost first.
    ///
    /// @return the name
    private Token declarator(List<Derivation> derivations) {
        if (++nesting > 2 * LayoutDefinitions.MAX_DEPTH) {
            throw tokens.peek().expected("fewer parentheses");
        }
        List<Derivation> pointers = new ArrayList<>();
        while (tokens.peek().is("*")) {
            Token at = tokens.take();
            pointers.add(Derivation.pointer(at, tokens.annotations("@big", "@little", "@align")));
        }
        Token name;
        if (tokens.takeIf("(")) {
            name = declarator(derivations);
            tokens.take(")");
        } else {
            name = tokens.takeName("the name of a member");
        }
        while (tokens.peek().is("[")) {
            Token at = tokens.take();
            long length = tokens.takeNumber();
            tokens.take("]");
            derivations.add(new Derivation(at, false, length, tokens.annotations("@align")));
        }
        derivations.addAll(pointers.reversed());
        nesting--;
        return name;
    }
}
