package dev.arenakit.contracttest;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// The arenas of the JDK are the reference and pass the contract. So does the arena that the faults are planted in,
/// without a fault.
@Tag("full")
@ParameterizedClass
@EnumSource(ReferenceArenasContractTest.Kind.class)
class ReferenceArenasContractTest implements ArenaContract {
    enum Kind {
        JDK_CONFINED, JDK_SHARED, TINY_CONFINED, TINY_SHARED, TINY_ALIGNED_TO_A_PAGE;

        boolean isTiny() {
            return name().startsWith("TINY");
        }

        boolean isShared() {
            return name().endsWith("SHARED");
        }
    }

    private final Kind kind;
    private final TinyPool pool = new TinyPool();

    ReferenceArenasContractTest(Kind kind) {
        this.kind = kind;
    }

    @Override
    public Arena open() {
        if (kind.isTiny()) {
            return new TinyArena(pool, capabilities());
        }
        return kind.isShared() ? Arena.ofShared() : Arena.ofConfined();
    }

    @Override
    public Capabilities capabilities() {
        Capabilities all = kind.isShared() ? Capabilities.ofShared() : Capabilities.ofConfined();
        return kind == Kind.TINY_ALIGNED_TO_A_PAGE ? all.withLargestAlignment(4_096) : all;
    }

    @Override
    public OptionalLong held() {
        return kind.isTiny() ? OptionalLong.of(pool.held.get()) : OptionalLong.empty();
    }
}
