package dev.arenakit.internal.layout.header;

import dev.arenakit.internal.CIdentifiers;
import dev.arenakit.internal.layout.header.HeaderExpression.Value;
import dev.arenakit.internal.layout.header.HeaderMembers.Attributes;
import dev.arenakit.internal.layout.header.HeaderReader.Kind;
import dev.arenakit.internal.layout.header.HeaderReader.Token;
import dev.arenakit.layout.text.CHeaderTypes;
import dev.arenakit.layout.text.CHeaderTypes.Refusal;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.EnumType.Constant;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Parses the declarations of a C header, as a preprocessor prints it. Functions and variables are skipped. A
/// declaration that has no equivalent is refused, and the next one is parsed.
public final class HeaderParser {
    private static final Set<String> ASSERTIONS = Set.of("_Static_assert", "static_assert");
    private static final Set<String> GROUPS = Set.of("struct", "union", "enum");
    /// Words that do not change the type.
    private static final Set<String> STORAGE = Set.of("typedef", "extern", "static", "inline", "__inline", "__inline__",
            "_Noreturn", "register", "_Thread_local", "__thread", "__extension__", "const", "__const", "volatile",
            "__volatile__", "restrict", "__restrict", "__restrict__");
    /// The words of the basic types.
    private static final Set<String> WORDS = Set.of("void", "char", "short", "int", "long", "signed", "__signed__",
            "unsigned", "float", "double", "_Bool", "_Float32", "_Float64", "_Float32x", "_Float64x", "_Float128",
            "__float128", "__int128", "__int128_t", "__uint128_t", "__builtin_va_list");
    /// Types of 16 bytes.
    private static final Set<String> WIDE = Set.of("_Float64x", "_Float128", "__float128", "__int128",
            "__int128_t", "__uint128_t");
    private static final Set<String> UNSUPPORTED = Set.of("vector_size", "scalar_storage_order", "ms_struct");
    /// The mode that stands for an attribute that is not supported.
    private static final int UNKNOWN_MODE = Integer.MAX_VALUE;
    private static final Map<String, Integer> MODES = Map.of("QI", 1, "byte", 1, "HI", 2, "SI", 4, "DI", 8, "word", 8,
            "pointer", 8);
    /// The alignment of an attribute without a number.
    private static final long LARGEST_ALIGNMENT = 16;

    private final HeaderReader reader;
    private final HeaderExpression expressions;
    /// Structs, unions and enums, named as in C: `struct stat`.
    private final Map<String, HeaderType> tags = new HashMap<>();
    private final Map<String, HeaderType> typedefs = new HashMap<>();
    /// Tags and typedefs in the order of the header.
    private final Map<String, HeaderType> named = new LinkedHashMap<>();
    private final List<Refusal> refused = new ArrayList<>();
    /// The beginning of the current declaration, member or constant.
    private Token place;

    /// A declared name, or "" if there is none.
    private record Declared(String name, HeaderType type) {}

    /// The part of a declaration before the declarators.
    ///
    /// @param anonymous whether it contains the body of a struct, union or enum without a name
    private record Specifiers(HeaderType type, Attributes attributes, boolean isTypedef, boolean anonymous) {}

    private HeaderParser(String text) {
        reader = new HeaderReader(text);
        expressions = new HeaderExpression(reader, this);
        place = reader.peek();
    }

    /// Parses a header.
    public static CHeaderTypes parse(String text) {
        HeaderParser parser = new HeaderParser(text);
        while (!parser.reader.isEnd()) {
            parser.declaration();
        }
        HeaderTargets targets = new HeaderTargets(parser.tags);
        Map<String, MemoryType> types = new LinkedHashMap<>();
        parser.named.forEach((name, type) -> parser.defined(type)
                .type()
                .ifPresent(memory -> types.put(name, targets.resolve(memory))));
        Map<String, Long> constants = new LinkedHashMap<>();
        parser.expressions.constants.forEach((name, value) -> constants.put(name, value.number()));
        return new CHeaderTypes(types, constants, parser.refused);
    }

