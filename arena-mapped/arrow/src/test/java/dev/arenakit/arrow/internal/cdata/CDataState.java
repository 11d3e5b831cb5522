package dev.arenakit.arrow.internal.cdata;

/// What the exports of this process hold, for tests.
public final class CDataState {
    private CDataState() {}

    /// {@return the number of schemas, arrays and streams that are not released}
    public static int exports() {
        return ExportTable.size();
    }

    /// {@return the number of scopes that threads hold}
    public static int leases() {
        return ScopeLease.size();
    }
}
