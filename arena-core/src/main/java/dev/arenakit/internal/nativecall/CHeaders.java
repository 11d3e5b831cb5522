package dev.arenakit.internal.nativecall;

import java.lang.foreign.StructLayout;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

/// Constants and structs of the C headers, under their names in C.
///
/// The class has no other fields: a test compares every field with the declarations that jextract generates from the
/// headers. The values hold for Linux, for glibc and musl, and, except for [#O_NOFOLLOW] and
/// [#SYS_futex], for both x86-64 and aarch64.
public final class CHeaders {
    public static final int O_RDONLY = 0;
    public static final int O_RDWR = 2;
    public static final int O_NONBLOCK = 0x800;
    public static final int O_NOFOLLOW = noFollow(System.getProperty("os.arch"));
    public static final int O_CLOEXEC = 0x80000;
    public static final int F_OFD_GETLK = 36;
    public static final int F_OFD_SETLK = 37;
    public static final int F_RDLCK = 0;
    public static final int F_WRLCK = 1;
    public static final int F_UNLCK = 2;
    public static final int SEEK_SET = 0;
    public static final int SEEK_END = 2;
    public static final int SEEK_DATA = 3;
    public static final int SEEK_HOLE = 4;
    public static final int FALLOC_FL_KEEP_SIZE = 1;
    public static final int FALLOC_FL_PUNCH_HOLE = 2;
    public static final int PROT_NONE = 0;
    public static final int PROT_READ = 1;
    public static final int PROT_WRITE = 2;
    public static final int PROT_EXEC = 4;
    public static final int MAP_SHARED = 1;
    public static final int MAP_PRIVATE = 2;
    public static final int MAP_FIXED = 0x10;
    public static final int MAP_ANONYMOUS = 0x20;
    public static final int MAP_NORESERVE = 0x4000;
    public static final int MADV_RANDOM = 1;
    public static final int MADV_NORMAL = 0;
    public static final int MADV_SEQUENTIAL = 2;
    public static final int MADV_WILLNEED = 3;
    public static final int MADV_DONTNEED = 4;
    public static final int MADV_HUGEPAGE = 14;
    public static final int MADV_NOHUGEPAGE = 15;
    public static final int MS_SYNC = 4;
    public static final int MADV_PAGEOUT = 21;
    public static final int MADV_POPULATE_WRITE = 23;
    public static final int _SC_PAGESIZE = 30;
    public static final int SYS_futex = futex(System.getProperty("os.arch"));
    public static final int FUTEX_WAIT = 0;
    public static final int FUTEX_WAKE = 1;
    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int ENXIO = 6;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EFAULT = 14;
    public static final int EINVAL = 22;
    public static final int EFBIG = 27;
    public static final int ENOSPC = 28;
    public static final int ENOSYS = 38;
    public static final int EOPNOTSUPP = 95;
    public static final int EDQUOT = 122;

    /// Makes `statx` use the file descriptor itself; the path is empty.
    public static final int AT_EMPTY_PATH = 0x1000;

    /// Requests the number of blocks.
    public static final int STATX_BLOCKS = 0x400;

    /// The result of [CFunction#STATX]. Only the number of blocks is read. A block is 512 bytes, whatever the block
    /// size of the file system is.
    public static final StructLayout STATX = structLayout(paddingLayout(48), JAVA_LONG.withName("stx_blocks"),
            paddingLayout(200)).withName("statx");

    /// A lock on a range of a file, the argument of [CFunction#FCNTL]. All of the file is locked if both start and
    /// length are 0. The `l_pid` of a lock that belongs to an open file description is 0.
    public static final StructLayout FLOCK = structLayout(JAVA_SHORT.withName("l_type"),
            JAVA_SHORT.withName("l_whence"),
            paddingLayout(4), JAVA_LONG.withName("l_start"), JAVA_LONG.withName("l_len"), JAVA_INT.withName("l_pid"),
            paddingLayout(4)).withName("flock");

    /// A time, the argument of a `futex` call.
    public static final StructLayout TIMESPEC = structLayout(JAVA_LONG.withName("tv_sec"),
            JAVA_LONG.withName("tv_nsec"))
            .withName("timespec");

    private CHeaders() {}

    /// On aarch64, the value of x86-64 is `O_LARGEFILE`.
    static int noFollow(String architecture) {
        return architecture.equals("aarch64") ? 0x8000 : 0x20000;
    }

    static int futex(String architecture) {
        return architecture.equals("aarch64") ? 98 : 202;
    }
}