    private void declaration() {
        reader.takeIf("__extension__");
        int start = reader.position();
        int known = refused.size();
        place = reader.peek();
        boolean isTypedef = false;
        try {
            if (place.kind() == Kind.DIRECTIVE) {
                String directive = reader.take().text();
                refuse(place, directive, new IllegalArgumentException(directive.contains("pragma")
                        ? "is not supported"
                        : "is for the preprocessor; parse the output of cc -E"));
                return;
            }
            if (!place.isIn(ASSERTIONS) && !place.is("__asm__") && !place.is(";")) {
                Specifiers specifiers = specifiers();
                isTypedef = specifiers.isTypedef;
                if (isTypedef) {
                    typedefs(specifiers);
                }
            }
            if (!isTypedef) {
                reader.skipDeclaration();
            }
        } catch (IllegalArgumentException e) {
            Token at = place;
            reader.restart(start);
            Token first = reader.peek();
            Token last = reader.skipDeclaration();
            if (refused.size() == known || first.is("typedef")) {
                refuse(at, (first.is("typedef") ? last : first).text(), e);
            }
        }
    }

    private void refuse(Token at, String name, IllegalArgumentException e) {
        refused.add(new Refusal(name, at.file(), at.line(), String.valueOf(e.getMessage())));
    }

    /// Whether the next token begins a type.
    boolean isType() {
        return isType(reader.peek()) || reader.peek().isIn(STORAGE) || reader.peek().isIn(GROUPS);
    }

    private boolean isType(Token token) {
        return token.isIn(WORDS) || typedefs.containsKey(token.text());
    }

    /// Parses a type without a name, as between the parentheses of a cast.
    HeaderType typeName() {
        reader.enter();
        HeaderType type = declarator(specifiers().type).type;
        reader.leave();
        return type;
    }

    private Specifiers specifiers() {
        Attributes attributes = Attributes.NONE;
        List<String> words = new ArrayList<>();
        List<HeaderType> types = new ArrayList<>();
        boolean isTypedef = false;
        boolean anonymous = false;
        while (reader.peek().kind() == Kind.NAME) {
            Token next = reader.peek();
            if (next.isIn(HeaderReader.ATTRIBUTES)) {
                attributes = attributes(attributes);
            } else if (next.isIn(STORAGE)) {
                isTypedef |= reader.take().is("typedef");
            } else if (next.isIn(WORDS)) {
                words.add(reader.take().text());
            } else if (!types.isEmpty() || !words.isEmpty()) {
                break;
            } else if (next.isIn(GROUPS)) {
                HeaderType group = group();
                anonymous = group.type().filter(type -> type.name().isEmpty()).isPresent();
                types.add(group);
            } else if (typedefs.containsKey(next.text())) {
                types.add(defined(typedefs.getOrDefault(reader.take().text(), HeaderType.VOID)));
            } else {
                throw new IllegalArgumentException(next.text() + " is no known type");
            }
        }
        return new Specifiers(types.isEmpty() ? basic(words) : types.getFirst(), attributes, isTypedef, anonymous);
    }

    private HeaderType basic(List<String> words) {
        boolean unsigned = words.contains("unsigned");
        int longs = Collections.frequency(words, "long");
        if (words.isEmpty()) {
            throw reader.expected("a declaration");
        }
        if (!Collections.disjoint(words, WIDE) || (longs > 0 && words.contains("double"))) {
            return HeaderType.ofBytes(16, 16);
        }
        return switch (words.getFirst()) {
            case "void" -> HeaderType.VOID;
            case "_Bool" -> new HeaderType(ValueType.of(boolean.class));
            case "float", "_Float32" -> new HeaderType(ValueType.of(float.class));
            case "double", "_Float64", "_Float32x" -> new HeaderType(ValueType.of(double.class));
            case "__builtin_va_list" -> HeaderType.ofBytes(24, 8);
            default -> words.size() == 1 && words.contains("char")
                    ? HeaderType.CHAR
                    : HeaderType.ofInteger(words.contains("char")
                            ? Byte.BYTES
                            : words.contains("short") ? Short.BYTES : longs > 0 ? Long.BYTES : Integer.BYTES, unsigned);
        };
    }

    /// The definition of a struct that was not defined yet when its name was read.
    private HeaderType defined(HeaderType type) {
        return type.type().isEmpty() ? tags.getOrDefault(type.name(), type) : type;
    }

    private Attributes attributes(Attributes before) {
        Attributes attributes = before;
        while (reader.peek().isIn(HeaderReader.ATTRIBUTES)) {
            boolean alignas = reader.take().text().endsWith("lignas");
            reader.take("(");
            if (alignas) {
                attributes = attributes.plus(isType()
                        ? typeName().memory().byteAlignment()
                        : expressions.size(), false, 0);
            } else {
                reader.take("(");
                while (!reader.takeIf(")")) {
                    attributes = reader.takeIf(",") ? attributes : attribute(attributes);
                }
            }
            reader.take(")");
        }
        return attributes;
    }

