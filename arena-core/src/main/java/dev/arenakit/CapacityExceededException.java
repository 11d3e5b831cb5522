package dev.arenakit;

/// Thrown when an allocation would exceed a configured limit: the limit of a pool, of a
/// [budget][dev.arenakit.diagnostics.BudgetExceededException], or of mappings in a process.
///
/// Nothing has been allocated. The limits of the machine have other exceptions: exhausted memory or address space is an
/// [OutOfMemoryError], and a full file system is a [java.io.UncheckedIOException].
public class CapacityExceededException extends RuntimeException {
    /// The value of an unknown limit, such as the limit of a slicing allocator.
    public static final long UNKNOWN = -1;

    private static final long serialVersionUID = 1L;

    /// The limit.
    private final long limit;

    /// The used part of the limit.
    private final long used;

    /// The requested amount.
    private final long requested;

    /// Creates an exception whose message consists of the first argument, the values that are known, and the remedy.
    ///
    /// @param what      what has happened, such as `Pool is full`
    /// @param limit     the limit: bytes for a pool, mappings for a process; or [#UNKNOWN]
    /// @param used      how much of the limit was in use; if the limit is unknown, how much this user had
    /// @param requested how much more was requested
    /// @param remedy    what the user can do
    public CapacityExceededException(String what, long limit, long used, long requested, String remedy) {
        this(what + ": " + (limit == UNKNOWN ? "" : "limit=" + limit + ", ") + "used=" + used + ", requested="
                + requested + "; " + remedy, limit, used, requested);
    }

    /// Creates an exception with a message of its own.
    ///
    /// @param message   the whole message
    /// @param limit     the limit, or [#UNKNOWN]
    /// @param used      how much of the limit was in use
    /// @param requested how much more was requested
    public CapacityExceededException(String message, long limit, long used, long requested) {
        super(message);
        this.limit = limit;
        this.used = used;
        this.requested = requested;
    }

    /// {@return the limit, in bytes for a pool, in mappings for a process; or [#UNKNOWN]}
    public long limit() {
        return limit;
    }

    /// {@return how much of the limit was in use; if the limit is unknown, how much the requesting user had}
    public long used() {
        return used;
    }

    /// {@return how much more was requested}
    public long requested() {
        return requested;
    }
}
