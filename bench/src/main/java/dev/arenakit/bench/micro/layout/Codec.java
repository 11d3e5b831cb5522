package dev.arenakit.bench.micro.layout;

import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.layout.RecordMapper;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

/// Measures the cost of writing and reading an object with a field of each of the eight primitive types.
///
/// Serialization begins each stream with a description of the class. A stream that is reset writes it again, and it
/// must be reset before the same object can be written a second time. Reading creates a new object, and the benchmark
/// adds up its values. The compiler inlines all candidates except the streams, and then removes the object.
@BenchmarkName(value = "codec", baseline = "VarHandles",
        measures = "Writes or reads an object that has a field of each of the eight primitive types.")
public class Codec extends MicroBenchmark {
    private static final StructLayout LAYOUT = MemoryLayout.structLayout(JAVA_LONG.withName("large"),
            JAVA_DOUBLE.withName("precise"), JAVA_INT.withName("number"), JAVA_FLOAT.withName("real"),
            JAVA_SHORT.withName("small"), JAVA_CHAR.withName("letter"), JAVA_BYTE.withName("tiny"),
            JAVA_BOOLEAN.withName("flag"));
    private static final VarHandle LARGE = handle("large");
    private static final VarHandle PRECISE = handle("precise");
    private static final VarHandle NUMBER = handle("number");
    private static final VarHandle REAL = handle("real");
    private static final VarHandle SMALL = handle("small");
    private static final VarHandle LETTER = handle("letter");
    private static final VarHandle TINY = handle("tiny");
    private static final VarHandle FLAG = handle("flag");
    private static final Primitives.OfRecord VALUES = new Primitives.OfRecord(true, (byte) 1, (short) 2, 'c', 4, 5f, 6,
            7);
    private static final RecordMapper<Primitives.OfRecord> MAPPER = RecordMapper.of(Primitives.OfRecord.class);
    /// Offset of the long that is read back, in the mapper's struct. A read that spans several stores would wait for
    /// all of them.
    private static final long LARGE_OFFSET = MAPPER.field("large").byteOffset();

    /// The operation: `write` or `read`.
    @Param({"write", "read"})
    public String direction = "";

    private final Primitives.OfRecord ofRecord = VALUES;
    private final Primitives.OfClass ofClass = new Primitives.OfClass(ofRecord);
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment segment = arena.allocate(LAYOUT);
    private final MemorySegment structs = MAPPER.allocate(arena);
    private final ByteBuffer buffer = ByteBuffer.allocateDirect((int) LAYOUT.byteSize())
            .order(ByteOrder.nativeOrder());
    private boolean write;

    /// Writes the object that is read.
    @Setup
    public void prepare() {
        write = direction.equals("write");
        writeHandles();
        writeBuffer();
        MAPPER.setAtIndex(structs, 0, ofRecord);
    }

    /// Frees the segment.
    @TearDown
    public void close() {
        arena.close();
    }

    /// `static final` handles of a layout.
    @Benchmark
    @CandidateName("VarHandles")
    public double handles() {
        return write ? writeHandles() : readHandles().sum();
    }

    /// A mapper in a `static final` field.
    @Benchmark
    @CandidateName("RecordMapper")
    public double mapper() {
        return write ? write(MAPPER) : MAPPER.getAtIndex(structs, 0).sum();
    }

    /// A direct buffer in native order.
    @Benchmark
    @CandidateName("ByteBuffer")
    public double byteBuffer() {
        return write ? writeBuffer() : readBuffer().sum();
    }

    /// Agrona's buffer over a direct buffer.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JvmArgs.OPEN_UNSAFE})
    @CandidateName("Agrona")
    public double agrona(OfAgrona agrona) {
        return write ? agrona.write(ofRecord) : agrona.read().sum();
    }

    /// Agrona's buffer without checks of bounds: a wrong index reads or overwrites other memory.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JvmArgs.OPEN_UNSAFE, JvmArgs.AGRONA_UNCHECKED})
    @CandidateName("Agrona without checks")
    public double agronaUnchecked(OfAgrona agrona) {
        return write ? agrona.write(ofRecord) : agrona.read().sum();
    }

