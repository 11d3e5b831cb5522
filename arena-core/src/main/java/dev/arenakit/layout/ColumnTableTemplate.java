package dev.arenakit.layout;

import dev.arenakit.internal.layout.emit.AccessExceptions;
import dev.arenakit.internal.layout.emit.ClassTemplate;
import dev.arenakit.internal.layout.record.ColumnMappers;
import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/// The template for the tables of one record class; see [ClassTemplate].
final class ColumnTableTemplate extends ColumnTable<Object> {
    private static final ColumnMappers.ClassData DATA = ClassTemplate.classData(MethodHandles.lookup(),
            ColumnMappers.ClassData.class);
    private static final MethodHandle READ = DATA.read();
    private static final MethodHandle WRITE = DATA.write();

    /// The number of records when the table was opened. There are no fewer later, so that they need no check.
    private final long opened;

    ColumnTableTemplate() {
        super(DATA.format());
        opened = 0;
    }

    /// @param unbound is no template: in a copy, the name of this class in a parameter is the class that was copied
    private ColumnTableTemplate(ColumnTable<Object> unbound, MemorySegment segment, long capacity) {
        super(unbound, segment, capacity);
        opened = count();
    }

    @Override
    ColumnTable<Object> bind(MemorySegment memory, long rows) {
        return new ColumnTableTemplate(this, memory, rows);
    }

    @Override
    public Object get(long index) {
        if (index < 0 || index >= opened) {
            checkIndex(index);
        }
        try {
            return (Object) READ.invokeExact(segment, capacity, index);
        } catch (RuntimeException e) {
            throw explained(e, index, false);
        } catch (Throwable e) {
            throw StructMapper.undeclared(e);
        }
    }

    @Override
    public void set(long index, Object record) {
        if (index < 0 || index >= opened) {
            checkIndex(index);
        }
        write(index, record);
    }

    @Override
    public long append(Object record) {
        long count = checked(ColumnTableFormat.countOfWriter(segment));
        if (count == capacity) {
            throw full();
        }
        write(count, record);
        if (ColumnTableFormat.countOfWriter(segment) != count) {
            throw new IllegalStateException("Table was changed during an append: index=" + count + ", count=" + count()
                    + "; let one thread append at a time, and no accessor of a record");
        }
        ColumnTableFormat.publish(segment, count + 1);
        return count;
    }

    private void write(long index, Object record) {
        try {
            WRITE.invokeExact(segment, capacity, index, record);
        } catch (RuntimeException e) {
            throw explained(e, index, true);
        } catch (Throwable e) {
            throw StructMapper.undeclared(e);
        }
    }

    /// Explains a failure that is due to the memory. The index was checked, and no alignment is required.
    private RuntimeException explained(RuntimeException e, long index, boolean writes) {
        StructType row = DATA.format().row().withByteAlignment(1);
        return AccessExceptions.explained(e, row, segment, "row=" + index, 0, 1, writes);
    }
}
