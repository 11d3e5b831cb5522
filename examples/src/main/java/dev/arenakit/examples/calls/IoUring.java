package dev.arenakit.examples.calls;

import dev.arenakit.examples.calls.RingStructs.Completion;
import dev.arenakit.examples.calls.RingStructs.Parameters;
import dev.arenakit.examples.calls.RingStructs.Submission;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.examples.calls.RingStructs.COMPLETIONS;
import static dev.arenakit.examples.calls.RingStructs.INDEX;
import static dev.arenakit.examples.calls.RingStructs.PARAMETERS;
import static dev.arenakit.examples.calls.RingStructs.SUBMISSIONS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

/// Two rings in memory that this process shares with the kernel: operations go through one of them, their results come
/// back through the other. One system call submits many operations and waits for results.
///
/// The kernel writes to the memory of a submitted read until its completion has been taken. The memory must live until
/// then, or until [#close()] has returned, which waits for all reads.
///
/// Only the thread that has opened the rings can use them; other threads get a [WrongThreadException].
final class IoUring implements AutoCloseable {
    /*
     * All state is in the memory of the rings, as four counters:
     *
     *     completion head <= completion tail <= submission head <= submission tail <= completion head + entries
     *        taken by us      added by kernel     taken by kernel     added by us
     *
     * Each entry that the kernel takes has one completion, so these differences are the completions that wait, the
     * reads in progress, and the reads to submit. The last condition ensures that completions, for which the kernel has
     * at least as many entries, cannot overflow. An index is published by a release store after the entry was written,
     * or was read, and the other side reads it with acquire.
     */

    /// IORING_ENTER_GETEVENTS: wait for completions.
    private static final int GET_EVENTS = 1;
    /// Offsets for `mmap`: IORING_OFF_SQ_RING, which is both rings with SINGLE_MMAP, and IORING_OFF_SQES.
    private static final long RINGS_OFFSET = 0;
    private static final long SUBMISSIONS_OFFSET = 0x10000000;
    /// IORING_FEAT_SINGLE_MMAP (Linux 5.4): one mapping has both rings; IORING_FEAT_NODROP (5.5): no completion is
    /// lost; IORING_FEAT_RW_CUR_POS (5.6): there is no other sign of IORING_OP_READ, which came with it.
    private static final int FEATURES = 1 | 1 << 1 | 1 << 3;

    /// The pause before repeating a system call that the kernel had no memory for: the time of a few reads of a disk.
    private static final long RETRY_NANOS = 1_000_000;

    private final Arena arena;
    private final SystemCalls calls;
    private final int descriptor;
    private final MemorySegment rings;
    private final MemorySegment submissions;
    private final MemorySegment completions;
    private final int entries;
    private final int completionMask;
    private final long submissionHead;
    private final long submissionTail;
    private final long completionHead;
    private final long completionTail;

    private IoUring(Arena arena, SystemCalls calls, int descriptor, Parameters parameters) {
        this.arena = arena;
        this.calls = calls;
        this.descriptor = descriptor;
        entries = parameters.submissionEntries();
        completionMask = parameters.completionEntries() - 1;
        submissionHead = parameters.submissionRing().head();
        submissionTail = parameters.submissionRing().tail();
        completionHead = parameters.completionRing().head();
        completionTail = parameters.completionRing().tail();
        long array = parameters.submissionRing().array();
        long begin = parameters.completionRing().completions();
        long byteSize = parameters.completionEntries() * COMPLETIONS.byteSize();
        rings = calls.map(arena, descriptor, Math.max(array + entries * JAVA_INT.byteSize(), begin + byteSize),
                RINGS_OFFSET);
        submissions = calls.map(arena, descriptor, entries * SUBMISSIONS.byteSize(), SUBMISSIONS_OFFSET);
        completions = rings.asSlice(begin, byteSize);
        // The ring contains numbers of entries. Entry i is always used at place i, so the numbers never change.
        for (int i = 0; i < entries; i++) {
            INDEX.set(rings, array + i * JAVA_INT.byteSize(), i);
        }
    }

