package dev.arenakit.tool.image;

/// The state of an allocation and of its data file, as the column STATE shows it.
public enum AllocationState {
    /// The allocation can be read.
    LIVE("live", false),
    /// The allocation has been freed. Its bytes may still be in the file.
    FREED("freed", false),
    /// The data file does not exist.
    MISSING("missing file", true),
    /// The data file ends before the allocation does.
    TRUNCATED("truncated file", true),
    /// The data file cannot be read.
    UNREADABLE("unreadable file", true),
    /// It is a structure that was open when the machine failed, or when the image was moved, so that entries may be
    /// missing.
    INCOMPLETE("incomplete", true),
    /// It is a structure that is damaged.
    DAMAGED("damaged", true);

    private final String text;
    private final boolean isDamage;

    AllocationState(String text, boolean isDamage) {
        this.text = text;
        this.isDamage = isDamage;
    }

    /// Whether bytes of the allocation are lost.
    boolean isDamage() {
        return isDamage;
    }

    @Override
    public String toString() {
        return text;
    }
}
