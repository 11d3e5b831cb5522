package dev.arenakit.examples.libc;

import dev.arenakit.NativeCallException;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.TargetByteSize;
import dev.arenakit.layout.text.LayoutText;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.invoke.MethodType.methodType;
import static java.util.Objects.requireNonNull;

/// A binding that is written by hand, of functions that every Linux has. It needs `arena-core` alone.
@SuppressWarnings("restricted") // The binding links functions, and C returns pointers without sizes.
public final class BindingExample {
    private static final int O_RDONLY = 0;
    private static final int ENOENT = 2;
    private static final int FIRST_YEAR = 1900;

    private static final SlabPool POOL = SlabPool.create();
    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBC = LINKER.defaultLookup();
    private static final MemoryLayout C_LONG = requireNonNull(LINKER.canonicalLayouts().get("long"));
    private static final AddressLayout C_STRING = ADDRESS.withTargetLayout(sequenceLayout(Long.MAX_VALUE, JAVA_BYTE));

    private static final MethodHandle STRTOL = LINKER
            .downcallHandle(LIBC.findOrThrow("strtol"), FunctionDescriptor.of(C_LONG, ADDRESS, ADDRESS, JAVA_INT))
            .asType(methodType(long.class, MemorySegment.class, MemorySegment.class, int.class));

    @Name("tm")
    record Time(int tm_sec, int tm_min, int tm_hour, int tm_mday, int tm_mon, int tm_year, int tm_wday, int tm_yday,
            int tm_isdst, long tm_gmtoff, @TargetByteSize(4) MemorySegment tm_zone) {}

    private static final RecordMapper<Time> TIMES = RecordMapper.of(Time.class);
    private static final MethodHandle GMTIME = LINKER.downcallHandle(LIBC.findOrThrow("gmtime_r"),
            FunctionDescriptor.of(ADDRESS.withTargetLayout(TIMES.layout()), ADDRESS, ADDRESS));

    @Name("div_t")
    @Members({"quot", "rem"})
    interface Division {
        int quot();

        int rem();
    }

    private static final ViewMapper<Division> DIVISIONS = ViewMapper.of(Division.class);
    private static final MethodHandle DIV = LINKER.downcallHandle(LIBC.findOrThrow("div"),
            FunctionDescriptor.of(DIVISIONS.layout(), JAVA_INT, JAVA_INT));

