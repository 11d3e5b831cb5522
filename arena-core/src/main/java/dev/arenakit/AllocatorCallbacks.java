package dev.arenakit;

import dev.arenakit.internal.malloc.WrappedMallocArena;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.nativecall.NativeFunctions;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Function pointers of an allocator, for C libraries that let their user choose one: each call allocates, resizes or
/// frees a block of an arena.
///
/// | library | takes |
/// |---|---|
/// | zlib: `z_stream.zalloc`, `zfree` | [#zalloc()], [#zfree()] |
/// | SQLite: `sqlite3_config(SQLITE_CONFIG_MALLOC, …)` | [#sqliteMethods()] |
/// | cJSON: `cJSON_Hooks`; libxml2, OpenSSL, and many others | [#malloc()], [#realloc()], [#free()], [#calloc()] |
///
/// **Lifetime.** The pointers live as long as the arena that is given for them. C code must neither call them
/// afterwards, nor use a block after the arena of the blocks is closed. The arena of the blocks may be the same.
///
/// **Threads.** The functions may be called by the threads that may use the arena of the blocks.
///
/// **Failures.** If a function fails, it returns NULL, or does nothing if it frees a block, because an exception would
/// terminate the JVM. [#takeFailure()] returns the first one.
///
/// **Cost.** A call from C to Java takes some ten nanoseconds more than a call of C's own `malloc`.
///
/// {@snippet file="dev/arenakit/Snippets.java" region="callbacks"}
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // C calls the methods, whose parameters C prescribes.
public final class AllocatorCallbacks {
    /// The alignment of C's `malloc`.
    private static final long ALIGNMENT = 16;
    private static final int SQLITE_ALIGNMENT = 8;
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private final BlockAllocator blocks;
    private final LongFunction<MemorySegment> blockAt;
    private final Arena lifetime;
    private final MemorySegment malloc;
    private final MemorySegment calloc;
    private final MemorySegment realloc;
    private final MemorySegment free;
    private final MemorySegment zalloc;
    private final MemorySegment zfree;
    private final MemorySegment sqliteMethods;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private AllocatorCallbacks(BlockAllocator blocks, LongFunction<MemorySegment> blockAt, Arena lifetime) {
        NativeAccess.require();
        this.blocks = blocks;
        this.blockAt = blockAt;
        this.lifetime = lifetime;
        malloc = pointer("malloc", JAVA_LONG, JAVA_LONG);
        calloc = pointer("calloc", JAVA_LONG, JAVA_LONG, JAVA_LONG);
        realloc = pointer("realloc", JAVA_LONG, JAVA_LONG, JAVA_LONG);
        free = pointer("free", null, JAVA_LONG);
        zalloc = pointer("zalloc", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT);
        zfree = pointer("zfree", null, JAVA_LONG, JAVA_LONG);
        sqliteMethods = lifetime.allocate(ADDRESS, 8);
        MemorySegment[] methods = {pointer("xMalloc", JAVA_LONG, JAVA_INT), free,
                pointer("xRealloc", JAVA_LONG, JAVA_LONG, JAVA_INT), pointer("xSize", JAVA_INT, JAVA_LONG),
                pointer("xRoundup", JAVA_INT, JAVA_INT), pointer("xInit", JAVA_INT, JAVA_LONG),
                pointer("xShutdown", null, JAVA_LONG), MemorySegment.NULL};
        for (int i = 0; i < methods.length; i++) {
            sqliteMethods.setAtIndex(ADDRESS, i, methods[i]);
        }
    }

    /// Creates function pointers for blocks of a [MallocArena].
    ///
    /// @param blocks   the arena of the blocks
    /// @param lifetime the arena of the function pointers
    /// @return the function pointers
    /// @throws IllegalArgumentException if the arena is [wrapped][MallocArena#wrapped]: it does not find the blocks of
    ///                                  the wrapper by their addresses
    /// @throws IllegalCallerException   if native access is denied
    public static AllocatorCallbacks of(MallocArena blocks, Arena lifetime) {
        if (blocks instanceof WrappedMallocArena) {
            throw new IllegalArgumentException("Arena is wrapped, and does not find its blocks by addresses; pass "
                    + "the arena itself");
        }
        return new AllocatorCallbacks(blocks, blocks::blockAt, lifetime);
    }

