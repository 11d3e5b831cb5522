package dev.arenakit.layout;

import dev.arenakit.layout.HiddenClass.Constant;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Walks a record class and its struct side by side, and collects what the code of a mapper needs.
///
/// Nested records are part of the outer one's code, unless that becomes too large or too deep. All of their VarHandles begin at the
/// outermost struct, so that each of them makes the same checks, which the compiler then makes once.
final class RecordPlan {
    /// The JIT follows 15 calls, and each record within another is one more.
    private static final int DEEPEST = 8;

    private final HiddenClass target;
    private final StructLayout layout;
    private final RecordAccess access;
    private final boolean small;

    private RecordPlan(HiddenClass target, StructType type, RecordAccess access) {
        this.target = target;
        this.layout = type.layout();
        this.access = access;
        this.small = size(type) <= RecordMethods.LARGEST;
    }

    /// What the mapper of a record class does.
    ///
    /// @param target the class of the mapper
    /// @param record the record class
    /// @param type   what it is in memory
    /// @throws IllegalArgumentException when a constructor or an accessor is out of reach
    static RecordNode.Struct of(HiddenClass target, Class<?> record, StructType type, RecordAccess access) {
        return new RecordPlan(target, type, access).struct(record, type, List.of(), 0, "class=" + record.getName());
    }

    /// @param path   from the outermost struct
    /// @param offset from the beginning of the outermost struct
    private RecordNode.Struct struct(Class<?> record, StructType type, List<PathElement> path, long offset,
            String where) {
        RecordComponent[] components = record.getRecordComponents();
        List<Part> parts = Part.ofRecord(record).orElseThrow();
        Map<String, RecordNode> nodes = new HashMap<>();
        // What tells the record of a union may stand behind the union.
        for (boolean unions : new boolean[]{false, true}) {
            for (int i = 0; i < components.length; i++) {
                Member member = type.members().get(i);
                if (member.type() instanceof UnionType == unions) {
                    nodes.put(member.name(), node(parts.get(i), member.type(), with(path, member),
                            offset + member.byteOffset(), nodes));
                }
            }
        }
        List<RecordNode.Component> result = new ArrayList<>();
        for (int i = 0; i < components.length; i++) {
            MethodHandle accessor = access.accessor(components[i]);
            result.add(new RecordNode.Component(constant(accessor), descriptor(accessor),
                    Objects.requireNonNull(nodes.get(type.members().get(i).name()))));
        }
        MethodHandle constructor = access.constructor(record);
        return new RecordNode.Struct(constant(constructor), descriptor(constructor), result, where);
    }

    private RecordNode node(Part part, MemoryType type, List<PathElement> path, long offset,
            Map<String, RecordNode> siblings) {
        String where = "class=" + part.owner().getName() + ", component=" + part.javaName();
        return switch (type) {
            case ValueType value -> new RecordNode.Primitive(handle(path), descriptor(value.carrier()));
            case EnumType memory -> new RecordNode.Enumerated(handle(path), descriptor(memory.value().carrier()),
                    target.constant(EnumCodec.class, EnumCodec.of(part.type(), memory, where)));
            case AddressType _ -> new RecordNode.Address(handle(path), descriptor(MemorySegment.class), where);
            case StringType text -> {
                fitsInt(part, text.byteSize());
                yield coded(new TextCodec(text, offset, where));
            }
            case ArrayType array -> coded(array(part, array, offset, where));
            case StructType nested -> nested(part, part.type(), nested, path, offset, where);
            case UnionType union -> oneOf(part, union, path, offset, siblings, where);
        };
    }

    private RecordNode nested(Part part, Class<?> record, StructType type, List<PathElement> path, long offset,
            String where) {
        if (small && path.size() <= DEEPEST) {
            return struct(record, type, path, offset, where);
        }
        fitsInt(part, type.byteSize());
        return coded(new RecordCodec(anywhere(record, type), offset, where));
    }

    private ComponentCodec array(Part part, ArrayType array, long offset, String where) {
        fitsInt(part, array.byteSize());
        int length = (int) array.length();
        Part element = part.element();
        return switch (array.element()) {
            case ValueType value -> new PrimitiveArrayCodec(value.layout(), length, offset, where);
            case EnumType memory -> new EnumArrayCodec(element.type(), EnumCodec.of(element.type(), memory, where),
                    memory.layout(), length, offset, where);
            case AddressType address -> new AddressArrayCodec(address.layout(), length, offset, where);
            case StructType nested -> new RecordArrayCodec(element.type(), anywhere(element.type(), nested), length,
                    offset, where);
            default -> throw new AssertionError(array);
        };
    }

    /// A mapper for places without alignment: elements are prepared in an array of bytes.
    private RecordMapper<Object> anywhere(Class<?> record, StructType type) {
        return access.mapper(record, type.withByteAlignment(1));
    }

    private RecordNode.OneOf oneOf(Part part, UnionType union, List<PathElement> path, long offset,
            Map<String, RecordNode> siblings, String where) {
        UnionType.Discriminator discriminator = union.discriminator().orElseThrow();
        RecordNode.Direct tells = (RecordNode.Direct) Objects.requireNonNull(siblings.get(discriminator.member()));
        Class<?>[] permitted = part.type().getPermittedSubclasses();
        List<Constant> classes = new ArrayList<>();
        List<RecordNode> variants = new ArrayList<>();
        for (int i = 0; i < permitted.length; i++) {
            Member member = union.members().get(i);
            classes.add(target.constant(Class.class, permitted[i]));
            variants.add(nested(part, permitted[i], (StructType) member.type(), with(path, member), offset, where));
        }
        Constant table = target.constant(ValueTable.class, ValueTable.of(discriminator.values(), where));
        return new RecordNode.OneOf(tells, table, classes, variants, where);
    }

    private Constant handle(List<PathElement> path) {
        return target.constant(VarHandle.class,
                layout.varHandle(path.toArray(PathElement[]::new)).withInvokeExactBehavior());
    }

    private RecordNode.Coded coded(ComponentCodec codec) {
        return new RecordNode.Coded(target.constant(ComponentCodec.class, codec));
    }

    private Constant constant(MethodHandle handle) {
        return target.constant(MethodHandle.class, handle);
    }

    private static MethodTypeDesc descriptor(MethodHandle handle) {
        return handle.type().describeConstable().orElseThrow();
    }

    private static ClassDesc descriptor(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }

    private static List<PathElement> with(List<PathElement> path, Member member) {
        List<PathElement> longer = new ArrayList<>(path);
        longer.add(PathElement.groupElement(member.name()));
        return longer;
    }

    /// How many components there are, those of nested records and of all records of a union among them.
    private static int size(MemoryType type) {
        return switch (type) {
            case StructType struct -> struct.members().stream().mapToInt(member -> size(member.type())).sum();
            case UnionType union -> union.members().stream().mapToInt(member -> size(member.type())).sum();
            default -> 1;
        };
    }

    private static void fitsInt(Part part, long byteSize) {
        if (byteSize > Integer.MAX_VALUE - Long.BYTES) {
            throw part.refusal("Component is too large for the heap",
                    "its size is " + byteSize + " bytes; use a view, or a smaller @Length");
        }
    }
}
