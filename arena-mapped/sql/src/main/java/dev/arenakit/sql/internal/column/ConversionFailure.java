package dev.arenakit.sql.internal.column;

/// Thrown for a value that has no equivalent in the engine. It has no stack trace, because unions whose valid member is
/// unknown may throw it for many values.
public final class ConversionFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// The address of the value.
    public final long address;

    ConversionFailure(String reason, long address) {
        super(reason, null, false, false);
        this.address = address;
    }
}
