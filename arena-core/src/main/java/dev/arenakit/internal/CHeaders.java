package dev.arenakit.internal;

import java.lang.foreign.StructLayout;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Constants and structs of the C headers, under their names there, and nothing else: a test compares every field of
/// this class with what jextract makes of the headers.
///
/// They are those of Linux, where x86-64 and aarch64 agree on them, as do glibc and musl.
final class CHeaders {
    static final int O_RDONLY = 0;
    static final int O_CLOEXEC = 0x80000;
    static final int SEEK_DATA = 3;
    static final int SEEK_HOLE = 4;
    static final int ENXIO = 6;
    static final int ENOSYS = 38;

    /// The descriptor itself is meant, and the path is empty.
    static final int AT_EMPTY_PATH = 0x1000;

    /// Asks for the number of blocks.
    static final int STATX_BLOCKS = 0x400;

    /// What [CFunction#STATX] fills in. Only the number of blocks is read; each is 512 bytes, whatever those of the file
    /// system are.
    static final StructLayout STATX = structLayout(paddingLayout(48), JAVA_LONG.withName("stx_blocks"),
            paddingLayout(200)).withName("statx");

    private CHeaders() {}
}
