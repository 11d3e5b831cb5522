package dev.arenakit.examples.libc;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;

/// Three things that the C library does, with strings, structs and out-parameters in memory of an arena, which has to be zeroed
/// as that of `Arena.ofConfined` is.
interface Libc {
    /// How many bytes a file has, by `stat`.
    long byteSize(Arena arena, Path file) throws IOException;

    /// What an extended regular expression and its groups match first in a text, by `regexec`: nothing where it does
    /// not match, and the empty string for a group that took no part.
    List<String> match(Arena arena, String expression, String text);

    /// The address, and the port, of a numeric IPv4 address in any of its notations, by `getaddrinfo`.
    String resolve(Arena arena, String address, int port) throws UnknownHostException;
}
