package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.internal.layout.declaration.DeclaredTargets;
import dev.arenakit.internal.layout.declaration.GivenStruct;
import dev.arenakit.internal.layout.declaration.UnionRecords;
import dev.arenakit.internal.layout.declaration.UserLookup;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder.Call;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder.Constant;
import dev.arenakit.internal.layout.value.ArrayCodec;
import dev.arenakit.internal.layout.value.ComponentCodec;
import dev.arenakit.internal.layout.value.CountedArrayCodec;
import dev.arenakit.internal.layout.value.FixedTextCodec;
import dev.arenakit.internal.layout.value.OrdinalTable;
import dev.arenakit.internal.layout.value.RecordCodec;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Walks a record class and its struct together, and creates the plan of the mapper.
///
/// The code of the outer record contains the code of nested records, unless it becomes too large or too deep. All
/// VarHandles start at the outermost struct and make the same checks, so that the compiler keeps only one copy of the
/// checks.
final class RecordPlanner {
    private static final String TOO_LARGE = "use a view, or a smaller @Length";

    private final HiddenClassBuilder target;
    private final UserLookup lookup;
    private final RecordCodec.Source nested;
    private final RecordSize size;
    private final RecordValuePlanner nodes;
    private int accesses;

    private RecordPlanner(HiddenClassBuilder target, StructType type, boolean partial, UserLookup lookup,
            RecordCodec.Source nested) {
        this.target = target;
        this.lookup = lookup;
        this.nested = nested;
        this.size = RecordSize.of(type);
        this.nodes = new RecordValuePlanner(target, type, size.isLarge(), partial, nested);
    }

    /// The plan of a mapper.
    ///
    /// @param root   the plan of the record
    /// @param buffer how a large record is read and written
    record Plan(RecordPlan.Struct root, Optional<Buffer> buffer) {}

    /// The methods of a [RecordBuffer].
    record Buffer(Call read, Call begin, Call end) {
        private static Buffer of(HiddenClassBuilder target, RecordBuffer buffer) {
            return new Buffer(target.call(buffer, "read", long[].class, MemorySegment.class, long.class),
                    target.call(buffer, "begin", long[].class, MemorySegment.class, long.class),
                    target.call(buffer, "end", void.class, long[].class, MemorySegment.class, long.class));
        }
    }

    /// Returns the plan of a mapper.
    ///
    /// @param target the class of the mapper
    /// @param record the record class
    /// @param given  the struct
    /// @param lookup finds the constructors and accessors
    /// @param nested provides the mappers of nested records
    /// @throws IllegalArgumentException if a constructor or an accessor is not accessible
    static Plan of(HiddenClassBuilder target, Class<?> record, StructType given, UserLookup lookup,
            RecordCodec.Source nested) {
        StructType type = DeclaredTargets.of(given, record);
        boolean partial = RecordSize.of(type).isLarge() && GivenStruct.isPartial(record, type);
        RecordPlanner planner = new RecordPlanner(target, type, partial, lookup, nested);
        if (planner.size.isLarge() && type.byteSize() > Integer.MAX_VALUE - Long.BYTES) {
            throw ComponentDeclaration.refusal(record, "Record is too large for the heap",
                    "its size is " + type.byteSize() + " bytes; " + TOO_LARGE);
        }
        RecordPlan.Struct root = planner.struct(record, planner.size.isLarge() ? type.withByteAlignment(1) : type,
                List.of(), 0,
                "class=" + record.getName());
        return new Plan(root, planner.size.isLarge()
                ? Optional.of(Buffer.of(target, RecordBuffer.of(record, type)))
                : Optional.empty());
    }

