package dev.arenakit.internal.scope;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// An arena with the scope of a confined arena of the JDK, whose close C2 inlines together with its open.
public abstract class ConfinedArena {
    /*
     * An empty session takes 2 ns only if C2 inlines close(), and C2 inlines a compiled method only if its code is
     * small. In a program that closes shared arenas and arenas of the JDK, the close of the JDK's arena alone takes
     * 2,300 of the 2,500 bytes. It must be inlined where C2 has inlined the code that opened the arena, and must not be
     * inlined where close() is compiled alone. Hence a virtual call whose profile has three classes. The receivers of
     * the first two are constants whose method does nothing, so that C2 omits these calls; it knows the class of the
     * third only where it has seen the arena being created. If the receiver were another object, to which the arena
     * referred, C2 would not know its class, and would not inline the call.
     *
     * C2 also knows the method of a class without subclasses. Therefore the second receiver is of a subclass of the
     * arena's class.
     */
    private static final ConfinedArena FIRST = new First();

    public final Arena delegate;
    /// All of memory, as a segment in the scope.
    public final MemorySegment view;

    protected ConfinedArena(Arena delegate, MemorySegment view) {
        this.delegate = delegate;
        this.view = view;
    }

    /// A receiver of [#endScope()] that is no arena.
    @SuppressWarnings("NullAway")
    protected ConfinedArena() {
        this.delegate = null;
        this.view = null;
    }

    public final MemorySegment.Scope scope() {
        return delegate.scope();
    }

    /// Ends the scope of an arena.
    ///
    /// @param second a constant of a subclass of the arena's class, whose [#endScope()] does nothing
    protected static void endScope(ConfinedArena second, ConfinedArena arena) {
        end(FIRST);
        end(second);
        end(arena);
    }

    private static void end(ConfinedArena arena) {
        arena.endScope();
    }

    /// Ends the scope, and does nothing else: its compiled code is as large as the JDK's method.
    protected void endScope() {
        Scopes.closeConfined(delegate);
    }

    private static final class First extends ConfinedArena {
        @Override
        protected void endScope() {
            // A constant receiver of a call that C2 omits.
        }
    }
}
