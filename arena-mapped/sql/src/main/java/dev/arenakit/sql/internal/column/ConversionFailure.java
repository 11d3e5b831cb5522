package dev.arenakit.sql.internal.column;

/// A value that has no equivalent in the engine. It has no stack trace: of a union whose valid member is unknown, many
/// values may be none.
public final class ConversionFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// The address of the value.
    public final long address;

    ConversionFailure(String reason, long address) {
        super(reason, null, false, false);
        this.address = address;
    }
}
