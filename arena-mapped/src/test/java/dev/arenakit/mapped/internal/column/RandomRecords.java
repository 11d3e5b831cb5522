package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.Encoding;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Unsigned;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.ClassFile;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.RecordAttribute;
import java.lang.classfile.attribute.RecordComponentInfo;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Generates records for structs. A record has a component for each number and text, for each struct of these, and for
/// each array of numbers and of such structs.
final class RandomRecords extends ClassLoader {
    private static final ClassDesc RECORD = ClassDesc.of("java.lang.Record");

    private int count;

    RandomRecords() {
        super(RandomRecords.class.getClassLoader());
    }

    private record Component(String name, ClassDesc type, List<Annotation> annotations) {}

    /// Returns a record class, or empty if it would have no components.
    Optional<Class<?>> of(StructType struct) {
        List<Component> components = struct.members().stream().flatMap(this::component).toList();
        if (components.isEmpty()) {
            return Optional.empty();
        }
        ClassDesc name = ClassDesc.of("generated", "Record" + count++);
        MethodTypeDesc constructor = MethodTypeDesc.of(ConstantDescs.CD_void,
                components.stream().map(Component::type).toList());
        byte[] bytes = ClassFile.of().build(name, builder -> {
            builder.withFlags(AccessFlag.PUBLIC, AccessFlag.FINAL).withSuperclass(RECORD);
            builder.with(RecordAttribute.of(components.stream()
                    .map(each -> RecordComponentInfo.of(each.name, each.type,
                            RuntimeVisibleAnnotationsAttribute.of(each.annotations)))
                    .toList()));
            for (Component each : components) {
                builder.withField(each.name, each.type, ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL);
                builder.withMethodBody(each.name, MethodTypeDesc.of(each.type), ClassFile.ACC_PUBLIC,
                        code -> code.aload(0).getfield(name, each.name, each.type).return_(TypeKind.from(each.type)));
            }
            builder.withMethodBody("<init>", constructor, ClassFile.ACC_PUBLIC, code -> {
                code.aload(0).invokespecial(RECORD, "<init>", ConstantDescs.MTD_void);
                for (int i = 0; i < components.size(); i++) {
                    Component each = components.get(i);
                    code.aload(0)
                            .loadLocal(TypeKind.from(each.type), code.parameterSlot(i))
                            .putfield(name, each.name, each.type);
                }
                code.return_();
            });
        });
        return Optional.of(defineClass(null, bytes, 0, bytes.length));
    }

    private Stream<Component> component(Member member) {
        return component(member.name(), member.type()).stream();
    }

    private Optional<Component> component(String name, MemoryType type) {
        return switch (type) {
            case ValueType value -> component(name, value.carrier());
            case UnsignedType unsigned -> component(name, long.class, unsigned(unsigned));
            case BitFieldType bits when bits.declared() instanceof UnsignedType unsigned ->
                component(name, int.class, bits(bits), unsigned(unsigned));
            case BitFieldType bits when bits.declared() instanceof ValueType value ->
                component(name, value.carrier(), bits(bits));
            case StringType text -> component(name, String.class, length(text.length()), encoding(text));
            case StructType nested -> of(nested).flatMap(record -> component(name, record));
            case ArrayType array when array.count().isEmpty() && array.length() > 0
                    && !(array.element() instanceof ArrayType || array.element() instanceof StringType) ->
                component(name, array.element()).map(element -> {
                    List<Annotation> annotations = new ArrayList<>(element.annotations);
                    annotations.add(length(array.length()));
                    return new Component(name, element.type.arrayType(), annotations);
                });
            default -> Optional.empty();
        };
    }

    private static Optional<Component> component(String name, Class<?> type, Annotation... annotations) {
        return Optional.of(new Component(name, type.describeConstable().orElseThrow(), List.of(annotations)));
    }

    private static Annotation unsigned(UnsignedType type) {
        return annotation(Unsigned.class, AnnotationElement.ofInt("value", (int) type.byteSize()));
    }

    private static Annotation bits(BitFieldType type) {
        return annotation(Bits.class, AnnotationElement.ofInt("value", type.bitSize()));
    }

    private static Annotation length(long length) {
        return annotation(Length.class, AnnotationElement.ofArray("value", AnnotationValue.ofLong(length)));
    }

    private static Annotation encoding(StringType text) {
        String kind = text.unitByteSize() == 2 ? "UTF_16" : text.charset().name().equals("UTF-8") ? "UTF_8" : "ASCII";
        return annotation(Encoding.class, constant("value", Encoding.Kind.valueOf(kind)),
                constant("padding", Encoding.Padding.valueOf(text.padding().name())),
                AnnotationElement.ofInt("prefix", text.prefixByteSize()));
    }

    private static AnnotationElement constant(String name, Enum<?> value) {
        return AnnotationElement.of(name, AnnotationValue.of(value));
    }

    private static Annotation annotation(Class<?> type, AnnotationElement... elements) {
        return Annotation.of(type.describeConstable().orElseThrow(), elements);
    }

    /// Returns a value of a record as columns have it.
    static Object value(Object value, boolean isUnsigned) throws ReflectiveOperationException {
        return switch (value) {
            case Character unit -> (long) unit;
            case Long number when isUnsigned && number < 0 -> new BigInteger(Long.toUnsignedString(number));
            case Byte _,Short _,Integer _ -> ((Number) value).longValue();
            case Record record -> {
                Map<String, Object> values = new LinkedHashMap<>();
                for (RecordComponent each : record.getClass().getRecordComponents()) {
                    values.put(each.getName(),
                            value(each.getAccessor().invoke(record), each.isAnnotationPresent(Unsigned.class)));
                }
                yield values;
            }
            case Object array when array.getClass().isArray() -> {
                List<Object> elements = new ArrayList<>();
                for (int i = 0; i < Array.getLength(array); i++) {
                    elements.add(value(Array.get(array, i), isUnsigned));
                }
                yield elements;
            }
            default -> value;
        };
    }

    /// Returns what a value of a column has of a value of a record.
    static @Nullable Object part(@Nullable Object value, @Nullable Object ofRecord) {
        if (value instanceof Map<?, ?> all && ofRecord instanceof Map<?, ?> members) {
            Map<@Nullable Object, @Nullable Object> part = new LinkedHashMap<>();
            members.forEach((name, member) -> part.put(name, part(all.get(name), member)));
            return part;
        }
        if (value instanceof List<?> all && ofRecord instanceof List<?> elements) {
            List<@Nullable Object> part = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                part.add(part(all.get(i), elements.get(i)));
            }
            return part;
        }
        return value;
    }
}
