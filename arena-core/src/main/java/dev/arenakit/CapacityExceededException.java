package dev.arenakit;

/// Thrown when an allocation would exceed a limit that somebody has set: of a pool, or of the mappings of a process.
///
/// Nothing was allocated. The limits of the machine are told apart: memory and address space that end are an
/// [OutOfMemoryError], a file system that is full an [java.io.UncheckedIOException].
public final class CapacityExceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// The limit.
    private final long limit;

    /// How much was in use.
    private final long used;

    /// How much was asked for.
    private final long asked;

    /// Creates the exception; its message is the first argument followed by the three values and the remedy.
    ///
    /// @param what   what has happened, `Pool is full`
    /// @param limit  the limit, in the unit of what it limits (bytes of a pool, mappings of a process)
    /// @param used   how much of the limit was in use
    /// @param asked  how much more was asked for
    /// @param remedy what the user can do
    public CapacityExceededException(String what, long limit, long used, long asked, String remedy) {
        super(what + ": limit=" + limit + ", used=" + used + ", asked=" + asked + "; " + remedy);
        this.limit = limit;
        this.used = used;
        this.asked = asked;
    }

    /// {@return the limit, in bytes for a pool, in mappings for a process}
    public long limit() {
        return limit;
    }

    /// {@return how much of the limit was in use}
    public long used() {
        return used;
    }

    /// {@return how much more was asked for}
    public long asked() {
        return asked;
    }
}
