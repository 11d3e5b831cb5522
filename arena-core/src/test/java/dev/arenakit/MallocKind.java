package dev.arenakit;

/// The four kinds of arenas that [MallocArena.Builder] builds, for tests that apply to all of them.
enum MallocKind {
    CONFINED(false, false), SHARED(true, false), CHECKED(false, true), CHECKED_SHARED(true, true);

    final boolean shared;
    final boolean checked;

    MallocKind(boolean shared, boolean checked) {
        this.shared = shared;
        this.checked = checked;
    }

    MallocArena open(NativeAllocator allocator) {
        MallocArena.Builder builder = MallocArena.builder().allocator(allocator);
        if (shared) {
            builder.shared();
        }
        if (checked) {
            builder.checked();
        }
        return builder.build();
    }
}
