package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.internal.Memory;

/// The structs of the C data and C stream interfaces. Each member is an `int64_t` or a pointer, of 8 bytes.
///
/// | offset | `ArrowSchema` | `ArrowArray` | `ArrowArrayStream` |
/// |---|---|---|---|
/// | 0 | `format` | `length` | `get_schema` |
/// | 8 | `name` | `null_count` | `get_next` |
/// | 16 | `metadata` | `offset` | `get_last_error` |
/// | 24 | `flags` | `n_buffers` | `release` |
/// | 32 | `n_children` | `n_children` | `private_data` |
/// | 40 | `children` | `buffers` | |
/// | 48 | `dictionary` | `children` | |
/// | 56 | `release` | `dictionary` | |
/// | 64 | `private_data` | `release` | |
/// | 72 | | `private_data` | |
///
/// A struct whose `release` is null is released, or was moved to another place.
/// See [The Arrow C data interface](https://arrow.apache.org/docs/format/CDataInterface.html).
public enum CStruct {
    SCHEMA(32, 40, 48, 56), ARRAY(32, 48, 56, 64), STREAM(0, 0, 0, 24);

    static final long SCHEMA_FORMAT = 0;
    static final long SCHEMA_NAME = 8;
    static final long SCHEMA_METADATA = 16;
    static final long SCHEMA_FLAGS = 24;
    static final long ARRAY_LENGTH = 0;
    static final long ARRAY_NULL_COUNT = 8;
    static final long ARRAY_N_BUFFERS = 24;
    static final long ARRAY_BUFFERS = 40;
    static final long STREAM_GET_SCHEMA = 0;
    static final long STREAM_GET_NEXT = 8;
    static final long STREAM_GET_LAST_ERROR = 16;

    /// `ARROW_FLAG_NULLABLE`
    static final long FLAG_NULLABLE = 2;

    // Offsets. A stream has no children.
    final long childCount;
    final long children;
    final long dictionary;
    final long release;

    CStruct(long childCount, long children, long dictionary, long release) {
        this.childCount = childCount;
        this.children = children;
        this.dictionary = dictionary;
        this.release = release;
    }

    long privateData() {
        return release + Long.BYTES;
    }

    /// The private data is the last member.
    long byteSize() {
        return privateData() + Long.BYTES;
    }

    /// Clears a struct, which is then a released one.
    void clear(long struct) {
        Memory.zero(struct, byteSize());
    }

    boolean isReleased(long struct) {
        return Memory.getLong(struct + release) == 0;
    }

    /// Completes a struct. From now on, it can be released.
    ///
    /// @param number the number of the struct
    void complete(long struct, long number) {
        Memory.putLong(struct + privateData(), number);
        Memory.putLong(struct + release, Callbacks.release(this));
    }

    /// Releases a struct, with its children and its dictionary. A released struct stays as it is.
    void release(long struct) {
        if (struct == 0 || isReleased(struct)) {
            return;
        }
        // First, so that nothing is released twice if an Error interrupts this method.
        Memory.putLong(struct + release, 0);
        long number = Memory.getLong(struct + privateData());
        Export export = ExportTable.find(number);
        // If a copy of the struct was released before, its children may be freed already.
        if (export != null && export.release(number)) {
            if (this != STREAM) {
                releaseChildren(struct);
            }
            export.countReleased();
        }
    }

    private void releaseChildren(long struct) {
        long count = Memory.getLong(struct + childCount);
        long pointers = Memory.getLong(struct + children);
        for (long i = 0; i < count; i++) {
            release(Memory.getLong(pointers + i * Long.BYTES));
        }
        release(Memory.getLong(struct + dictionary));
    }
}
