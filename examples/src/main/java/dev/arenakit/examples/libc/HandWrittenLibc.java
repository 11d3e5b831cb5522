package dev.arenakit.examples.libc;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.TargetByteSize;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.VarHandle;
import java.net.UnknownHostException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

import static dev.arenakit.layout.annotation.Order.Endian.BIG_ENDIAN;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;

/// Calls the C library without generated code. Each function has a method. The needed members of each struct are a
/// record, or are accessed by offset.
///
/// The structs are those of glibc on Linux x86-64 and aarch64. On musl, for example, `regmatch_t` is larger.
final class HandWrittenLibc implements Libc {
    private static final int DONE = 0;
    private static final int ENOENT = 2;
    private static final int REG_EXTENDED = 1;
    private static final int REG_NOMATCH = 1;
    private static final int AF_INET = 2;
    private static final int SOCK_STREAM = 1;
    private static final int AI_NUMERICHOST = 4;
    private static final int INET_ADDRSTRLEN = 16;

    /// The size of the largest `struct stat`, which is on x86-64, and the offset of the member with the file size.
    private static final long STAT_BYTE_SIZE = 144;
    private static final long ST_SIZE_OFFSET = 48;

    private static final long REGEX_BYTE_SIZE = 64;
    private static final long RE_NSUB_OFFSET = 48;

    private static final RecordMapper<Match> MATCHES = RecordMapper.of(Match.class);
    private static final RecordMapper<AddressInfo> ADDRESS_INFOS = RecordMapper.of(AddressInfo.class);
    private static final RecordMapper<ToAddressInfo> TO_ADDRESS_INFO = RecordMapper.of(ToAddressInfo.class);
    private static final RecordMapper<InternetAddress> INTERNET_ADDRESSES = RecordMapper.of(InternetAddress.class);

    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CALL_STATE.varHandle(groupElement("errno"));

    HandWrittenLibc() {
        if (!isForThisSystem()) {
            throw new UnsupportedOperationException(
                    "Structs are written for glibc 2.33 on Linux x86-64 and aarch64: system="
                            + System.getProperty("os.name") + ", architecture=" + System.getProperty("os.arch"));
        }
    }

    /// Only glibc has `gnu_get_libc_version`, and it exports `stat` since 2.33.
    static boolean isForThisSystem() {
        SymbolLookup libc = Linker.nativeLinker().defaultLookup();
        return List.of("amd64", "aarch64").contains(System.getProperty("os.arch"))
                && libc.find("gnu_get_libc_version").isPresent() && libc.find("stat").isPresent();
    }

    /// `regmatch_t`: offsets in bytes.
    record Match(int begin, int end) {}

    /// `struct addrinfo`
    record AddressInfo(int flags, int family, int socketType, int protocol, int addressByteSize,
            @TargetByteSize(16) MemorySegment address, MemorySegment canonicalName, MemorySegment next) {
        AddressInfo(int flags, int family, int socketType) {
            this(flags, family, socketType, 0, 0, MemorySegment.NULL, MemorySegment.NULL, MemorySegment.NULL);
        }
    }

    /// `struct addrinfo *`
    record ToAddressInfo(@TargetByteSize(48) MemorySegment info) {}

    /// `struct sockaddr_in` without its last 8 bytes, which are unused.
    record InternetAddress(short family, @Order(BIG_ENDIAN) short port, int address) {
        static final long ADDRESS_OFFSET = 4;
    }

    @Override
    public long byteSize(Arena arena, Path file) throws IOException {
        MemorySegment state = arena.allocate(CALL_STATE);
        MemorySegment status = arena.allocate(STAT_BYTE_SIZE, JAVA_LONG.byteAlignment());
        if (LibcCalls.stat(state, arena.allocateFrom(file.toString()), status) != DONE) {
            int errno = (int) ERRNO.get(state, 0L);
            throw errno == ENOENT
                    ? new NoSuchFileException(file.toString())
                    : new IOException("stat has failed: file=" + file + ", errno=" + errno);
        }
        return status.get(JAVA_LONG, ST_SIZE_OFFSET);
    }

    @Override
    public List<String> match(Arena arena, String expression, String text) {
        MemorySegment regex = arena.allocate(REGEX_BYTE_SIZE, ADDRESS.byteAlignment());
        int error = LibcCalls.regcomp(regex, arena.allocateFrom(expression), REG_EXTENDED);
        if (error != DONE) {
            MemorySegment message = arena.allocate(100);
            LibcCalls.regerror(error, regex, message, message.byteSize());
            throw new IllegalArgumentException(message.getString(0) + ": expression=" + expression);
        }
        try {
            MemorySegment matches = MATCHES.allocate(arena, regex.get(JAVA_LONG, RE_NSUB_OFFSET) + 1);
            MemorySegment subject = arena.allocateFrom(text);
            long count = matches.byteSize() / MATCHES.byteSize();
            int result = LibcCalls.regexec(regex, subject, count, matches, 0);
            if (result == REG_NOMATCH) {
                return List.of();
            }
            if (result != DONE) {
                throw new OutOfMemoryError("regexec has failed: error=" + result);
            }
            return MATCHES.stream(matches).map(match -> text(subject, match)).toList();
        } finally {
            LibcCalls.regfree(regex);
        }
    }

    private static String text(MemorySegment subject, Match match) {
        return match.begin() < 0
                ? ""
                : new String(subject.asSlice(match.begin(), match.end() - match.begin()).toArray(JAVA_BYTE), UTF_8);
    }

    @Override
    public String resolve(Arena arena, String address, int port) throws UnknownHostException {
        MemorySegment hints = ADDRESS_INFOS.allocate(arena);
        ADDRESS_INFOS.set(hints, new AddressInfo(AI_NUMERICHOST, AF_INET, SOCK_STREAM));
        MemorySegment out = TO_ADDRESS_INFO.allocate(arena);
        int error = LibcCalls.getaddrinfo(arena.allocateFrom(address), arena.allocateFrom(Integer.toString(port)),
                hints, out);
        if (error != DONE) {
            throw new UnknownHostException(LibcCalls.gai_strerror(error).getString(0) + ": address=" + address);
        }
        MemorySegment info = TO_ADDRESS_INFO.get(out).info();
        try {
            MemorySegment socket = ADDRESS_INFOS.get(info).address();
            MemorySegment text = arena.allocate(INET_ADDRSTRLEN);
            LibcCalls.inet_ntop(AF_INET, socket.asSlice(InternetAddress.ADDRESS_OFFSET), text, INET_ADDRSTRLEN);
            return text.getString(0) + ":" + Short.toUnsignedInt(INTERNET_ADDRESSES.get(socket).port());
        } finally {
            LibcCalls.freeaddrinfo(info);
        }
    }
}
