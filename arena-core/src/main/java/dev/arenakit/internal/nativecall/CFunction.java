package dev.arenakit.internal.nativecall;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.invoke.MethodType.methodType;

/// The functions of the C library that this module calls, with the types that its headers declare.
///
/// No other function is linked, so that a test can compare all of them with the declarations that jextract generates
/// from the headers. On Linux x86-64 and aarch64, `size_t` and `off_t` are `long`; `unsigned` is passed as an `int`.
public enum CFunction {
    /// `void *malloc(size_t size)`
    MALLOC(FunctionDescriptor.of(Type.ADDRESS_AS_LONG, JAVA_LONG)),
    /// `void *calloc(size_t count, size_t size)`
    CALLOC(FunctionDescriptor.of(Type.ADDRESS_AS_LONG, JAVA_LONG, JAVA_LONG)),
    /// `void *aligned_alloc(size_t alignment, size_t size)`
    ALIGNED_ALLOC(FunctionDescriptor.of(Type.ADDRESS_AS_LONG, JAVA_LONG, JAVA_LONG)),
    /// `void free(void *block)`
    FREE(FunctionDescriptor.ofVoid(Type.ADDRESS_AS_LONG)),
    /// `char *getenv(const char *name)`
    GETENV(FunctionDescriptor.of(Type.ADDRESS_AS_LONG, Type.ADDRESS_AS_LONG)),
    /// `void *dlsym(void *library, const char *name)`
    DLSYM(FunctionDescriptor.of(Type.ADDRESS_AS_LONG, Type.ADDRESS_AS_LONG, Type.ADDRESS_AS_LONG)),
    /// `void *dlvsym(void *library, const char *name, const char *version)`, which musl lacks
    DLVSYM(FunctionDescriptor.of(Type.ADDRESS_AS_LONG, Type.ADDRESS_AS_LONG, Type.ADDRESS_AS_LONG,
            Type.ADDRESS_AS_LONG)),
    /// `void *memset(void *destination, int value, size_t size)`
    MEMSET(FunctionDescriptor.of(Type.ADDRESS_AS_LONG, Type.ADDRESS_AS_LONG, JAVA_INT, JAVA_LONG)),
    /// `void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)`
    MMAP(FunctionDescriptor.of(Type.ADDRESS_AS_LONG, Type.ADDRESS_AS_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
            JAVA_LONG)),
    /// `int munmap(void *address, size_t size)`
    MUNMAP(FunctionDescriptor.of(JAVA_INT, Type.ADDRESS_AS_LONG, JAVA_LONG)),
    /// `int mprotect(void *address, size_t size, int protection)`
    MPROTECT(FunctionDescriptor.of(JAVA_INT, Type.ADDRESS_AS_LONG, JAVA_LONG, JAVA_INT)),
    /// `int madvise(void *address, size_t size, int advice)`
    MADVISE(FunctionDescriptor.of(JAVA_INT, Type.ADDRESS_AS_LONG, JAVA_LONG, JAVA_INT)),
    /// `int msync(void *address, size_t size, int flags)`
    MSYNC(FunctionDescriptor.of(JAVA_INT, Type.ADDRESS_AS_LONG, JAVA_LONG, JAVA_INT)),
    /// `int mincore(void *address, size_t size, unsigned char *pages)`
    MINCORE(FunctionDescriptor.of(JAVA_INT, Type.ADDRESS_AS_LONG, JAVA_LONG, ADDRESS)),
    /// `char *strerror(int number)`
    STRERROR(FunctionDescriptor.of(Type.ADDRESS_AS_LONG, JAVA_INT)),
    /// `long sysconf(int name)`
    SYSCONF(FunctionDescriptor.of(JAVA_LONG, JAVA_INT)),
    /// `int open(const char *path, int flags, ...)`, without the mode: only a new file needs a mode
    OPEN(true, FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT)),
    /// `int close(int fd)`
    CLOSE(FunctionDescriptor.of(JAVA_INT, JAVA_INT)),
    /// `off_t lseek(int fd, off_t offset, int whence)`
    LSEEK(FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT)),
    /// `int ftruncate(int fd, off_t size)`
    FTRUNCATE(FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG)),
    /// `int fsync(int fd)`
    FSYNC(FunctionDescriptor.of(JAVA_INT, JAVA_INT)),
    /// `int fallocate(int fd, int mode, off_t offset, off_t size)`
    FALLOCATE(FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG)),
    /// `int statx(int fd, const char *path, int flags, unsigned mask, struct statx *attributes)`, which old C libraries
    /// lack (glibc before 2.28)
    STATX(FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS)),
    /// `long syscall(long number, ...)`, with the arguments of `futex`, for which there is no other function
    SYSCALL(true, FunctionDescriptor.of(JAVA_LONG, JAVA_LONG), ADDRESS, JAVA_INT, JAVA_INT, ADDRESS),
    /// `int fcntl(int fd, int command, ...)`, with a `struct flock *`, which the commands for locks take
    FCNTL(true, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT), ADDRESS);

    private final boolean variadic;
    @SuppressWarnings("ImmutableEnumChecker") // A FunctionDescriptor is immutable, though no annotation says so.
    private final FunctionDescriptor type;
    @SuppressWarnings("ImmutableEnumChecker")
    private final FunctionDescriptor callType;

    CFunction(FunctionDescriptor type) {
        this(false, type);
    }

    /// @param variadicArguments the types of the variadic arguments that every call passes
    CFunction(boolean variadic, FunctionDescriptor type, MemoryLayout... variadicArguments) {
        this.variadic = variadic;
        this.type = type;
        callType = type.appendArgumentLayouts(variadicArguments);
    }

    String cName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The type that the header declares, without variadic arguments.
    FunctionDescriptor type() {
        return type;
    }

    /// Whether the header declares variadic arguments after the last argument of the type.
    boolean isVariadic() {
        return variadic;
    }

    /// Returns a handle with the address bound to it. If the C library lacks the function, each call throws an
    /// [UnsupportedOperationException]: the initializer of a class would throw it the first time only.
    public MethodHandle handle() {
        return handle(new Linker.Option[0]);
    }

    /// Returns a handle as [#handle()] does, with options.
    MethodHandle handle(Linker.Option... options) {
        return handle(NativeFunctions.libc(), callType, options);
    }

    /// Returns a handle as [#handle()] does, but pointers are segments: their arenas cannot be closed
    /// during a call.
    MethodHandle handleOfSegments(Linker.Option... options) {
        MemoryLayout[] arguments = callType.argumentLayouts()
                .stream()
                .map(layout -> layout.equals(Type.ADDRESS_AS_LONG) ? ADDRESS : layout)
                .toArray(MemoryLayout[]::new);
        return handle(NativeFunctions.libc(), FunctionDescriptor.of(callType.returnLayout().orElseThrow(), arguments),
                options);
    }

    /// Returns a handle with the address bound to it, or empty if the C library lacks the function.
    Optional<MethodHandle> find(Linker.Option... options) {
        return find(NativeFunctions.libc(), callType, options);
    }

    /// Returns a handle as [#handle] does, which also captures the [error number][Errno] of the call.
    public MethodHandle handleWithErrno() {
        return handle(Errno.CAPTURE);
    }

    /// Returns a handle as [#handleOfSegments] does, which also captures the [error number][Errno] of the call.
    public MethodHandle handleOfSegmentsWithErrno() {
        return handleOfSegments(Errno.CAPTURE);
    }

    /// Returns a handle as [#find] does, which also captures the [error number][Errno] of the call.
    public Optional<MethodHandle> findWithErrno() {
        return find(Errno.CAPTURE);
    }

    /// @param library the functions of the C library
    MethodHandle handle(SymbolLookup library, FunctionDescriptor type, Linker.Option... options) {
        return find(library, type, options).orElseGet(() -> missing(handleByAddress(type, options).type()));
    }

    @SuppressWarnings("restricted")
    private Optional<MethodHandle> find(SymbolLookup library, FunctionDescriptor type, Linker.Option... options) {
        return library.find(cName())
                .map(address -> Linker.nativeLinker().downcallHandle(address, type, withVariadic(options)));
    }

    /// @param type the type of a handle that takes the address as its first argument
    private MethodHandle missing(MethodType type) {
        String message = "C library lacks a function: name=" + cName() + ", " + LinuxSystem.describe();
        try {
            MethodHandle exception = MethodHandles.publicLookup()
                    .findConstructor(UnsupportedOperationException.class, methodType(void.class, String.class))
                    .bindTo(message);
            MethodHandle thrower = MethodHandles.throwException(type.returnType(), UnsupportedOperationException.class);
            return MethodHandles.dropArguments(MethodHandles.collectArguments(thrower, 0, exception), 0,
                    type.dropParameterTypes(0, 1).parameterList());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(message, e);
        }
    }

    /// Returns a handle that takes the address as its first argument, for all functions of this type.
    MethodHandle handleByAddress(Linker.Option... options) {
        return handleByAddress(callType, options);
    }

    @SuppressWarnings("restricted")
    private MethodHandle handleByAddress(FunctionDescriptor type, Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(type, withVariadic(options));
    }

    private Linker.Option[] withVariadic(Linker.Option... options) {
        List<Linker.Option> all = new ArrayList<>(List.of(options));
        if (variadic) {
            all.add(Linker.Option.firstVariadicArg(type.argumentLayouts().size()));
        }
        return all.toArray(Linker.Option[]::new);
    }

    static final class Type {
        /// A pointer passed as a `long`, which saves a segment.
        static final ValueLayout.OfLong ADDRESS_AS_LONG = JAVA_LONG.withName("address");

        private Type() {}
    }
}
