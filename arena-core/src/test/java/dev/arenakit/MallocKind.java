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

    MallocArena.Builder builder() {
        MallocArena.Builder builder = shared ? MallocArena.builder().shared() : MallocArena.builder();
        return checked ? builder.checked() : builder;
    }

    MallocArena open(NativeAllocator allocator) {
        return builder().allocator(allocator).build();
    }
}
