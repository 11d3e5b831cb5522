package dev.arenakit.contract;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static dev.arenakit.contract.ContractSizes.ADDRESSABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// The calls that are rejected, their exceptions, and the order of the checks: arguments, thread, liveness, and only
/// then memory.
interface RefusalContract extends ArenaUnderTest {

    /// Arguments of an allocation, and the value of the invalid one.
    record Arguments(long byteSize, long byteAlignment, long invalid) {
        @SuppressWarnings("resource") // Nothing is allocated: the call throws.
        ThrowingCallable in(Arena arena) {
            return () -> arena.allocate(byteSize, byteAlignment);
        }
    }

    private static List<Arguments> wrong() {
        List<Arguments> all = new ArrayList<>();
        for (long byteSize : new long[]{-1, -8, -ADDRESSABLE, Long.MIN_VALUE}) {
            all.add(new Arguments(byteSize, 1, byteSize));
            all.add(new Arguments(byteSize, 8, byteSize));
        }
        for (long byteAlignment : new long[]{0, 3, 24, (1L << 20) + 1, Long.MAX_VALUE, -1, -8, Long.MIN_VALUE}) {
            all.add(new Arguments(0, byteAlignment, byteAlignment));
            all.add(new Arguments(16, byteAlignment, byteAlignment));
            all.add(new Arguments(Long.MAX_VALUE, byteAlignment, byteAlignment));
        }
        return all;
    }

    private List<Arguments> beyondTheAddressSpace() {
        List<Arguments> all = new ArrayList<>();
        for (long byteSize : new long[]{ADDRESSABLE, ADDRESSABLE + 1, 1L << 62, Long.MAX_VALUE - 7, Long.MAX_VALUE}) {
            all.add(new Arguments(byteSize, 1, byteSize));
            all.add(new Arguments(byteSize, capabilities().largestAlignment(), byteSize));
        }
        if (capabilities().largestAlignment() >= ADDRESSABLE) {
            all.add(new Arguments(0, 2 * ADDRESSABLE, 2 * ADDRESSABLE));
            all.add(new Arguments(1, 1L << 62, 1L << 62));
            all.add(new Arguments(ADDRESSABLE / 2 + 1, ADDRESSABLE / 2, ADDRESSABLE / 2 + 1));
        }
        return all;
    }

    @Test
    default void allocate_sizeOrAlignmentThatIsNotSupported_isRejectedWithTheValue() {
        List<Arguments> all = wrong();
        for (long byteAlignment = 2 * capabilities().largestAlignment(); byteAlignment > 0; byteAlignment *= 2) {
            for (long byteSize : new long[]{0, 1, 1_000_000, Long.MAX_VALUE}) {
                all.add(new Arguments(byteSize, byteAlignment, byteAlignment));
            }
        }
        try (Arena arena = open()) {
            for (Arguments arguments : all) {
                assertThatThrownBy(arguments.in(arena)).as("%s", arguments)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(Long.toString(arguments.invalid));
            }
        }
    }

    @Test
    default void allocate_beyondTheAddressSpace_isOutOfMemory() {
        try (Arena arena = open()) {
            for (Arguments arguments : beyondTheAddressSpace()) {
                assertThatThrownBy(arguments.in(arena)).as("%s", arguments).isInstanceOf(OutOfMemoryError.class);
            }
        }
    }

    @Test
    default void allocate_rejected_leavesNothingBehind() {
        List<Arguments> refused = new ArrayList<>(wrong());
        refused.addAll(beyondTheAddressSpace());
        // Just below the limit of the arithmetic check, so that memory is really requested; no process has an address
        // range of that size.
        refused.add(new Arguments(ADDRESSABLE - 4096, 1, 0));
        try (Arena arena = open()) {
            LiveSegments live = new LiveSegments();
            for (Arguments arguments : refused) {
                live.add(arena.allocate(40, 1));
                long held = held().orElse(0);
                assertThatThrownBy(arguments.in(arena)).as("%s", arguments).isNotNull();
                assertThat(held().orElse(0)).as("memory held after the rejection of %s", arguments).isEqualTo(held);
            }
            live.assertDisjointAndIntact();
        }
    }

    @Test
    default void allocate_wrongArgumentsInAClosedArena_areRejectedAsArguments() {
        Arena arena = open();
        arena.close();
        for (Arguments arguments : wrong()) {
            assertThatThrownBy(arguments.in(arena)).as("%s", arguments).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    default void allocate_beyondTheAddressSpaceInAClosedArena_isIllegalState() {
        Arena arena = open();
        arena.close();
        for (Arguments arguments : beyondTheAddressSpace()) {
            assertThatThrownBy(arguments.in(arena)).as("%s", arguments).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    default void allocate_wrongArgumentsFromAnotherThread_areRejectedAsArguments() {
        try (Arena arena = open()) {
            for (Arguments arguments : wrong().subList(0, 12)) {
                assertThat(OtherThreads.thrownBy(() -> arena.allocate(arguments.byteSize, arguments.byteAlignment)))
                        .as("%s", arguments)
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    default void allocate_beyondTheAddressSpaceFromAnotherThread_checksTheThreadFirst() {
        try (Arena arena = open()) {
            for (Arguments arguments : beyondTheAddressSpace()) {
                assertThat(OtherThreads.thrownBy(() -> arena.allocate(arguments.byteSize, arguments.byteAlignment)))
                        .as("%s", arguments)
                        .isInstanceOf(capabilities().shared() ? OutOfMemoryError.class : WrongThreadException.class);
            }
        }
    }

    @Test
    default void allocate_fromAnotherThreadInAClosedArena_checksTheThreadFirst() {
        Arena arena = open();
        arena.close();
        assertThat(OtherThreads.thrownBy(() -> arena.allocate(8, 8))).isInstanceOf(
                capabilities().shared() ? IllegalStateException.class : WrongThreadException.class);
    }

    @Test
    default void close_fromAnotherThreadOfAClosedArena_checksTheThreadFirst() {
        Arena arena = open();
        arena.close();
        assertThat(OtherThreads.thrownBy(() -> {
            arena.close();
            return null;
        })).isInstanceOf(capabilities().shared() ? IllegalStateException.class : WrongThreadException.class);
    }
}
