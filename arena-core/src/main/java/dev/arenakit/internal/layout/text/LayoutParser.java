package dev.arenakit.internal.layout.text;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.layout.text.LayoutScanner.Kind;
import dev.arenakit.internal.layout.text.LayoutScanner.Token;
import dev.arenakit.internal.layout.text.LayoutTypeBuilder.Base;
import dev.arenakit.internal.layout.text.LayoutTypeBuilder.Derivation;
import dev.arenakit.internal.layout.text.LayoutTypeBuilder.Parsed;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnionType.Discriminator;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// Parses the grammar of `LayoutText` by recursive descent.
public final class LayoutParser {
    private final LayoutReader tokens;
    private final int version;
    private final LayoutVersions words;
    private final LayoutTypeBuilder types = new LayoutTypeBuilder();
    private final Map<String, Parsed> definitions = new HashMap<>();
    private int nesting;

    private LayoutParser(String text) {
        tokens = new LayoutReader(text);
        version = tokens.version(LayoutVersions.LATEST_VERSION,
                LayoutVersions.FIRST_LINE + LayoutVersions.USUAL_VERSION);
        words = new LayoutVersions(version);
    }

    public static StructType parse(String text) {
        return new LayoutParser(text).text();
    }

    private StructType text() {
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
        Token start = tokens.takeName(words.expected);
        if (isGroup(start)) {
            Token name = tokens.peek();
            return group(start, name, tokens.takeNameIfAny(), false);
        }
        Optional<MemoryType> word = words.type(start.text());
        if (word.isPresent()) {
            LayoutAnnotations annotations = version < LayoutVersions.LATEST_VERSION
                    ? annotations(List.of("@big", "@little", "@align"), "@char")
                    : annotations(List.of("@big", "@little", "@align", "@char", "@ref"));
            MemoryType value = word.get();
            if (annotations.has("@ref")) {
                if (!(value instanceof UnsignedType) || annotations.has("@char")) {
                    throw start.expected("uint64_t or uint32_t before '@ref'");
                }
                MemoryType integer = value;
                value = types.checked(start, () -> annotations.reference(integer));
            }
            if (annotations.has("@char")) {
                value = LayoutVersions.asChar(value).orElseThrow(() -> start.expected("uint16_t before '@char'"));
            }
            return types.base(start, new Parsed(types.ordered(value, annotations), 1, 1), annotations);
        }
        return switch (start.text()) {
            case "void" -> Base.ofVoid(start);
            case "char" -> Base.ofText(start, annotations(List.of("@ascii", "@charset"), "@spaces", "@prefix"));
            case "char16_t", "char32_t" ->
                Base.ofText(start, annotations(List.of("@big", "@little"), "@spaces", "@prefix"));
            default -> throw start.expected(words.expected);
        };
    }

    /// Parses a struct, a union or an enum: a body, or the name of a previous definition.
    private Base group(Token kind, Token name, String tag, boolean defines) {
        return kind.is("enum") ? enumeration(kind, name, tag, defines) : fields(kind, name, tag, defines);
    }

    private Base enumeration(Token kind, Token name, String tag, boolean defines) {
        MemoryType integer = ValueType.of(int.class, ByteOrder.LITTLE_ENDIAN);
        boolean sized = tokens.takeIf(":");
        if (sized) {
            Token word = tokens.takeName("the type of an integer");
            integer = words.type(word.text())
                    .orElseThrow(() -> word.expected("int8_t, int16_t, int32_t or int64_t"));
        }
        LayoutAnnotations annotations = LayoutAnnotations.parse(tokens, "@big", "@little", "@align");
        if (sized || defines || tokens.peek().is("{")) {
            MemoryType value = types.ordered(integer, annotations);
            LayoutConstants constants = LayoutConstants.parse(tokens, version, value instanceof UnsignedType);
            MemoryType type = types.checked(kind,
                    () -> new EnumType(tag, value, constants.constants(), constants.otherwise()));
            return types.base(kind, types.sized(kind, type, 1L + constants.constants().size(), 1), annotations);
        }
        Parsed defined = defined(kind, name, tag);
        MemoryType type = types.ordered(defined.type(), annotations);
        return types.base(kind, new Parsed(type, defined.parts(), 1), annotations);
    }

    /// Reads the annotations that follow. Some are allowed in any version, and more are allowed from version 2 on.
    private LayoutAnnotations annotations(List<String> ofAny, String... fromVersion2) {
        List<String> allowed = new ArrayList<>(ofAny);
        if (version > 1) {
            allowed.addAll(List.of(fromVersion2));
        }
        return LayoutAnnotations.parse(tokens, allowed.toArray(String[]::new));
    }

