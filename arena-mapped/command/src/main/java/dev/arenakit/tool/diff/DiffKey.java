package dev.arenakit.tool.diff;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.Suggestions;
import dev.arenakit.tool.image.TypeNames;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The field that pairs the structs of two allocations, as the user has named it.
final class DiffKey {
    /// A larger struct would have to be read as a whole.
    private static final long MAX_STRUCT = 1 << 20;

    private final String path;

    /// @param path the name of the field, or names with dots for a field of a nested struct
    DiffKey(String path) {
        this.path = path;
    }

    /// The field of a struct, or empty if the struct has no field of that name.
    ///
    /// @throws InvalidKeyException if the field cannot be a key
    Optional<Field> of(StructType struct) {
        Member member = struct.nested(path).orElse(null);
        if (member == null) {
            return Optional.empty();
        }
        if (!isKey(member.type()) || struct.byteSize() > MAX_STRUCT) {
            throw new InvalidKeyException("cannot be a key: a key is a number, a text, an enum or an address, in"
                    + " a struct of at most " + MAX_STRUCT + " bytes");
        }
        return Optional.of(new Field(path, struct, member));
    }

    private static boolean isKey(MemoryType type) {
        return type instanceof StringType || (type.isScalar() && !(type instanceof BitFieldType));
    }

    /// Checks that a live allocation of an image has the field.
    ///
    /// @throws InvalidKeyException if none has it, or it cannot be a key
    void check(ArenaImage image) throws IOException {
        Set<String> texts = new HashSet<>();
        Set<String> names = new TreeSet<>();
        try (Stream<Allocation> all = image.allocations()) {
            boolean isKnown = all.filter(Allocation::isLive)
                    .filter(allocation -> allocation.typeText().filter(texts::add).isPresent())
                    .flatMap(allocation -> TypeNames.readable(image, allocation).stream())
                    .peek(struct -> struct.members().forEach(member -> names.add(member.name())))
                    .anyMatch(struct -> of(struct).isPresent());
            if (isKnown) {
                return;
            }
        }
        throw new InvalidKeyException("is no field of an allocation in the first image"
                + Suggestions.of(path, names.stream()));
    }

    /// The field of a struct type.
    record Field(String name, StructType struct, Member member) {
        /// The key of a struct: its bytes, or of a text the bytes up to its end.
        byte[] of(MemorySegment bytes) {
            MemorySegment field = bytes.asSlice(member.byteOffset(), member.type().byteSize());
            return (member.type() instanceof StringType text ? text.codeUnits(field) : field)
                    .toArray(JAVA_BYTE);
        }

        /// The text that names a struct: `[id=7]`, or `[key={ id = 7 }]` if the key of an entry is a struct.
        String label(MemorySegment row) throws IOException {
            String text = FieldValueText.of(member.type(), member.byteOffset()).in(ExtentSource.of(row));
            int start = isKey(member.type()) ? 0 : Math.max(0, text.indexOf('{'));
            return "[" + name + "=" + text.substring(start) + "]";
        }
    }

    /// A field that cannot pair structs. The message is for use after its name.
    static final class InvalidKeyException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        InvalidKeyException(String problem) {
            super(problem);
        }
    }
}
