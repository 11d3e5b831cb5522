package dev.arenakit.bench.question;

import dev.arenakit.bench.contestant.JvmArgs;
import dev.arenakit.bench.report.Label;
import dev.arenakit.bench.report.Question;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
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

/// What does it cost to write an object of all eight primitive types, or to read it?
///
/// Serialization begins each stream with a description of the class, and so does a stream that is reset, which must be done for
/// an object to be written twice. What is read is a new object, whose values are added up.
@Question(value = "codec", baseline = "VarHandles")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = JvmArgs.NATIVE_ACCESS)
public class Codec {
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

    /// What is done: `write` or `read`.
    @Param({"write", "read"})
    public String direction = "";

    private final Primitives.OfRecord ofRecord = new Primitives.OfRecord(true, (byte) 1, (short) 2, 'c', 4, 5f, 6, 7);
    private final Primitives.OfClass ofClass = new Primitives.OfClass(ofRecord);
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment segment = arena.allocate(LAYOUT);
    private byte[] classBytes = {};
    private byte[] recordBytes = {};
    private boolean write;

    /// Writes what is to be read.
    @Setup
    public void prepare() throws IOException {
        write = direction.equals("write");
        writeNew(ofClass);
        classBytes = bytes.toByteArray();
        writeNew(ofRecord);
        recordBytes = bytes.toByteArray();
        writeHandles();
    }

    /// Frees the segment.
    @TearDown
    public void close() {
        arena.close();
    }

    /// `static final` handles of a layout.
    @Benchmark
    @Label("VarHandles")
    public double handles() {
        return write ? writeHandles() : readHandles().sum();
    }

    /// A class, a new stream each time.
    @Benchmark
    @Label("Serializable class")
    public double serializableClass() throws IOException, ClassNotFoundException {
        return write ? writeNew(ofClass) : readNew(classBytes);
    }

    /// A record, a new stream each time.
    @Benchmark
    @Label("Serializable record")
    public double serializableRecord() throws IOException, ClassNotFoundException {
        return write ? writeNew(ofRecord) : readNew(recordBytes);
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

    private double writeNew(Primitives values) throws IOException {
        bytes.reset();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(values);
        }
        return bytes.size();
    }

    private static double readNew(byte[] from) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(from))) {
            return ((Primitives) in.readObject()).sum();
        }
    }

    private static VarHandle handle(String field) {
        return LAYOUT.varHandle(PathElement.groupElement(field)).withInvokeExactBehavior();
    }
}