    private Base fields(Token kind, Token name, String tag, boolean defines) {
        boolean union = kind.is("union");
        LayoutAnnotations annotations = union
                ? LayoutAnnotations.parse(tokens, "@packed", "@align", "@size", "@switch")
                : LayoutAnnotations.parse(tokens, "@packed", "@align", "@size");
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

    private Parsed struct(Token kind, String tag, LayoutAnnotations annotations) {
        List<Member> members = new ArrayList<>();
        LayoutPlacement placement = new LayoutPlacement(annotations.has("@packed"));
        long parts = 1;
        int depth = 0;
        tokens.take("{");
        while (!tokens.takeIf("}")) {
            Declaration declared = declaration(annotations.has("@packed"));
            Optional<BitFieldType> bits = bits(declared);
            LayoutAnnotations place = bits.isPresent()
                    ? LayoutAnnotations.parse(tokens, "@offset", "@bit")
                    : LayoutAnnotations.parse(tokens, "@offset");
            tokens.take(";");
            String name = declared.name().text();
            OptionalLong byteOffset = place.number("@offset");
            members.add(types.checked(declared.name(), () -> bits.isPresent()
                    ? placement.placeBits(name, bits.get(), declared.isBig(bits.get()), byteOffset,
                            place.number("@bit"))
                    : placement.place(name, declared.parsed().type(), byteOffset)));
            parts += declared.parsed().parts();
            depth = Math.max(depth, declared.parsed().depth());
        }
        long limit = members.stream().mapToLong(Member::limit).max().orElse(0);
        long byteAlignment = annotations.number("@align").orElse(LayoutDefinitions.largestAlignment(members));
        StructType struct = types.checked(kind, () -> new StructType(tag, members,
                annotations.number("@size").orElseGet(() -> Sizes.alignUpExact(limit, byteAlignment)), byteAlignment));
        return types.sized(kind, struct, parts, 1 + depth);
    }

    private Parsed union(Token kind, String tag, LayoutAnnotations annotations) {
        List<Member> members = new ArrayList<>();
        List<List<Long>> cases = new ArrayList<>();
        Optional<String> otherwise = Optional.empty();
        long parts = 1;
        int depth = 0;
        tokens.take("{");
        while (!tokens.takeIf("}")) {
            Declaration declared = declaration(annotations.has("@packed"));
            Optional<BitFieldType> bits = bits(declared);
            LayoutAnnotations place = bits.isPresent()
                    ? LayoutAnnotations.parse(tokens, "@bit")
                    : LayoutAnnotations.NONE;
            if (annotations.has("@switch")) {
                Token at = tokens.peek();
                LayoutAnnotations valid = annotations(List.of("@case"), "@otherwise");
                if (otherwise.isPresent()) {
                    throw at.expected("'@otherwise' after the last member only");
                }
                if (valid.has("@otherwise")) {
                    valid.checkOnly("@otherwise", "either '@case' or '@otherwise'");
                    otherwise = Optional.of(declared.name().text());
                } else {
                    List<Long> values = valid.numbers("@case");
                    if (values.isEmpty() || (values.size() > 1 && version < LayoutVersions.LATEST_VERSION)) {
                        throw at.expected(values.isEmpty()
                                ? "'@case'"
                                : "one value of '@case', since several need version "
                                        + LayoutVersions.LATEST_VERSION);
                    }
                    cases.add(values);
                }
            }
            tokens.take(";");
            members.add(types.checked(declared.name(), () -> bits.isPresent()
                    ? new LayoutPlacement(true).placeBits(declared.name().text(), bits.get(),
                            declared.isBig(bits.get()), OptionalLong.of(0), place.number("@bit"))
                    : new Member(declared.name().text(), 0, declared.parsed().type())));
            parts += declared.parsed().parts();
            depth = Math.max(depth, declared.parsed().depth());
        }
        Optional<String> last = otherwise;
        long limit = members.stream().mapToLong(Member::limit).max().orElse(0);
        long byteAlignment = annotations.number("@align").orElse(LayoutDefinitions.largestAlignment(members));
        UnionType union = types.checked(kind, () -> new UnionType(tag, members,
                annotations.number("@size").orElseGet(() -> Sizes.alignUpExact(limit, byteAlignment)), byteAlignment,
                annotations.name("@switch").map(member -> new Discriminator(member, cases, last))));
        return types.sized(kind, union, parts, 1 + depth);
    }

    /// The name and the type of a member. The type of a bit field is the declared type.
    ///
    /// @param plain whether the declarator is only the name
    /// @param big   whether the type has the annotation `@big`
    private record Declaration(Token name, Parsed parsed, boolean plain, boolean big) {
        /// Whether the bits are counted from the most significant bit.
        boolean isBig(BitFieldType bits) {
            return bits.order() == ByteOrder.BIG_ENDIAN || (big && bits.declared().byteSize() == 1);
        }
    }

    private Declaration declaration(boolean packed) {
        Base base = base();
        List<Derivation> derivations = new ArrayList<>();
        Token name = declarator(derivations);
        return new Declaration(name, types.build(base, derivations, packed), derivations.isEmpty(), base.isBig());
    }

    /// Reads the number of bits if the declaration is a bit field, and returns the bit field at bit 0; otherwise
    /// returns empty.
    private Optional<BitFieldType> bits(Declaration declared) {
        Token colon = tokens.peek();
        if (version == 1 || !tokens.takeIf(":")) {
            return Optional.empty();
        }
        if (!declared.plain()) {
            throw colon.expected("';', since neither an array nor a pointer is a bit field");
        }
        Token number = tokens.peek();
        long bitSize = tokens.takeNumber();
        return Optional.of(types.checked(number, () -> new BitFieldType(declared.parsed().type(), 0,
                Math.clamp(bitSize, 0, Long.SIZE + 1))));
    }

    /// Parses a declarator, and adds its arrays and pointers to the list, the outermost first.
    ///
    /// @return the name
    private Token declarator(List<Derivation> derivations) {
        if (++nesting > 2 * LayoutDefinitions.MAX_DEPTH) {
            throw tokens.peek().expected("fewer parentheses");
        }
        List<Derivation> pointers = new ArrayList<>();
        while (tokens.peek().is("*")) {
            Token at = tokens.take();
            pointers.add(Derivation.pointer(at, LayoutAnnotations.parse(tokens, "@big", "@little", "@align")));
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
            derivations.add(new Derivation(at, false, length, annotations(List.of("@align"), "@count")));
        }
        derivations.addAll(pointers.reversed());
        nesting--;
        return name;
    }
}
