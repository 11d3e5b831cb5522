package dev.arenakit.examples.libc;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;

/// Three functions of the C library that use strings, structs and out-parameters. Their memory comes from an arena. Its
/// allocations must be zeroed, as by `Arena.ofConfined`.
interface Libc {
    /// Returns the size of a file in bytes, by `stat`.
    long byteSize(Arena arena, Path file) throws IOException;

    /// Returns the first match of an extended regular expression in a text, followed by its groups, by `regexec`. The
    /// list is empty if there is no match; a group without a match is the empty string.
    List<String> match(Arena arena, String expression, String text);

    /// Returns the usual notation of a numeric IPv4 address in any notation, with the port, by `getaddrinfo`.
    String resolve(Arena arena, String address, int port) throws UnknownHostException;
}
