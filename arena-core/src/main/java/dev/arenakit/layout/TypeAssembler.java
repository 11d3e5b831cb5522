package dev.arenakit.layout;

import dev.arenakit.layout.LayoutScanner.Token;
import dev.arenakit.layout.LayoutTokens.Annotations;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Puts types together from what a declaration says, and keeps them within bounds.
///
/// Time and memory are bounded by the length of the text: what a text defines once is one object however often it is referred
/// to, and so is its copy at another alignment or in another order of bytes.
final class TypeAssembler {
    private final IdentityHashMap<MemoryType, Map<Long, MemoryType>> copies = new IdentityHashMap<>();
    /// What each copy is a copy of.
    private final IdentityHashMap<MemoryType, MemoryType> origins = new IdentityHashMap<>();
    private final IdentityHashMap<EnumType, EnumType> otherOrders = new IdentityHashMap<>();

    /// A type, and how large the tree of its parts is.
    record Parsed(MemoryType type, long parts, int depth) {}

    /// What stands in front of a declarator: a type, or the unit of a text, or nothing known at all.
    ///
    /// @param aligned whether its alignment has been said
    record Base(Token at, Optional<Parsed> type, Optional<Charset> text, boolean aligned) {
        static Base of(Token at, Parsed type) {
            return new Base(at, Optional.of(type), Optional.empty(), false);
        }

        static Base ofVoid(Token at) {
            return new Base(at, Optional.empty(), Optional.empty(), false);
        }

        static Base ofText(Token at, Annotations said) {
            Charset charset = at.is("char")
                    ? said.has("@ascii") ? StandardCharsets.US_ASCII : StandardCharsets.UTF_8
                    : said.has("@big") ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE;
            return new Base(at, Optional.empty(), Optional.of(charset), false);
        }
    }

    /// What makes an array, a text or a pointer of the type inside.
    record Derivation(Token at, boolean pointer, long length, Annotations said) {
        static Derivation pointer(Token at, Annotations said) {
            return new Derivation(at, true, 0, said);
        }
    }

    /// A type at the alignment that has been said.
    Base base(Token at, Parsed type, Annotations said) {
        boolean aligned = said.has("@align");
        Parsed placed = aligned ? aligned(at, type, said.number("@align").orElseThrow()) : type;
        return new Base(at, Optional.of(placed), Optional.empty(), aligned);
    }

    /// The type of a declaration.
    ///
    /// @param derivations the outermost first
    /// @param packed      whether the declaration stands in a packed struct; what a pointer leads to does not
    Parsed assemble(Base base, List<Derivation> derivations, boolean packed) {
        int outermostPointer = 0;
        while (outermostPointer < derivations.size() && !derivations.get(outermostPointer).pointer()) {
            outermostPointer++;
        }
        boolean packedBase = packed && outermostPointer == derivations.size();
        int next = derivations.size() - 1;
        Parsed type;
        if (base.type().isPresent()) {
            type = base.type().get();
            if (packedBase && !base.aligned() && type.type().byteAlignment() > 1) {
                type = aligned(base.at(), type, 1);
            }
        } else if (base.text().isPresent()) {
            if (next < 0 || derivations.get(next).pointer()) {
                throw base.at().expected("a length in brackets after the name of a text, or another type");
            }
            type = text(base.text().get(), derivations.get(next), packedBase);
            next--;
        } else {
            if (next < 0 || !derivations.get(next).pointer()) {
                throw base.at().expected("'*' after 'void', or another type");
            }
            type = address(Optional.empty(), derivations.get(next), packed && next == outermostPointer);
            next--;
        }
        for (; next >= 0; next--) {
            Derivation derivation = derivations.get(next);
            type = derivation.pointer()
                    ? address(Optional.of(type), derivation, packed && next == outermostPointer)
                    : array(type, derivation);
        }
        return type;
    }

    private Parsed text(Charset charset, Derivation array, boolean packed) {
        StringType text = checked(array.at(), () -> StringType.of(array.length(), charset));
        return new Parsed(withAlignment(array, text, packed ? 1 : text.byteAlignment()), 1, 1);
    }

