package dev.arenakit.junit;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// The arenas of one test with [NoLeaks]: a parameter of its method. After the test, all of them must be closed.
///
/// Any thread may use it.
public final class TestArenas {
    private record Opened(Arena arena, Throwable opening) {}

    private final List<Opened> arenas = new CopyOnWriteArrayList<>();

    TestArenas() {}

    /// Opens an arena for the current thread, which must close it.
    ///
    /// @return the arena
    public Arena ofConfined() {
        return watch(Arena.ofConfined());
    }

    /// Opens an arena for all threads.
    ///
    /// @return the arena
    public Arena ofShared() {
        return watch(Arena.ofShared());
    }

    /// Watches an arena of any kind that can be closed.
    ///
    /// @param <A>   the type of the arena
    /// @param arena the arena
    /// @return the same arena
    public <A extends Arena> A watch(A arena) {
        arenas.add(new Opened(arena, new Throwable("An arena was opened here and not closed: " + arena)));
        return arena;
    }

    /// The stacks of the arenas that are open.
    List<Throwable> open() {
        return arenas.stream()
                .filter(opened -> opened.arena.scope().isAlive())
                .map(Opened::opening)
                .toList();
    }
}
