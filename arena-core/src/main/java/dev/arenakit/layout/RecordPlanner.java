package dev.arenakit.layout;

import dev.arenakit.layout.HiddenClassBuilder.Constant;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
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

/// Walks a record class and its struct together, and creates the plan of the mapper.
///
/// The code of the outer record contains that of nested records, unless it becomes too large or too deep. All
/// VarHandles start at the outermost struct, so that all of them make the same checks and the compiler makes them once.
final class RecordPlanner {
    /// The JIT compiler inlines 15 levels of calls, and each nested record adds one.
    private static final int DEEPEST = 8;
    private static final String TOO_LARGE = "use a view, or a smaller @Length";

    private final HiddenClassBuilder target;
    private final StructLayout layout;
    private final UserLookup lookup;
    private final boolean small;

    private RecordPlanner(HiddenClassBuilder target, StructType type, UserLookup lookup) {
        this.target = target;
        this.layout = type.layout();
        this.lookup = lookup;
        this.small = size(type) <= RecordMethodEmitter.LARGEST;
    }

    /// Returns the plan of a mapper.
    ///
    /// @param target the class of the mapper
    /// @param record the record class
    /// @param type   the struct
    /// @throws IllegalArgumentException if a constructor or an accessor is not accessible
    static RecordPlan.Struct of(HiddenClassBuilder target, Class<?> record, StructType type, UserLookup lookup) {
        return new RecordPlanner(target, type, lookup).struct(record, type, List.of(), 0, "class=" + record.getName());
    }

    /// @param path   the path from the outermost struct
    /// @param offset the offset in the outermost struct
    private RecordPlan.Struct struct(Class<?> record, StructType type, List<PathElement> path, long offset,
            String where) {
        RecordComponent[] recordComponents = record.getRecordComponents();
        List<ComponentDeclaration> components = ComponentDeclaration.ofRecord(record).orElseThrow();
        Map<String, RecordPlan> nodes = new HashMap<>();
        // Unions come second, because the discriminator may follow the union.
        for (boolean unions : new boolean[]{false, true}) {
            for (int i = 0; i < recordComponents.length; i++) {
                Member member = type.members().get(i);
                if (member.type() instanceof UnionType == unions) {
                    nodes.put(member.name(), node(components.get(i), member.type(), with(path, member),
                            offset + member.byteOffset(), nodes));
                }
            }
        }
        List<RecordPlan.Component> result = new ArrayList<>();
        for (int i = 0; i < recordComponents.length; i++) {
            MethodHandle accessor = lookup.accessor(recordComponents[i]);
            result.add(new RecordPlan.Component(constant(accessor), descriptor(accessor),
                    Objects.requireNonNull(nodes.get(type.members().get(i).name()))));
        }
        MethodHandle constructor = lookup.constructor(record);
        return new RecordPlan.Struct(constant(constructor), descriptor(constructor), result, where);
    }

    private RecordPlan node(ComponentDeclaration component, MemoryType type, List<PathElement> path, long offset,
            Map<String, RecordPlan> siblings) {
        String where = component.where();
        return switch (type) {
            case ValueType value -> new RecordPlan.Primitive(handle(path), descriptor(value.carrier()));
            case EnumType memory -> new RecordPlan.Enumerated(handle(path), descriptor(memory.carrier()),
                    target.constant(EnumCodec.class, EnumCodec.of(component, memory)));
            case AddressType address -> new RecordPlan.Address(handle(path), descriptor(MemorySegment.class),
                    address.target().isPresent(), where);
            case StringType text -> {
                component.checkFitsHeap(text.byteSize(), TOO_LARGE);
                yield coded(new TextCodec(text, offset, where));
            }
            case ArrayType array -> {
                component.checkFitsHeap(array.byteSize(), TOO_LARGE);
                yield coded(ComponentCodec.ofArray(component, array, offset,
                        (element, struct) -> anywhere(element.type(), struct)));
            }
            case StructType nested -> nested(component, component.type(), nested, path, offset, where);
            case UnionType union -> oneOf(component, union, path, offset, siblings, where);
            case UnsignedType _,BitFieldType _ -> throw component.disagreement(type);
        };
    }

    private RecordPlan nested(ComponentDeclaration component, Class<?> record, StructType type, List<PathElement> path,
            long offset,
            String where) {
        if (small && path.size() <= DEEPEST) {
            return struct(record, type, path, offset, where);
        }
        component.checkFitsHeap(type.byteSize(), TOO_LARGE);
        return coded(new NestedRecordCodec(anywhere(record, type), offset, where));
    }

    /// Returns a mapper that requires no alignment, because elements are prepared in a byte array.
    private RecordMapper<Object> anywhere(Class<?> record, StructType type) {
        return lookup.mapper(record, type.withByteAlignment(1));
    }

    private RecordPlan.OneOf oneOf(ComponentDeclaration component, UnionType union, List<PathElement> path, long offset,
            Map<String, RecordPlan> siblings, String where) {
        UnionType.Discriminator discriminator = union.discriminator().orElseThrow();
        RecordPlan.Direct identifier = (RecordPlan.Direct) Objects.requireNonNull(siblings.get(discriminator.member()));
        Class<?>[] permitted = component.type().getPermittedSubclasses();
        List<Constant> classes = new ArrayList<>();
        List<RecordPlan> variants = new ArrayList<>();
        for (int i = 0; i < permitted.length; i++) {
            Member member = union.members().get(i);
            classes.add(target.constant(Class.class, permitted[i]));
            variants.add(
                    nested(component, permitted[i], (StructType) member.type(), with(path, member), offset, where));
        }
        Constant table = target.constant(OrdinalTable.class, OrdinalTable.of(discriminator.values(), where));
        return new RecordPlan.OneOf(identifier, table, classes, variants, where);
    }

    private Constant handle(List<PathElement> path) {
        return target.constant(VarHandle.class,
                layout.varHandle(path.toArray(PathElement[]::new)).withInvokeExactBehavior());
    }

    private RecordPlan.Coded coded(ComponentCodec codec) {
        return new RecordPlan.Coded(target.constant(ComponentCodec.class, codec));
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

    /// Returns the number of components, including those of nested records and of all records of a union.
    private static int size(MemoryType type) {
        return switch (type) {
            case StructType struct -> struct.members().stream().mapToInt(member -> size(member.type())).sum();
            case UnionType union -> union.members().stream().mapToInt(member -> size(member.type())).sum();
            default -> 1;
        };
    }
}
