package dev.arenakit.mapped.internal.column;

/// Thrown for a value that has no equivalent in a column. It has no stack trace, because unions whose valid member is
/// unknown may throw it for many values.
public final class ConversionFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// The offset of the value in the segment that contains it.
    public final long byteOffset;

    public ConversionFailure(String reason, long byteOffset) {
        super(reason, null, false, false);
        this.byteOffset = byteOffset;
    }
}
