package dev.arenakit.arrow;

import dev.arenakit.arrow.internal.ArrowColumns;
import dev.arenakit.arrow.internal.cdata.BaseStructs;
import dev.arenakit.collection.DoubleList;
import dev.arenakit.collection.IntList;
import dev.arenakit.collection.LongList;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.column.NumberKind;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Hands memory to native libraries in the same process, through the
/// [C data interface](https://arrow.apache.org/docs/format/CDataInterface.html) and the
/// [C stream interface](https://arrow.apache.org/docs/format/CStreamInterface.html) of Apache Arrow.
///
/// Such a library, the consumer, takes the addresses of one or two C structs: PyArrow, Polars, DuckDB, and Arrow's
/// libraries for C++, Rust, Go and Java.
///
/// | method | memory | what the consumer gets |
/// |---|---|---|
/// | [#export(StructType, MemorySegment)] | copied at once | a struct array: one batch of rows, with the columns of [ArrowIpc] |
/// | [#stream(StructType, MemorySegment)] | copied batch by batch, when the consumer asks | a stream of batches |
/// | [#export(LongList)] and its kin, [#export(ValueLayout, MemorySegment)] for a [column][dev.arenakit.layout.ColumnTable#column] | not copied | an array of numbers without nulls |
///
/// **Lifetime.** A copy belongs to the consumer, which frees it by releasing it. Memory that is not copied, and the
/// structs of a stream, are leased until the consumer has released the export:
///
/// | scope of the memory | until the release |
/// |---|---|
/// | shared arena | `close` of the arena throws an [IllegalStateException] and changes nothing; a checked [dev.arenakit.MallocArena] may have ended other blocks |
/// | global or automatic arena | the memory remains reachable |
/// | confined arena | the export is refused with an [IllegalArgumentException]: consumers use their own threads |
/// | heap | a stream keeps the array reachable; numbers are refused |
///
/// All exports of a scope share one thread, which sleeps until the last of them is released. The scope is free before
/// that release returns, so that the arena can be closed at once. An arena has one scope, except a checked
/// `MallocArena`, in which each block has its own.
///
/// A list that grows or shrinks moves to other memory if it is exported, and frees the old memory at a later change or at
/// its end. `close` of the list throws an `IllegalStateException` until the release, and can be called again. **Other
/// memory must not be freed:** [dev.arenakit.BlockAllocator#free] of an exported block frees what the consumer reads. The
/// consumer sees values that are set, and reads them without synchronization.
///
/// **Release.** Consumers can release from any thread, and move children of an export elsewhere, as the interface
/// specifies. A second release has no effect. A release never throws; if an Error interrupts it, such as a
/// [StackOverflowError], some memory may remain allocated. A thread that Java does not know becomes a Java thread at its
/// first release, and needs some stack and heap memory for it. **A thread without stack for the call from native code to
/// Java terminates the JVM,** before any code of this class runs: do not call a consumer at the end of a deep recursion.
///
/// **End of the JVM.** A consumer can live longer than the JVM, as a Python program does that has created it. When the
/// shutdown of the JVM begins, its exports become inert: their memory remains readable, a release has no effect but to
/// mark the struct as released, and a stream returns `EINVAL` without a message. On other systems than Linux on x86-64
/// and aarch64, and after [Runtime#halt], a call of a consumer terminates the process.
///
/// **Errors.** If an export fails, nothing remains of it, unless an Error such as a [StackOverflowError] has interrupted
/// it: then memory may remain allocated, and its arena may remain leased. A stream returns `EINVAL` and a message for a
/// value that cannot be converted, which [ArrowIpc] describes, and `ENOMEM` if memory is exhausted.
///
/// **Flags.** The methods call native code: pass `--enable-native-access=dev.arenakit`, or
/// `--enable-native-access=ALL-UNNAMED` on the class path.
///
/// {@snippet file="dev/arenakit/arrow/ArrowCExample.java" region="list"}
///
/// All methods can be called by any thread that may access the memory. A list must not be changed or closed by another
/// thread during the call.
public final class ArrowC {
    private ArrowC() {}

