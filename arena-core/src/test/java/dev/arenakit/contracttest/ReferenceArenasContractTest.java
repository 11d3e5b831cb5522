package dev.arenakit.contracttest;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// The arenas of the JDK are the reference and pass the contract. So does the arena that the faults are planted in,
/// without a fault.
@ParameterizedClass
@EnumSource(ReferenceArenasContractTest.Kind.class)
class ReferenceArenasContractTest implements ArenaContract {
    enum Kind {
        JDK_CONFINED(Capabilities.ofConfined()), JDK_SHARED(Capabilities.ofShared()), //
        TINY_CONFINED(Capabilities.ofConfined()), TINY_SHARED(Capabilities.ofShared()), //
        TINY_ALIGNED_TO_A_PAGE(Capabilities.ofConfined().withLargestAlignment(4_096));

        private final Capabilities capabilities;

        Kind(Capabilities capabilities) {
            this.capabilities = capabilities;
        }

        boolean isTiny() {
            return name().startsWith("TINY");
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
            return new TinyArena(pool, kind.capabilities);
        }
        return kind == Kind.JDK_SHARED ? Arena.ofShared() : Arena.ofConfined();
    }

    @Override
    public Capabilities capabilities() {
        return kind.capabilities;
    }

    @Override
    public OptionalLong held() {
        return kind.isTiny() ? OptionalLong.of(pool.held.get()) : OptionalLong.empty();
    }
}