    private Attributes attribute(Attributes attributes) {
        String word = plain(reader.takeName());
        boolean aligned = word.equals("aligned");
        int unknown = UNSUPPORTED.contains(word) ? UNKNOWN_MODE : 0;
        if (!reader.peek().is("(")) {
            if (word.isEmpty()) {
                throw reader.expected("an attribute");
            }
            return attributes.plus(aligned ? LARGEST_ALIGNMENT : 0, word.equals("packed"), unknown);
        }
        if (!aligned && !word.equals("mode")) {
            reader.skip();
            return attributes.plus(0, false, unknown);
        }
        reader.take("(");
        long byteAlignment = aligned ? expressions.size() : 0;
        int mode = aligned ? 0 : MODES.getOrDefault(plain(reader.takeName()), UNKNOWN_MODE);
        reader.take(")");
        return attributes.plus(byteAlignment, false, mode);
    }

    /// The name of an attribute or a mode without underscores around it.
    private static String plain(String name) {
        return name.startsWith("__") ? name.substring(2).replaceFirst("__$", "") : name;
    }

    /// Parses a struct, a union or an enum: a body, or the name of a definition.
    private HeaderType group() {
        Token start = place;
        String kind = reader.take().text();
        Attributes attributes = attributes(Attributes.NONE);
        String tag = reader.takeName();
        String key = kind + " " + tag;
        if (!reader.peek().is("{")) {
            return tags.getOrDefault(key, new HeaderType(key));
        }
        try {
            reader.enter();
            reader.take("{");
            HeaderType type = kind.equals("enum") ? constants(tag, attributes) : members(kind, tag, attributes);
            reader.leave();
            place = start;
            if (!tag.isEmpty() && tags.putIfAbsent(key, type) != null) {
                throw new IllegalArgumentException("is defined twice");
            }
            if (!tag.isEmpty()) {
                named.put(key, type);
            }
            return type;
        } catch (IllegalArgumentException e) {
            if (!tag.isEmpty()) {
                refuse(place, key, e);
            }
            throw e;
        }
    }

    private HeaderType members(String kind, String tag, Attributes before) {
        List<Runnable> placements = new ArrayList<>();
        List<HeaderMembers> group = new ArrayList<>();
        int anonymous = 0;
        while (!reader.peek().is("}")) {
            Token start = reader.peek();
            place = start;
            if (start.isIn(ASSERTIONS) || start.is(";")) {
                reader.skipDeclaration();
                continue;
            }
            Specifiers specifiers = specifiers();
            place = start;
            if (reader.peek().is(";") && specifiers.anonymous && !specifiers.type.memory().members().isEmpty()) {
                String of = specifiers.type.memory() instanceof UnionType ? "union" : "struct";
                String name = CIdentifiers.ANONYMOUS + of + ++anonymous;
                placements.add(() -> group.getFirst().add(name, specifiers.type, -1, specifiers.attributes));
            }
            while (!reader.takeIf(";")) {
                Declared declared = declarator(specifiers.type);
                long bitSize = reader.takeIf(":") ? expressions.size() : -1;
                Attributes attributes = attributes(specifiers.attributes);
                if (declared.name.isEmpty() && bitSize < 0) {
                    throw reader.expected("the name of a member");
                }
                placements.add(() -> {
                    place = start;
                    group.getFirst().add(declared.name, moded(declared.type, attributes), bitSize, attributes);
                });
                if (!reader.peek().is(";")) {
                    reader.take(",");
                }
            }
        }
        int pack = reader.take().pack();
        Attributes attributes = attributes(before);
        moded(new HeaderType(kind), attributes);
        group.add(new HeaderMembers(kind.equals("union"), attributes.packed(), pack));
        placements.forEach(Runnable::run);
        return group.getFirst().build(tag, attributes.byteAlignment());
    }

