package dev.arenakit.examples.calls;

import dev.arenakit.layout.IntField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Name;

/// The structs of `linux/io_uring.h`, with the names of their members in C. Unsigned integers are declared as plain
/// ones, since their values here are below 2^31. A test compares sizes and offsets with the header.
final class RingStructs {
    static final RecordMapper<Parameters> PARAMETERS = RecordMapper.of(Parameters.class);
    static final RecordMapper<Submission> SUBMISSIONS = RecordMapper.of(Submission.class);
    static final RecordMapper<Completion> COMPLETIONS = RecordMapper.of(Completion.class);

    /// Accesses a head or a tail, wherever the kernel has placed it.
    static final IntField INDEX = RecordMapper.of(Index.class).intField("index");

    private RingStructs() {}

    /// The program's request, and the kernel's answer.
    @Name("io_uring_params")
    record Parameters(@Name("sq_entries") int submissionEntries, @Name("cq_entries") int completionEntries, int flags,
            @Name("sq_thread_cpu") int threadCpu, @Name("sq_thread_idle") int threadIdle, int features,
            @Name("wq_fd") int workers, @Name("resv") Reserved reserved,
            @Name("sq_off") SubmissionOffsets submissionRing, @Name("cq_off") CompletionOffsets completionRing) {}

    /// An array of three integers.
    record Reserved(int first, int second, int third) {}

    /// The offsets of the members of the submission ring.
    @Name("io_sqring_offsets")
    record SubmissionOffsets(int head, int tail, @Name("ring_mask") int mask, @Name("ring_entries") int entries,
            int flags, int dropped, int array, int resv1, @Name("resv2") long reserved) {}

    /// The offsets of the members of the completion ring.
    @Name("io_cqring_offsets")
    record CompletionOffsets(int head, int tail, @Name("ring_mask") int mask, @Name("ring_entries") int entries,
            int overflow, @Name("cqes") int completions, int flags, int resv1, @Name("resv2") long reserved) {}

    /// An operation for the kernel. Many members have different names for different operations.
    @Name("io_uring_sqe")
    record Submission(byte opcode, byte flags, @Name("ioprio") short priority, @Name("fd") int descriptor,
            @Name("off") long position, @Name("addr") long address, @Name("len") int byteSize,
            @Name("rw_flags") int operationFlags, @Name("user_data") long tag, @Name("buf_index") short buffer,
            short personality, @Name("file_index") int file, long addr3, @Name("__pad2") long padding) {
        /// IORING_OP_READ, since Linux 5.6.
        private static final byte READ = 22;

        static Submission read(int descriptor, long position, long address, int byteSize, long tag) {
            return new Submission(READ, (byte) 0, (short) 0, descriptor, position, address, byteSize, 0, tag, (short) 0,
                    (short) 0, 0, 0, 0);
        }
    }

    /// The result of an operation: the result of the system call, or minus the number of the error.
    @Name("io_uring_cqe")
    record Completion(@Name("user_data") long tag, @Name("res") int result, int flags) {}

    /// A head or a tail: the number of entries that have ever been removed or added, modulo 2^32.
    record Index(int index) {}
}
