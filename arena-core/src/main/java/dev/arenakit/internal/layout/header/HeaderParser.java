package dev.arenakit.internal.layout.header;

import dev.arenakit.internal.CIdentifiers;
import dev.arenakit.internal.layout.header.HeaderExpression.Value;
import dev.arenakit.internal.layout.header.HeaderReader.Token;
import dev.arenakit.internal.layout.header.HeaderType.Attributes;
import dev.arenakit.layout.text.CHeaderTypes;
import dev.arenakit.layout.text.CHeaderTypes.Refusal;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.EnumType.Constant;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Parses the declarations of a C header, as a preprocessor prints it. Functions and variables are skipped. A
/// declaration that has no equivalent is refused, and the next one is parsed.
public final class HeaderParser {
    /// The beginnings of declarations that declare no type.
    private static final Set<String> SKIPPED = Set.of("_Static_assert", "static_assert", "__asm__", ";");
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
    private static final Pattern WIDE = Pattern.compile(".*128.*|_Float64x|.*long.*double.*|.*double.*long.*");
    /// The signs after a declarator that derive an array or a function.
    private static final Set<String> DERIVING = Set.of("[", "(");
    private static final Set<String> UNSUPPORTED = Set.of("vector_size", "scalar_storage_order", "ms_struct");
    /// The mode that stands for an attribute that is not supported.
    private static final int UNKNOWN_MODE = Integer.MAX_VALUE;
    private static final Map<String, Integer> MODES = Map.of("QI", 1, "byte", 1, "HI", 2, "SI", 4, "DI", 8, "word", 8,
            "pointer", 8);
    /// The alignment of an attribute without a number.
    private static final long LARGEST_ALIGNMENT = 16;

    private static final long MOST_COPIES = 1 << 16;

    private final HeaderReader reader;
    private final HeaderExpression expressions;
    /// The definitions of structs and unions without targets.
    private final Map<String, HeaderType> targets;
    /// Structs, unions and enums, named as in C: `struct stat`.
    private final Map<String, HeaderType> tags = new HashMap<>();
    /// Tags and typedefs in the order of the header.
    private final Map<String, HeaderType> named = new LinkedHashMap<>();
    private final List<Refusal> refused = new ArrayList<>();
    /// The number of types that may still be copied, in proportion to the text: more than in any program.
    private long copies;

    /// A declared name, or "" if there is none.
    private record Declared(String name, HeaderType type) {}

    /// The part of a declaration before the declarators.
    private record Specifiers(HeaderType type, Attributes attributes, boolean isTypedef) {}

    private HeaderParser(String text, Map<String, HeaderType> targets) {
        this.targets = targets;
        reader = new HeaderReader(text);
        expressions = new HeaderExpression(reader, this);
        copies = MOST_COPIES + text.length();
        while (!reader.isEnd()) {
            declaration();
        }
    }

    /// Parses a header.
    public static CHeaderTypes parse(String text) {
        HeaderParser parser = new HeaderParser(text, new HeaderParser(text, Map.of()).tags);
        Map<String, MemoryType> types = new LinkedHashMap<>();
        parser.named.forEach((name, type) -> parser.defined(type).type().ifPresent(memory -> types.put(name, memory)));
        Map<String, Long> constants = new LinkedHashMap<>();
        parser.expressions.constants.forEach((name, value) -> constants.put(name, value.number()));
        return new CHeaderTypes(types, constants, parser.refused);
    }