    /// A class, with one stream that is reset.
    @Benchmark
    @CandidateName("Serializable class, same stream")
    public double serializableClassReused(OfClassStream stream) throws IOException, ClassNotFoundException {
        return write ? stream.objects.write(ofClass) : ((Primitives) stream.objects.read()).sum();
    }

    /// A record, with one stream that is reset.
    @Benchmark
    @CandidateName("Serializable record, same stream")
    public double serializableRecordReused(OfRecordStream stream) throws IOException, ClassNotFoundException {
        return write ? stream.objects.write(ofRecord) : ((Primitives) stream.objects.read()).sum();
    }

    private double write(RecordMapper<Primitives.OfRecord> mapper) {
        mapper.setAtIndex(structs, 0, ofRecord);
        return structs.get(JAVA_LONG, LARGE_OFFSET);
    }

    private double writeHandles() {
        LARGE.set(segment, 0L, ofRecord.large());
        PRECISE.set(segment, 0L, ofRecord.precise());
        NUMBER.set(segment, 0L, ofRecord.number());
        REAL.set(segment, 0L, ofRecord.real());
        SMALL.set(segment, 0L, ofRecord.small());
        LETTER.set(segment, 0L, ofRecord.letter());
        TINY.set(segment, 0L, ofRecord.tiny());
        FLAG.set(segment, 0L, ofRecord.flag());
        return segment.get(JAVA_LONG, 0);
    }

    private Primitives readHandles() {
        return new Primitives.OfRecord((boolean) FLAG.get(segment, 0L), (byte) TINY.get(segment, 0L),
                (short) SMALL.get(segment, 0L), (char) LETTER.get(segment, 0L), (int) NUMBER.get(segment, 0L),
                (float) REAL.get(segment, 0L), (long) LARGE.get(segment, 0L), (double) PRECISE.get(segment, 0L));
    }

    private double writeBuffer() {
        buffer.putLong(0, ofRecord.large()).putDouble(8, ofRecord.precise()).putInt(16, ofRecord.number());
        buffer.putFloat(20, ofRecord.real()).putShort(24, ofRecord.small()).putChar(26, ofRecord.letter());
        buffer.put(28, ofRecord.tiny()).put(29, (byte) (ofRecord.flag() ? 1 : 0));
        return buffer.getLong(0);
    }

    private Primitives readBuffer() {
        return new Primitives.OfRecord(buffer.get(29) != 0, buffer.get(28), buffer.getShort(24), buffer.getChar(26),
                buffer.getInt(16), buffer.getFloat(20), buffer.getLong(0), buffer.getDouble(8));
    }

    private static VarHandle handle(String field) {
        return LAYOUT.varHandle(PathElement.groupElement(field)).withInvokeExactBehavior();
    }

    /// Agrona's buffer.
    @State(Scope.Thread)
    public static class OfAgrona {
        private final MutableDirectBuffer buffer = new UnsafeBuffer(
                ByteBuffer.allocateDirect((int) LAYOUT.byteSize()).order(ByteOrder.nativeOrder()));

        private double write(Primitives.OfRecord values) {
            buffer.putLong(0, values.large());
            buffer.putDouble(8, values.precise());
            buffer.putInt(16, values.number());
            buffer.putFloat(20, values.real());
            buffer.putShort(24, values.small());
            buffer.putChar(26, values.letter());
            buffer.putByte(28, values.tiny());
            buffer.putByte(29, (byte) (values.flag() ? 1 : 0));
            return buffer.getLong(0);
        }

        private Primitives read() {
            return new Primitives.OfRecord(buffer.getByte(29) != 0, buffer.getByte(28), buffer.getShort(24),
                    buffer.getChar(26), buffer.getInt(16), buffer.getFloat(20), buffer.getLong(0),
                    buffer.getDouble(8));
        }
    }

    /// A stream of objects of the class.
    @State(Scope.Thread)
    public static class OfClassStream {
        final ObjectStreams objects = new ObjectStreams(new Primitives.OfClass(VALUES));
    }

    /// A stream of records.
    @State(Scope.Thread)
    public static class OfRecordStream {
        final ObjectStreams objects = new ObjectStreams(VALUES);
    }
}