    /// Creates function pointers for blocks of a [FreeListArena].
    ///
    /// @param blocks   the arena of the blocks
    /// @param lifetime the arena of the function pointers
    /// @return the function pointers
    /// @throws IllegalCallerException if native access is denied
    public static AllocatorCallbacks of(FreeListArena blocks, Arena lifetime) {
        return new AllocatorCallbacks(blocks, blocks::blockAt, lifetime);
    }

    private MemorySegment pointer(String name, @Nullable ValueLayout result, MemoryLayout... parameters) {
        FunctionDescriptor type = result == null
                ? FunctionDescriptor.ofVoid(parameters)
                : FunctionDescriptor.of(result, parameters);
        MethodType method = type.toMethodType();
        try {
            return NativeFunctions.upcallStub(LOOKUP.findVirtual(AllocatorCallbacks.class, name, method).bindTo(this),
                    type, lifetime);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("A method of this class is not accessible: name=" + name, e);
        }
    }

    /// {@return `void *malloc(size_t size)`}
    public MemorySegment malloc() {
        return malloc;
    }

    /// {@return `void *calloc(size_t count, size_t size)`}
    public MemorySegment calloc() {
        return calloc;
    }

    /// {@return `void *realloc(void *block, size_t size)`}
    public MemorySegment realloc() {
        return realloc;
    }

    /// {@return `void free(void *block)`}
    public MemorySegment free() {
        return free;
    }

    /// {@return `void *zalloc(void *opaque, unsigned items, unsigned size)`, which ignores `opaque`}
    public MemorySegment zalloc() {
        return zalloc;
    }

    /// {@return `void zfree(void *opaque, void *block)`, which ignores `opaque`}
    public MemorySegment zfree() {
        return zfree;
    }

    /// {@return a `struct sqlite3_mem_methods`, which SQLite copies}
    public MemorySegment sqliteMethods() {
        return sqliteMethods.asReadOnly();
    }

    /// Returns the first exception or error that a function has kept from C since the last call of this method.
    ///
    /// @return the exception, which is then forgotten, or empty if no call has failed
    public Optional<Throwable> takeFailure() {
        return Optional.ofNullable(failure.getAndSet(null));
    }

    private long failed(Throwable thrown) {
        failure.compareAndSet(null, thrown);
        return 0;
    }

    private long malloc(long byteSize) {
        try {
            return blocks.allocate(byteSize, ALIGNMENT).address();
        } catch (Throwable t) {
            return failed(t);
        }
    }

    private long calloc(long count, long byteSize) {
        try {
            return blocks.allocate(Math.multiplyExact(count, byteSize), ALIGNMENT).fill((byte) 0).address();
        } catch (Throwable t) {
            return failed(t);
        }
    }

    private long realloc(long block, long byteSize) {
        try {
            return block == 0 ? malloc(byteSize) : blocks.reallocate(blockAt.apply(block), byteSize).address();
        } catch (Throwable t) {
            return failed(t);
        }
    }

    private void free(long block) {
        try {
            if (block != 0) {
                blocks.free(blockAt.apply(block));
            }
        } catch (Throwable t) {
            failed(t);
        }
    }

    private long zalloc(long opaque, int items, int byteSize) {
        return malloc(Integer.toUnsignedLong(items) * Integer.toUnsignedLong(byteSize));
    }

    private void zfree(long opaque, long block) {
        free(block);
    }

    private long xMalloc(int byteSize) {
        return malloc(byteSize);
    }

    private long xRealloc(long block, int byteSize) {
        return realloc(block, byteSize);
    }

    private int xSize(long block) {
        try {
            return block == 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, blockAt.apply(block).byteSize());
        } catch (Throwable t) {
            return (int) failed(t);
        }
    }

    private int xRoundup(int byteSize) {
        return byteSize + SQLITE_ALIGNMENT - 1 & -SQLITE_ALIGNMENT;
    }

    private int xInit(long data) {
        return 0;
    }

    private void xShutdown(long data) {
        // The arena remains open: its owner closes it.
    }
}
