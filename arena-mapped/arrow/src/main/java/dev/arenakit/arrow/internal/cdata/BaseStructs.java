package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.arrow.internal.ArrowColumns;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// The structs that a consumer gets, as long as it does not move them to its own memory.
///
/// Native access is checked before the first use of this class.
public final class BaseStructs implements AutoCloseable {
    private final ExportMemory memory = new ExportMemory();
    private final Map<CStruct, Long> addresses = new EnumMap<>(CStruct.class);
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private BaseStructs() {}

    private static BaseStructs of(Consumer<BaseStructs> writer, CStruct... kinds) {
        BaseStructs base = new BaseStructs();
        try {
            for (CStruct kind : kinds) {
                long address = base.memory.allocate(kind.byteSize(), Long.BYTES).address();
                kind.clear(address);
                base.addresses.put(kind, address);
            }
            writer.accept(base);
            return base;
        } catch (Throwable t) {
            base.close();
            throw t;
        }
    }

    /// Exports numbers without a copy.
    ///
    /// @param count the number of numbers, which take all of the segment
    public static BaseStructs ofNumbers(String format, MemorySegment numbers, long count) {
        return of(base -> {
            ArrayWriter.writeNumbers(numbers, count, base.address(CStruct.ARRAY));
            SchemaWriter.writeColumn(format, base.address(CStruct.SCHEMA));
        }, CStruct.SCHEMA, CStruct.ARRAY);
    }

    /// Exports a copy of structs as one batch.
    public static BaseStructs ofStructs(StructType type, MemorySegment structs) {
        ArrowColumns columns = new ArrowColumns(type, Set.of());
        long count = columns.rowsIn(structs);
        return of(base -> {
            ArrayWriter.writeStructs(columns, structs, 0, count, base.address(CStruct.ARRAY));
            SchemaWriter.writeStruct(columns.columns(), LayoutText.print(columns.rowType()),
                    base.address(CStruct.SCHEMA));
        }, CStruct.SCHEMA, CStruct.ARRAY);
    }

    /// Exports structs as a stream of batches.
    ///
    /// @param batchRows the largest number of rows of a batch
    public static BaseStructs ofStream(StructType type, MemorySegment structs, int batchRows) {
        StructStream stream = new StructStream(type, structs, batchRows);
        return of(base -> stream.write(base.address(CStruct.STREAM)), CStruct.STREAM);
    }

    /// Returns the address of a struct.
    ///
    /// @throws IllegalStateException if this object is closed
    public long address(CStruct kind) {
        if (isClosed.get()) {
            throw new IllegalStateException("Already closed");
        }
        return addresses.getOrDefault(kind, 0L);
    }

    /// Releases the structs that are not released and not moved.
    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            addresses.forEach(CStruct::release);
            memory.free();
        }
    }
}