    private void declaration() {
        reader.takeIf("__extension__");
        int start = reader.next;
        int known = refused.size();
        Token first = reader.peek();
        try {
            if (first.isDirective()) {
                throw new IllegalArgumentException(first.text().contains("pragma")
                        ? "is not supported"
                        : "is for the preprocessor; parse the output of cc -E");
            }
            if (!first.isIn(SKIPPED)) {
                Specifiers specifiers = specifiers();
                if (specifiers.isTypedef) {
                    typedefs(specifiers);
                    return;
                }
            }
            reader.skipDeclaration();
        } catch (IllegalArgumentException e) {
            Token at = reader.peek();
            reader.next = start;
            reader.nesting = 0;
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
        return isType(reader.peek());
    }

    private boolean isType(Token token) {
        return token.isIn(WORDS) || token.isIn(STORAGE) || token.isIn(GROUPS) || named.containsKey(token.text());
    }

    /// Parses a type without a name, as between the parentheses of a cast.
    HeaderType typeName() {
        reader.enter();
        return reader.leave(declarator(specifiers().type).type);
    }

    private Specifiers specifiers() {
        Attributes attributes = Attributes.NONE;
        List<String> words = new ArrayList<>();
        Optional<HeaderType> type = Optional.empty();
        boolean isTypedef = false;
        for (Token next = reader.peek(); next.isName(); next = reader.peek()) {
            if (next.isIn(HeaderReader.ATTRIBUTES)) {
                attributes = attributes(attributes);
            } else if (next.isIn(STORAGE)) {
                isTypedef |= reader.take().is("typedef");
            } else if (next.isIn(WORDS)) {
                words.add(reader.take().text());
            } else if (type.isPresent() || !words.isEmpty()) {
                break;
            } else if (next.isIn(GROUPS)) {
                type = Optional.of(group(isTypedef));
            } else if (named.containsKey(next.text())) {
                type = Optional.ofNullable(named.get(reader.take().text())).map(this::defined);
            } else {
                throw new IllegalArgumentException(next.text() + " is no known type");
            }
        }
        return new Specifiers(type.orElseGet(() -> basic(words)), attributes, isTypedef);
    }

    private HeaderType basic(List<String> words) {
        if (words.isEmpty()) {
            throw reader.expected("a declaration");
        }
        if (WIDE.matcher(String.join(" ", words)).matches()) {
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
                            : words.contains("short")
                                    ? Short.BYTES
                                    : words.contains("long") ? Long.BYTES : Integer.BYTES,
                            words.contains("unsigned"));
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
                long byteAlignment = isType() ? typeName().memory().byteAlignment() : expressions.size();
                attributes = attributes.plus(byteAlignment, false, 0);
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

    private Attributes attribute(Attributes before) {
        String word = plain(reader.takeName());
        if (word.isEmpty()) {
            throw reader.expected("an attribute");
        }
        long byteAlignment = 0;
        int mode = UNSUPPORTED.contains(word) ? UNKNOWN_MODE : 0;
        if (word.equals("aligned")) {
            byteAlignment = reader.peek().is("(") ? expressions.size() : LARGEST_ALIGNMENT;
        } else if (word.equals("mode")) {
            mode = MODES.getOrDefault(plain(reader.peekSecond().text()), UNKNOWN_MODE);
        }
        if (reader.peek().is("(")) {
            reader.skip();
        }
        return before.plus(byteAlignment, word.equals("packed"), mode);
    }

    /// The name of an attribute or a mode without underscores around it.
    private static String plain(String name) {
        return name.startsWith("__") ? name.substring(2).replaceFirst("__$", "") : name;
    }

    /// Parses a struct, a union or an enum: a body, or the name of a definition.
    ///
    /// @param isTypedef whether a struct without a name gets the name of its typedef
    private HeaderType group(boolean isTypedef) {
        String kind = reader.take().text();
        Attributes attributes = attributes(Attributes.NONE);
        String tag = reader.takeName();
        String key = kind + " " + tag;
        boolean isSized = kind.equals("enum") && reader.peek().is(":") && isType(reader.peekSecond());
        if (!reader.peek().is("{") && !tag.isEmpty() && !isSized) {
            return tags.getOrDefault(key, new HeaderType(key));
        }
        try {
            reader.enter();
            int body = reader.next;
            reader.take("{");
            reader.next = body;
            int pack = reader.skip().pack();
            attributes = attributes(attributes);
            moded(new HeaderType(kind), attributes);
            Token next = reader.peek();
            boolean hasName = isTypedef && next.isName() && isInner(next) && !reader.peekSecond().isIn(DERIVING);
            String name = tag.isEmpty() && hasName ? next.text() : tag;
            int end = reader.next;
            reader.next = body + 1;
            HeaderType type = kind.equals("enum") ? constants(name, attributes) : members(kind, name, attributes, pack);
            reader.next = end;
            reader.leave(type);
            if (!name.isEmpty() && tags.putIfAbsent(kind + " " + name, type) != null) {
                throw new IllegalArgumentException("is defined twice");
            }
            if (!tag.isEmpty()) {
                named.put(key, type);
            }
            return type;
        } catch (IllegalArgumentException e) {
            if (!tag.isEmpty()) {
                refuse(reader.peek(), key, e);
            }
            throw e;
        }
    }

    private HeaderType members(String kind, String name, Attributes attributes, int pack) {
        HeaderType.Builder members = new HeaderType.Builder(kind.equals("union"), attributes, pack, this::copy);
        int anonymous = 0;
        while (!reader.takeIf("}")) {
            if (reader.peek().isIn(SKIPPED)) {
                reader.skipDeclaration();
                continue;
            }
            Specifiers specifiers = specifiers();
            HeaderType type = specifiers.type;
            boolean isAnonymous = type.type()
                    .filter(memory -> memory.name().isEmpty() && HeaderType.isGroup(memory))
                    .isPresent();
            if (reader.peek().is(";") && isAnonymous) {
                String of = HeaderType.key(type.memory()).strip();
                members.add(CIdentifiers.ANONYMOUS + of + ++anonymous, type, -1, specifiers.attributes);
            }
            while (!reader.takeIf(";")) {
                Declared declared = declarator(type);
                long bitSize = reader.takeIf(":") ? expressions.size() : -1;
                Attributes own = attributes(specifiers.attributes);
                if (declared.name.isEmpty() && bitSize < 0) {
                    throw reader.expected("the name of a member");
                }
                members.add(declared.name, moded(declared.type, own), bitSize, own);
                if (!reader.peek().is(";")) {
                    reader.take(",");
                }
            }
        }
        return members.build(name);
    }

    private HeaderType constants(String tag, Attributes attributes) {
        Map<Long, Constant> constants = new LinkedHashMap<>();
        Value next = new Value(0, Integer.SIZE, false);
        long used = 0;
        boolean signed = false;
        while (!reader.takeIf("}")) {
            String name = reader.takeName();
            attributes(Attributes.NONE);
            Value value = (reader.takeIf("=") ? expressions.evaluate() : next).narrowed();
            constants.putIfAbsent(value.number(), new Constant(name, value.number()));
            expressions.constants.put(name, value);
            used |= value.unsigned() && value.number() < 0
                    ? Long.MAX_VALUE
                    : value.number() ^ (value.number() >> (Long.SIZE - 1));
            signed |= value.number() < 0;
            next = new Value(value.number() + 1, Long.SIZE, value.unsigned());
            if (!reader.peek().is("}")) {
                reader.take(",");
            }
        }
        int bits = Long.SIZE - Long.numberOfLeadingZeros(used) + (signed ? 1 : 0);
        int byteSize = Math.max(attributes.packed() ? 1 : Integer.BYTES,
                Integer.highestOneBit(2 * Math.ceilDiv(bits, Byte.SIZE) - 1));
        // Signed if all values fit, as in a record, whatever gcc chooses.
        HeaderType integer = HeaderType.ofInteger(byteSize, !signed && bits == Byte.SIZE * byteSize);
        // A copy checks the constants.
        return new HeaderType(Optional.of(new EnumType(tag, integer.memory(), List.copyOf(constants.values()))), "",
                1 + constants.size() / 16, 1);
    }

    private void copy(long parts) {
        copies -= parts;
        if (copies < 0) {
            throw new IllegalArgumentException("too many types with another alignment than their own");
        }
    }

    private static HeaderType moded(HeaderType type, Attributes attributes) {
        if (attributes.modeByteSize() == 0) {
            return type;
        }
        if (attributes.modeByteSize() == UNKNOWN_MODE || type.type().flatMap(MemoryType::integer).isEmpty()) {
            throw unsupported();
        }
        return HeaderType.ofInteger(attributes.modeByteSize(), type.memory() instanceof UnsignedType);
    }

    private static IllegalArgumentException unsupported() {
        return new IllegalArgumentException("attribute is not supported here");
    }

    /// Parses a declarator, and derives pointers, arrays and functions from a type.
    private Declared declarator(HeaderType base) {
        reader.enter();
        HeaderType type = base;
        Token next = reader.peek();
        while (next.is("*") || next.isIn(STORAGE) || next.isIn(HeaderReader.ATTRIBUTES)) {
            type = next.is("*") ? type.pointer(targets) : type;
            reader.next += next.isIn(HeaderReader.ATTRIBUTES) ? 0 : 1;
            if (!attributes(Attributes.NONE).equals(Attributes.NONE)) {
                throw unsupported();
            }
            next = reader.peek();
        }
        int inner = reader.next + 1;
        boolean nested = next.is("(") && isInner(reader.peekSecond());
        String name = "";
        if (nested) {
            reader.skip();
        } else if (!reader.peek().isIn(WORDS)) {
            name = reader.takeName();
        }
        List<Long> lengths = new ArrayList<>();
        while (reader.peek().isIn(DERIVING)) {
            if (reader.takeIf("[")) {
                lengths.add(reader.peek().is("]") ? 0 : expressions.size());
                reader.take("]");
            } else {
                reader.skip();
                type = HeaderType.FUNCTION;
            }
        }
        for (long length : lengths.reversed()) {
            type = type.array(length, this::copy);
        }
        Declared declared = new Declared(name, type);
        if (nested) {
            // The inner declarator applies to the type that the outer one has derived.
            int end = reader.next;
            reader.next = inner;
            declared = declarator(type);
            reader.next = end;
        }
        return reader.leave(declared);
    }

    /// Whether a token after a parenthesis begins a declarator, and not the parameters of a function.
    private boolean isInner(Token token) {
        return token.is("*") || token.isIn(DERIVING) || (token.isName() && !isType(token));
    }

    private void typedefs(Specifiers specifiers) {
        do {
            Declared declared = declarator(specifiers.type);
            Attributes attributes = attributes(specifiers.attributes);
            if (declared.name.isEmpty()) {
                throw reader.expected("a name");
            }
            HeaderType type = moded(declared.type, attributes);
            named.putIfAbsent(declared.name, type.aligned(attributes.lastAlignment(), this::copy));
        } while (reader.takeIf(","));
        reader.take(";");
    }
}