    private HeaderType constants(String tag, Attributes before) {
        Map<Long, Constant> constants = new LinkedHashMap<>();
        Value next = new Value(0, Integer.SIZE, false);
        boolean huge = false;
        while (!reader.takeIf("}")) {
            place = reader.peek();
            String name = reader.takeName();
            attributes(Attributes.NONE);
            Value value = (reader.takeIf("=") ? expressions.evaluate() : next).narrowed();
            constants.putIfAbsent(value.number(), new Constant(name, value.number()));
            expressions.constants.put(name, value);
            huge |= value.unsigned() && value.number() < 0;
            next = new Value(value.number() + 1, Long.SIZE, value.unsigned());
            if (!reader.peek().is("}")) {
                reader.take(",");
            }
        }
        long smallest = constants.keySet().stream().mapToLong(Long::longValue).min().orElse(0);
        long largest = constants.keySet().stream().mapToLong(Long::longValue).max().orElse(0);
        boolean packed = attributes(before).packed();
        int byteSize = huge ? Long.BYTES : packed ? 1 : Integer.BYTES;
        while (byteSize < Long.BYTES && (largest >> (Byte.SIZE * byteSize - (smallest < 0 ? 1 : 0)) > 0
                || smallest >> (Byte.SIZE * byteSize - 1) < -1)) {
            byteSize *= 2;
        }
        // Signed if all values fit, as in a record, whatever gcc chooses.
        HeaderType integer = HeaderType.ofInteger(byteSize, smallest >= 0
                && largest >> (Byte.SIZE * byteSize - 1) > 0);
        return integer.with(new EnumType(tag, integer.memory(), List.copyOf(constants.values())));
    }

    private static HeaderType moded(HeaderType type, Attributes attributes) {
        if (attributes.modeByteSize() == 0) {
            return type;
        }
        if (attributes.modeByteSize() == UNKNOWN_MODE || type.memory().integer().isEmpty()) {
            throw new IllegalArgumentException("attribute is not supported here");
        }
        return HeaderType.ofInteger(attributes.modeByteSize(), type.memory() instanceof UnsignedType);
    }

    /// Parses a declarator, and derives pointers, arrays and functions from a type.
    private Declared declarator(HeaderType base) {
        reader.enter();
        HeaderType type = base;
        while (reader.peek().is("*") || reader.peek().isIn(STORAGE) || reader.peek().isIn(HeaderReader.ATTRIBUTES)) {
            if (reader.peek().isIn(HeaderReader.ATTRIBUTES)) {
                attributes(Attributes.NONE);
            } else {
                type = reader.take().is("*") ? type.pointer() : type;
            }
        }
        int inner = reader.position() + 1;
        boolean nested = reader.peek().is("(") && isInner(reader.peekSecond());
        String name = "";
        if (nested) {
            reader.skip();
        } else if (!reader.peek().isIn(WORDS)) {
            name = reader.takeName();
        }
        List<Long> lengths = new ArrayList<>();
        while (reader.peek().is("[") || reader.peek().is("(")) {
            if (reader.peek().is("(")) {
                reader.skip();
                type = HeaderType.FUNCTION;
            } else {
                reader.take("[");
                lengths.add(reader.peek().is("]") ? 0 : expressions.size());
                reader.take("]");
            }
        }
        for (long length : lengths.reversed()) {
            type = type.array(length);
        }
        Declared declared = new Declared(name, type);
        if (nested) {
            // The inner declarator applies to the type that the outer one has derived.
            int end = reader.position();
            reader.seek(inner);
            declared = declarator(type);
            reader.seek(end);
        }
        reader.leave();
        return declared;
    }

    /// Whether a token after a parenthesis begins a declarator, and not the parameters of a function.
    private boolean isInner(Token token) {
        return token.is("*") || token.is("(") || token.is("[") || (token.kind() == Kind.NAME && !isType(token)
                && !token.isIn(GROUPS) && !token.isIn(STORAGE));
    }

    private void typedefs(Specifiers specifiers) {
        HeaderType base = specifiers.type;
        do {
            place = reader.peek();
            Declared declared = declarator(base);
            String name = declared.name;
            Attributes attributes = attributes(specifiers.attributes);
            if (name.isEmpty()) {
                throw reader.expected("a name");
            }
            if (specifiers.anonymous && declared.type.equals(base) && base.memory().name().isEmpty()) {
                base = base.with(named(base.memory(), name));
                declared = new Declared(name, base);
                tags.putIfAbsent(HeaderType.key(base.memory()), base);
            }
            HeaderType type = moded(declared.type, attributes);
            type = attributes.byteAlignment() > 0
                    ? type.with(type.memory().withByteAlignment(attributes.byteAlignment()))
                    : type;
            if (typedefs.putIfAbsent(name, type) == null) {
                named.put(name, type);
            }
        } while (reader.takeIf(","));
        reader.take(";");
    }

    /// A struct or union without a name gets the name of its typedef.
    private static MemoryType named(MemoryType type, String name) {
        return type instanceof EnumType constants
                ? new EnumType(name, constants.value(), constants.constants())
                : HeaderType.group(type instanceof UnionType, name, type.members(), type.byteSize(),
                        type.byteAlignment());
    }
}
