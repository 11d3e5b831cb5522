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

    /// {@return the sizes and offsets that `peer_layout` in `arrow_peer.c` returns}
    public static long[] layout() {
        return new long[]{CStruct.SCHEMA.byteSize(), CStruct.SCHEMA.childCount, CStruct.SCHEMA.children,
                CStruct.SCHEMA.dictionary, CStruct.SCHEMA.release, CStruct.SCHEMA.privateData(),
                CStruct.ARRAY.byteSize(), CStruct.ARRAY.childCount, CStruct.ARRAY.children, CStruct.ARRAY.dictionary,
                CStruct.ARRAY.release, CStruct.ARRAY.privateData(), CStruct.STREAM.byteSize(), CStruct.STREAM.release,
                CStruct.STREAM.privateData()};
    }
}