    private Parsed address(Optional<Parsed> target, Derivation pointer, boolean packed) {
        AddressType address = new AddressType(target.map(Parsed::type),
                pointer.said().order(ByteOrder.LITTLE_ENDIAN), 1);
        MemoryType placed = withAlignment(pointer, address, packed ? 1 : address.byteSize());
        return sized(pointer.at(), placed, 1 + target.map(Parsed::parts).orElse(0L),
                1 + target.map(Parsed::depth).orElse(0));
    }

    private Parsed array(Parsed element, Derivation array) {
        long byteAlignment = array.said().number("@align").orElse(element.type().byteAlignment());
        MemoryType type = checked(array.at(), () -> new ArrayType(element.type(), array.length(), byteAlignment));
        return sized(array.at(), type, 1 + element.parts(), 1 + element.depth());
    }

    private MemoryType withAlignment(Derivation derivation, MemoryType type, long unsaid) {
        long byteAlignment = derivation.said().number("@align").orElse(unsaid);
        return checked(derivation.at(), () -> type.withByteAlignment(byteAlignment));
    }

    private Parsed aligned(Token at, Parsed parsed, long byteAlignment) {
        return new Parsed(checked(at, () -> copy(parsed.type(), byteAlignment)), parsed.parts(), parsed.depth());
    }

    /// As [MemoryType#withByteAlignment], but the copies of one object are one object.
    private MemoryType copy(MemoryType type, long byteAlignment) {
        if (type.byteAlignment() == byteAlignment) {
            return type;
        }
        MemoryType origin = origins.get(type);
        if (origin != null && byteAlignment < type.byteAlignment()) {
            return copy(origin, byteAlignment); // which is the same, and there once however the copy came about
        }
        Map<Long, MemoryType> known = copies.computeIfAbsent(type, _ -> new HashMap<>());
        MemoryType copy = known.get(byteAlignment);
        if (copy == null) {
            copy = switch (type) {
                case StructType struct -> new StructType(struct.name(), atMost(byteAlignment, struct.members()),
                        struct.byteSize(), byteAlignment);
                case UnionType union -> new UnionType(union.name(), atMost(byteAlignment, union.members()),
                        union.byteSize(), byteAlignment, union.discriminator());
                case ArrayType array -> new ArrayType(atMost(byteAlignment, array.element()), array.length(),
                        byteAlignment);
                case ValueType _,StringType _,EnumType _,AddressType _ -> type.withByteAlignment(byteAlignment);
            };
            known.put(byteAlignment, copy);
            origins.put(copy, type);
        }
        return copy;
    }

    private MemoryType atMost(long byteAlignment, MemoryType type) {
        return type.byteAlignment() <= byteAlignment ? type : copy(type, byteAlignment);
    }

    private List<Member> atMost(long byteAlignment, List<Member> members) {
        if (Types.largestAlignment(members) <= byteAlignment) {
            return members;
        }
        return members.stream()
                .map(member -> member.type().byteAlignment() <= byteAlignment
                        ? member
                        : new Member(member.name(), member.byteOffset(), copy(member.type(), byteAlignment)))
                .toList();
    }

    /// An enum that was defined, in the order of bytes that a reference says.
    EnumType ordered(EnumType type, Annotations said) {
        ValueType value = type.value().withOrder(said.order(type.value().order()));
        return value.equals(type.value())
                ? type
                : otherOrders.computeIfAbsent(type, _ -> new EnumType(type.name(), value, type.constants()));
    }

    /// A type within bounds.
    Parsed sized(Token at, MemoryType type, long parts, int depth) {
        if (parts > Definitions.MOST_PARTS || depth > Definitions.DEEPEST) {
            throw at.expected(
                    "at most " + Definitions.DEEPEST + " types inside each other and " + Definitions.MOST_PARTS
                            + " altogether");
        }
        return new Parsed(type, parts, depth);
    }

    /// What a constructor makes, or its complaint with the place in the text.
    <T> T checked(Token at, Supplier<T> type) {
        try {
            return type.get();
        } catch (IllegalArgumentException e) {
            throw new LayoutParseException(at.line(), at.column(), "a type that is possible",
                    String.valueOf(e.getMessage()));
        }
    }
}
