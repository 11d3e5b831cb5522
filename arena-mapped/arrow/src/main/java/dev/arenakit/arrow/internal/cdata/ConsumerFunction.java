package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.internal.Memory;
import dev.arenakit.internal.PageMappings;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The functions that consumers call, in machine code. While the JVM runs, a function jumps to a stub that calls Java. A
/// consumer may live longer than the JVM, for example a Python program that has created it. The stub would then terminate
/// the process; the function returns instead. A release marks the struct as released.
///
/// On other systems than Linux on x86-64 and aarch64, consumers call the stubs.
///
/// Native access is checked before the first use of this class.
enum ConsumerFunction {
    /*
     * The first of two pages has the code of all functions. The second page has their slots: the address of the stub, or
     * 0 before the function is linked, and after the JVM has ended.
     *
     *     x86-64                              aarch64
     *
     *     endbr64                             bti   c
     *     mov   rax, [rip + slot]             ldr   x16, slot
     *     test  rax, rax                      cbz   x16, ended
     *     je    ended                         br    x16
     *     jmp   rax
     *   ended:                              ended:
     *     mov   qword [rdi + release], 0      str   xzr, [x0, #release]      for a release
     *     mov   eax, result                   mov   w0, #result              for another function
     *     ret                                 ret
     */
    RELEASE_SCHEMA(CStruct.SCHEMA), RELEASE_ARRAY(CStruct.ARRAY), RELEASE_STREAM(CStruct.STREAM), GET_SCHEMA(
            StructStream.FAILED), GET_NEXT(StructStream.FAILED), GET_LAST_ERROR(0);

    private static final long CODE_BYTE_SIZE = 64;
    private static final String ARCHITECTURE = System.getProperty("os.arch");
    /// The address of the pages, or 0 if there are none.
    private static final long PAGES = PageMappings.isSupported() ? map() : 0;

    /// The offset of the member that the function clears, or -1.
    private final long release;
    private final int result;

    ConsumerFunction(CStruct released) {
        release = released.release;
        result = 0;
    }

    /// @param result what the function returns after the JVM has ended
    ConsumerFunction(int result) {
        release = -1;
        this.result = result;
    }

    /// Links the function.
    ///
    /// @param stub the address of a stub that calls Java
    /// @return the address of the function
    long link(long stub) {
        if (PAGES == 0) {
            return stub;
        }
        Memory.putLong(slot(PAGES), stub);
        return code(PAGES);
    }

    @SuppressWarnings("EnumOrdinal") // The pages last as long as the process.
    private long code(long pages) {
        return pages + ordinal() * CODE_BYTE_SIZE;
    }

    @SuppressWarnings("EnumOrdinal") // As above.
    private long slot(long pages) {
        return pages + PageMappings.pageByteSize() + (long) ordinal() * Long.BYTES;
    }

    private static long map() {
        long pageByteSize = PageMappings.pageByteSize();
        long pages = PageMappings.map(2 * pageByteSize, pageByteSize, false);
        if (pages == 0) {
            return 0;
        }
        for (ConsumerFunction function : values()) {
            function.write(pages);
        }
        return PageMappings.makeExecutable(pages, pageByteSize) && endWithTheJvm(pages + pageByteSize) ? pages : 0;
    }

    private void write(long pages) {
        ByteBuffer code = ByteBuffer.allocate((int) CODE_BYTE_SIZE).order(ByteOrder.LITTLE_ENDIAN);
        int distance = (int) (slot(pages) - code(pages));
        if (ARCHITECTURE.equals("aarch64")) {
            putAarch64(code, distance);
        } else {
            putX86(code, distance);
        }
        for (int at = 0; at < CODE_BYTE_SIZE; at += Long.BYTES) {
            Memory.putLong(code(pages) + at, code.getLong(at));
        }
    }

    /// @param slot the distance of the slot from the code
    private void putX86(ByteBuffer code, int slot) {
        code.putInt(0xfa1e0ff3);
        // The distance is counted from the next instruction, which begins 11 bytes after the code.
        code.put((byte) 0x48).put((byte) 0x8b).put((byte) 0x05).putInt(slot - 11);
        code.put((byte) 0x48).put((byte) 0x85).put((byte) 0xc0);
        code.putShort((short) 0x0274);
        code.putShort((short) 0xe0ff);
        if (release < 0) {
            code.put((byte) 0xb8).putInt(result);
        } else {
            code.put((byte) 0x48).put((byte) 0xc7).put((byte) 0x47).put((byte) release).putInt(0);
        }
        code.put((byte) 0xc3);
    }

    /// @param slot the distance of the slot from the code
    private void putAarch64(ByteBuffer code, int slot) {
        code.putInt(0xd503245f);
        // The second instruction has the distance in words from itself.
        code.putInt(0x58000010 | (((slot - Integer.BYTES) / Integer.BYTES) << 5));
        code.putInt(0xb4000050);
        code.putInt(0xd61f0200);
        code.putInt(release < 0 ? 0x52800000 | (result << 5) : 0xf900001f | (((int) release / Long.BYTES) << 10));
        code.putInt(0xd65f03c0);
    }

    /// Clears all slots when the JVM ends. The hook keeps the class loader of this library, as the stubs do.
    ///
    /// @return false if the JVM is ending
    private static boolean endWithTheJvm(long slots) {
        Thread hook = new Thread(() -> Memory.zero(slots, PageMappings.pageByteSize()), "arenakit-arrow-end");
        hook.setContextClassLoader(null);
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            return true;
        } catch (IllegalStateException _) {
            return false;
        }
    }
}