    /// Returns the plan of the rows of a table of columns. The elements of each column are the outermost structs of its
    /// accesses, and need no alignment: the format of the table has checked it.
    ///
    /// @throws IllegalArgumentException if a constructor or an accessor is not accessible
    static RecordPlan.Struct ofColumns(HiddenClassBuilder target, Class<?> record, ColumnTableFormat table,
            UserLookup lookup, RecordCodec.Source nested) {
        List<ComponentDeclaration> components = ComponentDeclaration.ofRecord(record).orElseThrow();
        List<RecordPlan.Component> planned = new ArrayList<>();
        for (ColumnTableFormat.Column column : table.columns()) {
            StructType element = column.element().withByteAlignment(1);
            planned.addAll(new RecordPlanner(target, element, false, lookup, nested).components(
                    components.subList(planned.size(), planned.size() + element.members().size()), element, List.of(),
                    0));
        }
        return new RecordPlan.Struct(RecordCalls.of(target, record, lookup), planned, "class=" + record.getName());
    }

    /// @param path   the path from the outermost struct
    /// @param offset the offset in the outermost struct
    private RecordPlan.Struct struct(Class<?> record, StructType type, List<PathElement> path, long offset,
            String where) {
        List<RecordPlan.Component> components = components(ComponentDeclaration.ofRecord(record).orElseThrow(), type,
                path, offset);
        return new RecordPlan.Struct(RecordCalls.of(target, record, lookup), components, where);
    }

    /// @param components the components of a record, or of one of its columns
    /// @param type       the struct that has their members
    private List<RecordPlan.Component> components(List<ComponentDeclaration> components, StructType type,
            List<PathElement> path, long offset) {
        List<Member> members = new ArrayList<>();
        for (ComponentDeclaration component : components) {
            members.add(GivenStruct.member(component, type));
        }
        Map<String, RecordPlan> siblings = new HashMap<>();
        // A component may refer to a later one, so that components with a reference are planned last.
        for (boolean refers : new boolean[]{false, true}) {
            for (int i = 0; i < members.size(); i++) {
                Member member = members.get(i);
                Optional<String> name = reference(member.type());
                if (name.isPresent() == refers) {
                    Optional<RecordPlan.Reference> reference = name.isPresent()
                            ? Optional.of(reference(name.get(), type, path, offset, siblings))
                            : Optional.empty();
                    siblings.put(member.name(), node(components.get(i), member.type(), with(path, member),
                            offset + member.byteOffset(), reference));
                }
            }
        }
        List<RecordPlan.Component> result = new ArrayList<>();
        for (Member member : members) {
            result.add(new RecordPlan.Component(member.name(), Objects.requireNonNull(siblings.get(member.name()))));
        }
        return result;
    }

    /// Returns the path of the member that identifies the record of a union or that counts the elements of an array.
    private static Optional<String> reference(MemoryType type) {
        if (type instanceof UnionType union) {
            return union.discriminator().map(UnionType.Discriminator::member);
        }
        return type instanceof ArrayType array ? array.count() : Optional.empty();
    }

    private RecordPlan.Reference reference(String name, StructType type, List<PathElement> path, long offset,
            Map<String, RecordPlan> siblings) {
        RecordPlan found = null;
        List<PathElement> longer = path;
        for (String step : name.split("\\.", -1)) {
            longer = new ArrayList<>(longer);
            longer.add(PathElement.groupElement(step));
            found = found == null
                    ? siblings.get(step)
                    : found instanceof RecordPlan.Struct struct ? struct.find(step) : found;
        }
        Member member = type.nested(name).orElseThrow();
        long byteOffset = offset + member.byteOffset();
        RecordPlan.Direct direct = found instanceof RecordPlan.Direct prepared
                ? prepared
                : nodes.number(member.type(), longer, byteOffset);
        return new RecordPlan.Reference(direct, member.type(), byteOffset);
    }

