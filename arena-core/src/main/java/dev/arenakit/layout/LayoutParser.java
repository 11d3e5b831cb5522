package dev.arenakit.layout;

import dev.arenakit.layout.LayoutScanner.Kind;
import dev.arenakit.layout.LayoutScanner.Token;
import dev.arenakit.layout.LayoutTokens.Annotations;
import dev.arenakit.layout.TypeAssembler.Base;
import dev.arenakit.layout.TypeAssembler.Derivation;
import dev.arenakit.layout.TypeAssembler.Parsed;
import dev.arenakit.layout.UnionType.Discriminator;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Parses the grammar of [LayoutText] by recursive descent.
final class LayoutParser {
    static final int VERSION = 1;
    static final String VERSION_LINE = "#pragma layout " + VERSION;

    private static final String TYPES = "a type: struct, union, enum, void, char, char16_t, bool, int8_t, int16_t, "
            + "uint16_t, int32_t, int64_t, float or double";

    private final LayoutTokens tokens;
    private final TypeAssembler types = new TypeAssembler();
    private final Map<String, Parsed> definitions = new HashMap<>();
    private int nesting;

    private LayoutParser(String text) {
        tokens = new LayoutTokens(text);
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
            throw name.expected("a name that is not defined before");
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

    /// What stands in front of a declarator.
    private Base base() {
        Token start = tokens.takeName(TYPES);
        if (isGroup(start)) {
            Token name = tokens.peek();
            return group(start, name, tokens.takeNameIfAny(), false);
        }
        Class<?> carrier = CWords.CARRIERS.get(start.text());
        if (carrier != null) {
            Annotations said = tokens.annotations("@big", "@little", "@align");
            ValueType value = ValueType.of(carrier, said.order(ByteOrder.LITTLE_ENDIAN));
            return types.base(start, new Parsed(value, 1, 1), said);
        }
        return switch (start.text()) {
            case "void" -> Base.ofVoid(start);
            case "char" -> Base.ofText(start, tokens.annotations("@ascii"));
            case "char16_t" -> Base.ofText(start, tokens.annotations("@big", "@little"));
            default -> throw start.expected(TYPES);
        };
    }

    /// A struct, a union or an enum: a body, or the name of one before.
    private Base group(Token kind, Token name, String tag, boolean defines) {
        return kind.is("enum") ? enumeration(kind, name, tag, defines) : fields(kind, name, tag, defines);
    }

    private Base enumeration(Token kind, Token name, String tag, boolean defines) {
        Class<?> carrier = int.class;
        boolean sized = tokens.takeIf(":");
        if (sized) {
            Token word = tokens.takeName("the type of an integer");
            carrier = CWords.CARRIERS.getOrDefault(word.text(), void.class);
            if (carrier == void.class) {
                throw word.expected("int8_t, int16_t, int32_t or int64_t");
            }
        }
        Annotations said = tokens.annotations("@big", "@little", "@align");
        if (sized || defines || tokens.peek().is("{")) {
            ValueType value = ValueType.of(carrier, said.order(ByteOrder.LITTLE_ENDIAN));
            List<EnumType.Constant> constants = constants();
            MemoryType type = types.checked(kind, () -> new EnumType(tag, value, constants));
            return types.base(kind, types.sized(kind, type, 1L + constants.size(), 1), said);
        }
        Parsed defined = defined(kind, name, tag);
        EnumType type = types.ordered((EnumType) defined.type(), said);
        return types.base(kind, new Parsed(type, defined.parts(), 1), said);
    }

    private List<EnumType.Constant> constants() {
        List<EnumType.Constant> constants = new ArrayList<>();
        tokens.take("{");
        long last = -1;
        while (!tokens.takeIf("}")) {
            Token name = tokens.takeName("the name of a constant, or '}'");
            if (last == Long.MAX_VALUE && !tokens.peek().is("=")) {
                throw tokens.peek().expected("'=', since no value follows " + last);
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
        Annotations said = union
                ? tokens.annotations("@packed", "@align", "@size", "@switch")
                : tokens.annotations("@packed", "@align", "@size");
        if (defines || tokens.peek().is("{")) {
            if (++nesting > Definitions.DEEPEST) {
                throw kind.expected("at most " + Definitions.DEEPEST + " types inside each other");
            }
            Parsed group = union ? union(kind, tag, said) : struct(kind, tag, said);
            nesting--;
            return Base.of(kind, group);
        }
        said.checkOnly("@align", "'{' after the annotations of a definition");
        return types.base(kind, defined(kind, name, tag), said);
    }

    private Parsed defined(Token kind, Token name, String tag) {
        Parsed definition = definitions.get(tag);
        if (tag.isEmpty()) {
            throw tokens.peek().expected("a name or '{' after '" + kind.text() + "'");
        }
        Class<?> type = kind.is("struct") ? StructType.class : kind.is("union") ? UnionType.class : EnumType.class;
        if (definition == null || !type.isInstance(definition.type())) {
            throw name.expected("the name of a " + kind.text() + " that is defined before, or a definition");
        }
        return definition;
    }

    private Parsed struct(Token kind, String tag, Annotations said) {
        List<Member> members = new ArrayList<>();
        long end = 0;
        long parts = 1;
        int depth = 0;
        tokens.take("{");
        while (!tokens.takeIf("}")) {
            Declaration declared = declaration(said.has("@packed"));
            Annotations place = tokens.annotations("@offset");
            tokens.take(";");
            MemoryType type = declared.parsed().type();
            long before = end;
            Member member = types.checked(declared.name(), () -> new Member(declared.name().text(),
                    place.number("@offset").orElseGet(() -> Types.alignUp(before, type.byteAlignment())), type));
            members.add(member);
            end = member.limit();
            parts += declared.parsed().parts();
            depth = Math.max(depth, declared.parsed().depth());
        }
        long limit = end;
        long byteAlignment = said.number("@align").orElse(Types.largestAlignment(members));
        StructType struct = types.checked(kind, () -> new StructType(tag, members,
                said.number("@size").orElseGet(() -> Types.alignUp(limit, byteAlignment)), byteAlignment));
        return types.sized(kind, struct, parts, 1 + depth);
    }

    private Parsed union(Token kind, String tag, Annotations said) {
        List<Member> members = new ArrayList<>();
        List<Long> cases = new ArrayList<>();
        long parts = 1;
        int depth = 0;
        tokens.take("{");
        while (!tokens.takeIf("}")) {
            Declaration declared = declaration(said.has("@packed"));
            if (said.has("@switch")) {
                Token at = tokens.peek();
                cases.add(tokens.annotations("@case").number("@case").orElseThrow(() -> at.expected("'@case'")));
            }
            tokens.take(";");
            members.add(new Member(declared.name().text(), 0, declared.parsed().type()));
            parts += declared.parsed().parts();
            depth = Math.max(depth, declared.parsed().depth());
        }
        long limit = members.stream().mapToLong(Member::limit).max().orElse(0);
        long byteAlignment = said.number("@align").orElse(Types.largestAlignment(members));
        UnionType union = types.checked(kind, () -> new UnionType(tag, members,
                said.number("@size").orElseGet(() -> Types.alignUp(limit, byteAlignment)), byteAlignment,
                said.name("@switch").map(member -> new Discriminator(member, cases))));
        return types.sized(kind, union, parts, 1 + depth);
    }

    /// The name of a member and its type.
    private record Declaration(Token name, Parsed parsed) {}

    private Declaration declaration(boolean packed) {
        Base base = base();
        List<Derivation> derivations = new ArrayList<>();
        Token name = declarator(derivations);
        return new Declaration(name, types.assemble(base, derivations, packed));
    }

    /// The name in a declarator. What makes its type an array or a pointer is added to the list, the outermost first.
    private Token declarator(List<Derivation> derivations) {
        if (++nesting > 2 * Definitions.DEEPEST) {
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