    /// Opens rings.
    ///
    /// @param entries the number of reads that can be in progress; the kernel rounds it up to a power of two
    /// @throws UnsupportedOperationException if the system has no `io_uring`, or does not allow it
    static IoUring open(int entries) throws IOException {
        Arena arena = Arena.ofConfined();
        int descriptor = -1;
        try {
            SystemCalls calls = new SystemCalls(arena);
            MemorySegment memory = PARAMETERS.allocate(arena);
            descriptor = calls.setUpRing(entries, memory);
            if (descriptor < 0) {
                throw refusal(-descriptor, entries);
            }
            Parameters parameters = PARAMETERS.get(memory);
            if ((parameters.features() & FEATURES) != FEATURES) {
                throw new UnsupportedOperationException("io_uring is older than that of Linux 5.6: features=0x"
                        + Integer.toHexString(parameters.features()));
            }
            return new IoUring(arena, calls, descriptor, parameters);
        } catch (Throwable t) {
            arena.close();
            if (descriptor >= 0) {
                SystemCalls.close(descriptor);
            }
            throw t;
        }
    }

    /// Returns or throws the exception for a refusal by `io_uring_setup`.
    private static IOException refusal(int errno, int entries) {
        return switch (errno) {
            case SystemCalls.ENOSYS -> throw new UnsupportedOperationException(
                    "The kernel, or the container's seccomp profile, has no io_uring: errno=ENOSYS");
            case SystemCalls.EPERM -> throw new UnsupportedOperationException("The kernel does not allow io_uring: "
                    + "errno=EPERM; see the sysctl kernel.io_uring_disabled and the container's seccomp profile");
            default -> new IOException("io_uring_setup has failed: entries=" + entries + ", errno=" + errno);
        };
    }

    /// Returns whether no further read can be added until a completion is taken.
    boolean isFull() {
        return INDEX.get(rings, submissionTail) - INDEX.get(rings, completionHead) == entries;
    }

    /// Returns whether there are reads whose completion has not been taken yet.
    boolean hasReads() {
        return INDEX.get(rings, submissionTail) != INDEX.get(rings, completionHead);
    }

    /// Adds a read. [#submit] submits it.
    ///
    /// @param address native memory
    /// @param tag     a number for the completion
    void read(int file, long position, long address, int byteSize, long tag) {
        if (isFull()) {
            throw new IllegalStateException("The ring is full: entries=" + entries);
        }
        if (position < 0 || byteSize < 0) {
            // The kernel would take -1 as the current position of the file, and the size as unsigned.
            throw new IllegalArgumentException(
                    "Position or size is negative: position=" + position + ", byteSize=" + byteSize);
        }
        int tail = INDEX.get(rings, submissionTail);
        SUBMISSIONS.setAtIndex(submissions, tail & (entries - 1),
                Submission.read(file, position, address, byteSize, tag));
        INDEX.setRelease(rings, submissionTail, tail + 1);
    }

    /// Submits the reads that were added, and waits for a completion unless there is no read. It may return earlier.
    void submit() throws IOException {
        if (!hasReads()) {
            return; // The system call would wait forever.
        }
        int count = INDEX.get(rings, submissionTail) - INDEX.getAcquire(rings, submissionHead);
        int result = calls.enterRing(descriptor, count, 1, GET_EVENTS);
        switch (-result) {
            case SystemCalls.EINTR, SystemCalls.EBUSY -> {
                // A signal has come, or completions must be taken first.
            }
            case SystemCalls.EAGAIN -> LockSupport.parkNanos(RETRY_NANOS); // The kernel lacks memory for now.
            default -> {
                if (result < 0) {
                    throw new IOException("io_uring_enter has failed: submissions=" + count + ", errno=" + -result);
                }
            }
        }
    }

    /// Takes a completion, if there is one.
    @Nullable
    Completion poll() {
        int head = INDEX.get(rings, completionHead);
        if (head == INDEX.getAcquire(rings, completionTail)) {
            return null;
        }
        Completion completion = COMPLETIONS.getAtIndex(completions, head & completionMask);
        INDEX.setRelease(rings, completionHead, head + 1);
        return completion;
    }

    /// Waits until the kernel no longer writes to the memory of reads, and frees the rings. Reads that were not
    /// submitted are dropped.
    @Override
    public void close() {
        int head = INDEX.getAcquire(rings, submissionHead);
        while (head != INDEX.getAcquire(rings, completionTail)) {
            // Completions appear in memory even if this call fails.
            calls.enterRing(descriptor, 0, head - INDEX.get(rings, completionHead), GET_EVENTS);
        }
        arena.close();
        SystemCalls.close(descriptor);
    }
}