    private RecordPlan node(ComponentDeclaration component, MemoryType type, List<PathElement> path, long offset,
            Optional<RecordPlan.Reference> reference) {
        if (type instanceof StructType struct) {
            return nested(component, component.type(), struct, path, offset);
        }
        if (type instanceof UnionType union && component.type() != byte[].class) {
            return oneOf(component, union, path, offset, reference.orElseThrow());
        }
        if (type instanceof StringType text) {
            component.checkFitsHeap(text.byteSize(), TOO_LARGE);
            return coded(FixedTextCodec.of(component, text, offset), Optional.empty());
        }
        if (type instanceof UnionType bytes) {
            return node(component, ArrayType.of(ValueType.of(byte.class), bytes.byteSize()), path, offset,
                    Optional.empty());
        }
        if (type instanceof ArrayType array) {
            component.checkFitsHeap(array.byteSize(), TOO_LARGE);
            ArrayCodec codec = ArrayCodec.of(component, array, offset,
                    (element, struct) -> anywhere(element.type(), struct), nested::reference);
            return reference.isPresent()
                    ? counted(component, array, codec, reference.get())
                    : coded(codec, Optional.empty());
        }
        accesses++;
        return nodes.direct(component, type, path, offset);
    }

    private RecordPlan nested(ComponentDeclaration component, Class<?> record, StructType type, List<PathElement> path,
            long offset) {
        RecordSize inner = RecordSize.of(type);
        if (!size.isLarge() || inner.fitsInto(accesses, path.size())) {
            return struct(record, type, path, offset, component.where());
        }
        component.checkFitsHeap(type.byteSize(), TOO_LARGE);
        return coded(new RecordCodec.Nested(anywhere(record, type), offset, component.where()), Optional.empty());
    }

    /// Returns a mapper that requires no alignment, because elements are prepared in a byte array.
    private RecordCodec anywhere(Class<?> record, StructType type) {
        return nested.codec(record, type.withByteAlignment(1));
    }

    private RecordPlan.OneOf oneOf(ComponentDeclaration component, UnionType union, List<PathElement> path, long offset,
            RecordPlan.Reference reference) {
        UnionType.Discriminator discriminator = union.discriminator().orElseThrow();
        List<Constant> classes = new ArrayList<>();
        List<RecordPlan> variants = new ArrayList<>();
        for (Class<?> permitted : UnionRecords.of(component.type())) {
            Member member = GivenStruct.variant(component, permitted, union);
            classes.add(target.constant(Class.class, permitted));
            variants.add(nested(component, permitted, (StructType) member.type(), with(path, member), offset));
        }
        OrdinalTable table = OrdinalTable.of(discriminator.values(),
                discriminator.otherwise().isPresent() ? variants.size() - 1 : -1, component.where());
        return new RecordPlan.OneOf(reference, target.call(table, "position", int.class, long.class),
                target.call(table, "check", void.class, long.class, int.class), classes, variants, component.where());
    }

    private RecordPlan.Coded counted(ComponentDeclaration component, ArrayType array, ArrayCodec codec,
            RecordPlan.Reference count) {
        CountedArrayCodec counted = new CountedArrayCodec(codec, (int) array.length(),
                count.type().integer().orElseThrow(),
                count.byteOffset(), component.where());
        return coded(counted, Optional.of(new RecordPlan.Counted(count,
                target.call(counted, "check", void.class, long.class, Object.class),
                target.call(counted, "checkArray", void.class, long.class, Object.class))));
    }

    private RecordPlan.Coded coded(ComponentCodec codec, Optional<RecordPlan.Counted> counted) {
        accesses++;
        return new RecordPlan.Coded(target.call(codec, "read", Object.class, MemorySegment.class, long.class),
                target.call(codec, "prepare", Object.class, MemorySegment.class, long.class, Object.class),
                target.call(codec, "write", void.class, MemorySegment.class, long.class, Object.class), counted);
    }

    private static List<PathElement> with(List<PathElement> path, Member member) {
        List<PathElement> longer = new ArrayList<>(path);
        longer.add(PathElement.groupElement(member.name()));
        return longer;
    }
}