    /// Exports a copy of structs as one batch of rows. The texts of a column take at most 2 GiB, and its lists have at
    /// most 2^31 - 1 elements: use a [stream][#stream(StructType, MemorySegment)] for more.
    ///
    /// @param type    the type of the structs
    /// @param structs the structs, one after another, in memory of any kind
    /// @return the export, to be closed
    /// @throws IllegalArgumentException if the type has no columns or too large rows, if the segment has incomplete
    ///                                  structs, if a value cannot be converted, or if a column has too many texts or
    ///                                  elements
    /// @throws IllegalStateException    if the arena of the segment is closed
    /// @throws WrongThreadException     if the segment is confined to another thread
    /// @throws OutOfMemoryError         if there is no memory for the copy
    /// @throws IllegalCallerException   if native access is denied
    public static ArrowExport export(StructType type, MemorySegment structs) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(structs, "structs");
        NativeAccess.require();
        return new ArrowExport(BaseStructs.ofStructs(type, structs));
    }

    /// Exports structs as a stream of batches of 65,536 rows, or fewer if these could need more than 64 MiB.
    ///
    /// @param type    the type of the structs
    /// @param structs the structs, one after another; they must not change until the stream is released
    /// @return the stream, to be closed
    /// @throws IllegalArgumentException if the type has no columns or too large rows, if the segment has incomplete
    ///                                  structs, or if it is confined to a thread
    /// @throws IllegalStateException    if the arena of the segment is closed
    /// @throws OutOfMemoryError         if there is no memory or no thread for the export
    /// @throws IllegalCallerException   if native access is denied
    public static ArrowStream stream(StructType type, MemorySegment structs) {
        return stream(type, structs, ArrowColumns.BATCH_ROWS);
    }

    /// Exports structs as a stream of batches of a given size.
    ///
    /// @param type      the type of the structs
    /// @param structs   the structs, one after another; they must not change until the stream is released
    /// @param batchRows the largest number of rows of a batch, at least 1
    /// @return the stream, to be closed
    /// @throws IllegalArgumentException if the type has no columns or too large rows, if the segment has incomplete
    ///                                  structs, if it is confined to a thread, or if the number is less than 1
    /// @throws IllegalStateException    if the arena of the segment is closed
    /// @throws OutOfMemoryError         if there is no memory or no thread for the export
    /// @throws IllegalCallerException   if native access is denied
    public static ArrowStream stream(StructType type, MemorySegment structs, int batchRows) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(structs, "structs");
        if (batchRows < 1) {
            throw new IllegalArgumentException("Batch needs a row: batchRows=" + batchRows);
        }
        NativeAccess.require();
        return new ArrowStream(BaseStructs.ofStream(type, structs, batchRows));
    }

    /// Exports the present values of a list without a copy, as an array of `int32`.
    ///
    /// @param list the list
    /// @return the export, to be closed
    /// @throws IllegalArgumentException if the memory of the list is confined to a thread
    /// @throws IllegalStateException    if the list is closed
    /// @throws OutOfMemoryError         if there is no memory or no thread for the export
    /// @throws IllegalCallerException   if native access is denied
    public static ArrowExport export(IntList list) {
        return export(JAVA_INT, list.asSegment());
    }

    /// Exports the present values of a list without a copy, as an array of `int64`.
    ///
    /// @param list the list
    /// @return the export, to be closed
    /// @throws IllegalArgumentException if the memory of the list is confined to a thread
    /// @throws IllegalStateException    if the list is closed
    /// @throws OutOfMemoryError         if there is no memory or no thread for the export
    /// @throws IllegalCallerException   if native access is denied
    public static ArrowExport export(LongList list) {
        return export(JAVA_LONG, list.asSegment());
    }

    /// Exports the present values of a list without a copy, as an array of `double`.
    ///
    /// @param list the list
    /// @return the export, to be closed
    /// @throws IllegalArgumentException if the memory of the list is confined to a thread
    /// @throws IllegalStateException    if the list is closed
    /// @throws OutOfMemoryError         if there is no memory or no thread for the export
    /// @throws IllegalCallerException   if native access is denied
    public static ArrowExport export(DoubleList list) {
        return export(JAVA_DOUBLE, list.asSegment());
    }

    /// Exports numbers without a copy. A `char` is a `uint16`.
    ///
    /// @param layout  the layout of a number, in native byte order
    /// @param numbers the numbers, in native memory that is aligned to their size
    /// @return the export, to be closed
    /// @throws IllegalArgumentException if the layout is a boolean, an address or in the other byte order, or if the
    ///                                  memory is confined to a thread, on the heap, not aligned, or no whole number of
    ///                                  elements
    /// @throws IllegalStateException    if the arena of the segment is closed
    /// @throws OutOfMemoryError         if there is no memory or no thread for the export
    /// @throws IllegalCallerException   if native access is denied
    public static ArrowExport export(ValueLayout layout, MemorySegment numbers) {
        String format = kind(layout).format();
        long byteSize = layout.byteSize();
        if (!numbers.isNative()) {
            throw new IllegalArgumentException("Memory is on the Java heap: segment=" + numbers
                    + "; copy it to native memory, such as a shared arena");
        }
        if (numbers.byteSize() % byteSize != 0 || numbers.address() % byteSize != 0) {
            throw new IllegalArgumentException("Segment does not consist of whole, aligned numbers: segment.byteSize="
                    + numbers.byteSize() + ", segment.address=0x" + Long.toHexString(numbers.address())
                    + ", layout.byteSize=" + byteSize);
        }
        NativeAccess.require();
        return new ArrowExport(BaseStructs.ofNumbers(format, numbers, numbers.byteSize() / byteSize));
    }

    private static NumberKind kind(ValueLayout layout) {
        if (layout.byteSize() > 1 && layout.order() != ByteOrder.nativeOrder()) {
            throw new IllegalArgumentException("Numbers must have the native byte order: layout=" + layout);
        }
        if (layout instanceof ValueLayout.OfBoolean || layout instanceof AddressLayout) {
            throw new IllegalArgumentException("Layout is no number: layout=" + layout);
        }
        return NumberKind.of(layout.carrier());
    }
}