    private static final AddressLayout TO_DIVISION = ADDRESS.withTargetLayout(DIVISIONS.layout());
    private static final FunctionDescriptor COMPARISON = FunctionDescriptor.of(JAVA_INT, TO_DIVISION, TO_DIVISION);
    private static final MethodHandle COMPARE = compare();
    private static final MethodHandle QSORT = LINKER.downcallHandle(LIBC.findOrThrow("qsort"),
            FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));

    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final MethodHandle OPEN = LINKER.downcallHandle(LIBC.findOrThrow("open"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            Linker.Option.firstVariadicArg(2), Linker.Option.captureCallState("errno"));
    private static final MethodHandle CLOSE = LINKER.downcallHandle(LIBC.findOrThrow("close"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private static final MethodHandle STRDUP = LINKER.downcallHandle(LIBC.findOrThrow("strdup"),
            FunctionDescriptor.of(ADDRESS, ADDRESS));
    private static final MethodHandle FREE = LINKER.downcallHandle(LIBC.findOrThrow("free"),
            FunctionDescriptor.ofVoid(ADDRESS));

    private BindingExample() {}

    /// Calls each function once.
    ///
    /// @param args none
    /// @throws IOException if a file cannot be opened
    public static void main(String[] args) throws IOException {
        run(System.out);
    }

    static void run(PrintStream out) throws IOException {
        out.println(parse("12345 apples"));
        out.println(utc(1_000_000_000));
        try (SlabArena arena = POOL.openConfined()) {
            MemorySegment divisions = DIVISIONS.allocate(arena, 4);
            for (int i = 0; i < 4; i++) {
                MemorySegment division = divide(arena, 17, 4 + i);
                MemorySegment.copy(division, 0, divisions, i * DIVISIONS.byteSize(), DIVISIONS.byteSize());
            }
            sort(divisions, Comparator.comparingInt(Division::rem));
            out.println(DIVISIONS.list(divisions));
            out.println(copy(arena, "a copy").getString(0));
        }
        openAndClose(Path.of("/"));
    }

    /// Returns the number at the beginning of a text, and the text behind the number.
    static String parse(String text) {
        try (SlabArena arena = POOL.openConfined()) {
            MemorySegment end = arena.allocate(C_STRING);
            long number = (long) STRTOL.invokeExact(arena.allocateFrom(text), end, 10);
            return number + ", then \"" + end.get(C_STRING, 0).getString(0) + "\"";
        } catch (Throwable t) { // invokeExact declares it
            throw NativeCallException.unexpected(t);
        }
    }

    /// Returns the time of seconds since 1970.
    static String utc(long seconds) {
        try (SlabArena arena = POOL.openConfined()) {
            MemorySegment memory = TIMES.allocate(arena);
            MemorySegment result = (MemorySegment) GMTIME.invokeExact(arena.allocateFrom(JAVA_LONG, seconds), memory);
            if (result.address() == 0) {
                throw new IllegalArgumentException("Year exceeds an int: seconds=" + seconds);
            }
            Time time = TIMES.get(result);
            return String.format(Locale.ROOT, "%d-%02d-%02d %02d:%02d:%02d %s", FIRST_YEAR + time.tm_year(),
                    time.tm_mon() + 1, time.tm_mday(), time.tm_hour(), time.tm_min(), time.tm_sec(),
                    time.tm_zone().getString(0));
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
    }

    /// Writes a header that declares `struct tm` as the record does, and checks its members.
    static void writeHeader(Path directory) throws IOException {
        Files.writeString(directory.resolve("tm.h"), LayoutText.toCHeader(TIMES.type()));
    }

    /// Returns a [Division] in memory of an arena.
    static MemorySegment divide(SlabArena arena, int numerator, int denominator) {
        try {
            return (MemorySegment) DIV.invokeExact((SegmentAllocator) arena, numerator, denominator);
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
    }

    /// Sorts divisions.
    ///
    /// @throws RuntimeException what the order throws
    static void sort(MemorySegment divisions, Comparator<Division> order) {
        Comparison comparison = new Comparison(order);
        try (SlabArena arena = POOL.openConfined()) {
            MemorySegment callback = LINKER.upcallStub(COMPARE.bindTo(comparison), COMPARISON, arena);
            long byteSize = DIVISIONS.byteSize();
            QSORT.invokeExact(divisions, divisions.byteSize() / byteSize, byteSize, callback);
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
        if (comparison.failure != null) {
            throw NativeCallException.unexpected(comparison.failure);
        }
    }

    /// The order of one call of `qsort`, and the first exception of its comparisons.
    private static final class Comparison {
        private final Comparator<Division> order;
        private @Nullable Throwable failure;

        Comparison(Comparator<Division> order) {
            this.order = order;
        }

        @SuppressWarnings("UnusedMethod") // C calls it.
        int compare(MemorySegment a, MemorySegment b) {
            try {
                return failure == null ? order.compare(DIVISIONS.view(a), DIVISIONS.view(b)) : 0;
            } catch (Throwable t) { // would end the JVM
                failure = t;
                return 0;
            }
        }
    }

    private static MethodHandle compare() {
        try {
            return MethodHandles.lookup().findVirtual(Comparison.class, "compare", COMPARISON.toMethodType());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Comparison has no such method", e);
        }
    }

    /// Opens a file to read, and closes it.
    static void openAndClose(Path file) throws IOException {
        try {
            close(open(file));
        } catch (NativeCallException e) {
            throw e.errno() == ENOENT ? new NoSuchFileException(file.toString()) : new IOException(e);
        }
    }

    /// Returns a file descriptor.
    private static int open(Path file) {
        try (SlabArena arena = POOL.openConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            int descriptor = (int) OPEN.invokeExact(state, arena.allocateFrom(file.toString()), O_RDONLY);
            if (descriptor < 0) {
                throw NativeCallException.ofErrno("open of " + file, state);
            }
            return descriptor;
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
    }

    private static void close(int descriptor) {
        try {
            int _ = (int) CLOSE.invokeExact(descriptor);
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
    }

    /// Returns a copy that C has allocated, and that it frees when an arena is closed.
    static MemorySegment copy(Arena arena, String text) {
        try (SlabArena call = POOL.openConfined()) {
            MemorySegment source = call.allocateFrom(text);
            MemorySegment copy = (MemorySegment) STRDUP.invokeExact(source);
            if (copy.address() == 0) {
                throw new OutOfMemoryError("strdup has failed: byteSize=" + source.byteSize());
            }
            return copy.reinterpret(source.byteSize(), arena, BindingExample::free); // freed when the arena is closed
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
    }

    private static void free(MemorySegment block) {
        try {
            FREE.invokeExact(block);
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
    }
}
