package dev.arenakit.examples.calls;

import dev.arenakit.layout.RecordMapper;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicReference;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Refuses a system call to one thread, as the profile of a container refuses it to all threads. The thread ends with
/// the work.
final class Seccomp {
    // linux/prctl.h, linux/seccomp.h
    private static final int SET_SECCOMP = 22;
    private static final int SET_NO_NEW_PRIVILEGES = 38;
    private static final long MODE_FILTER = 2;
    private static final int RETURN_ERRNO = 0x50000;
    private static final int RETURN_ALLOW = 0x7fff0000;
    // linux/bpf_common.h: load the number of the call, jump if equal, return a constant.
    private static final short LOAD = 0x20;
    private static final short JUMP_IF_EQUAL = 0x15;
    private static final short RETURN = 0x06;

    private static final RecordMapper<Instruction> INSTRUCTIONS = RecordMapper.of(Instruction.class);
    private static final RecordMapper<Filter> FILTERS = RecordMapper.of(Filter.class);

    @SuppressWarnings("restricted") // Links a function.
    private static final MethodHandle PRCTL = Linker.nativeLinker()
            .downcallHandle(Linker.nativeLinker().defaultLookup().findOrThrow("prctl"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                    Linker.Option.firstVariadicArg(1));

    private Seccomp() {}

    /// `struct sock_filter`
    record Instruction(short code, byte ifTrue, byte ifFalse, int operand) {}

    /// `struct sock_fprog`
    record Filter(short length, MemorySegment instructions) {}

    interface Work {
        void run() throws Exception;
    }

    static void runRefusing(int systemCall, int errno, Work work) throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                install(systemCall, errno);
                work.run();
            } catch (Throwable t) {
                thrown.set(t);
            }
        });
        thread.join();
        switch (thrown.get()) {
            case null -> {
            }
            case Exception e -> throw e;
            case Throwable t -> throw new AssertionError(t);
        }
    }

    private static void install(int systemCall, int errno) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment instructions = INSTRUCTIONS.allocateFrom(arena, new Instruction(LOAD, (byte) 0, (byte) 0, 0),
                    new Instruction(JUMP_IF_EQUAL, (byte) 0, (byte) 1, systemCall),
                    new Instruction(RETURN, (byte) 0, (byte) 0, RETURN_ERRNO | errno),
                    new Instruction(RETURN, (byte) 0, (byte) 0, RETURN_ALLOW));
            MemorySegment filter = FILTERS.allocateFrom(arena, new Filter((short) 4, instructions));
            call(SET_NO_NEW_PRIVILEGES, 1, 0);
            call(SET_SECCOMP, MODE_FILTER, filter.address());
        }
    }

    private static void call(int operation, long first, long second) throws Throwable {
        int result = (int) PRCTL.invokeExact(operation, first, second, 0L, 0L);
        if (result != 0) {
            throw new IllegalStateException("prctl has failed: operation=" + operation);
        }
    }
}
