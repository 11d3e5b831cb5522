package dev.arenakit.examples.libc;

import generated.libc.addrinfo;
import generated.libc.libc_h;
import generated.libc.regex_t;
import generated.libc.regmatch_t;
import generated.libc.sockaddr_in;
import generated.libc.stat;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.charset.StandardCharsets.UTF_8;

/// Calls the C library through bindings that jextract has generated from the headers of this machine. They take a
/// `SegmentAllocator` for each struct, and an [Arena] for each lifetime.
public final class GeneratedLibc implements Libc {
    private static final int DONE = 0;
    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CALL_STATE.varHandle(groupElement("errno"));

    // The generated handle does not capture errno. The function is linked again with the option that does.
    @SuppressWarnings("restricted")
    private static final MethodHandle STAT = Linker.nativeLinker()
            .downcallHandle(libc_h.stat$address(), libc_h.stat$descriptor(), Linker.Option.captureCallState("errno"));

    private static final ValueLayout.OfShort NETWORK_SHORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    /// Runs the example with the generated bindings.
    ///
    /// @param args a file
    /// @throws IOException when the file does not exist
    public static void main(String[] args) throws IOException {
        LibcExample.run(System.out, Path.of(args[0]), new GeneratedLibc());
    }

    @Override
    public long byteSize(Arena arena, Path file) throws IOException {
        MemorySegment status = stat.allocate(arena);
        MemorySegment state = arena.allocate(CALL_STATE);
        if (stat(state, arena.allocateFrom(file.toString()), status) != DONE) {
            int errno = (int) ERRNO.get(state, 0L);
            throw errno == libc_h.ENOENT()
                    ? new NoSuchFileException(file.toString())
                    : new IOException("stat has failed: file=" + file + ", errno=" + errno);
        }
        return stat.st_size(status);
    }

    private static int stat(MemorySegment state, MemorySegment path, MemorySegment status) {
        try {
            return (int) STAT.invokeExact(state, path, status);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new AssertionError("Native call failed", t);
        }
    }

    @Override
    public List<String> match(Arena arena, String expression, String text) {
        MemorySegment regex = regex_t.allocate(arena);
        int error = libc_h.regcomp(regex, arena.allocateFrom(expression), libc_h.REG_EXTENDED());
        if (error != DONE) {
            MemorySegment message = arena.allocate(100);
            libc_h.regerror(error, regex, message, message.byteSize());
            throw new IllegalArgumentException(message.getString(0) + ": expression=" + expression);
        }
        try {
            long count = regex_t.re_nsub(regex) + 1;
            MemorySegment matches = regmatch_t.allocateArray(count, arena);
            MemorySegment subject = arena.allocateFrom(text);
            int result = libc_h.regexec(regex, subject, count, matches, 0);
            if (result == libc_h.REG_NOMATCH()) {
                return List.of();
            }
            if (result != DONE) {
                throw new OutOfMemoryError("regexec has failed: error=" + result);
            }
            List<String> groups = new ArrayList<>();
            for (long i = 0; i < count; i++) {
                MemorySegment match = regmatch_t.asSlice(matches, i);
                long begin = regmatch_t.rm_so(match);
                long end = regmatch_t.rm_eo(match);
                groups.add(begin < 0 ? "" : new String(subject.asSlice(begin, end - begin).toArray(JAVA_BYTE), UTF_8));
            }
            return groups;
        } finally {
            libc_h.regfree(regex);
        }
    }

    @Override
    public String resolve(Arena arena, String address, int port) throws UnknownHostException {
        MemorySegment hints = addrinfo.allocate(arena); // Members that are not set must be zero.
        addrinfo.ai_flags(hints, libc_h.AI_NUMERICHOST());
        addrinfo.ai_family(hints, libc_h.AF_INET());
        addrinfo.ai_socktype(hints, libc_h.SOCK_STREAM());
        MemorySegment out = arena.allocate(libc_h.C_POINTER);
        int error = libc_h.getaddrinfo(arena.allocateFrom(address), arena.allocateFrom(Integer.toString(port)), hints,
                out);
        if (error != DONE) {
            throw new UnknownHostException(libc_h.gai_strerror(error).getString(0) + ": address=" + address);
        }
        // The memory belongs to the C library and is freed when the arena closes.
        MemorySegment info = addrinfo.reinterpret(out.get(libc_h.C_POINTER, 0), arena, libc_h::freeaddrinfo);
        MemorySegment socket = sockaddr_in.reinterpret(addrinfo.ai_addr(info), arena, null);
        MemorySegment text = arena.allocate(libc_h.INET_ADDRSTRLEN());
        libc_h.inet_ntop(libc_h.AF_INET(), sockaddr_in.sin_addr(socket), text, (int) text.byteSize());
        short networkPort = socket.get(NETWORK_SHORT, sockaddr_in.sin_port$offset());
        return text.getString(0) + ":" + Short.toUnsignedInt(networkPort);
    }
}
