package dev.arenakit.bench.contract;

import dev.arenakit.MallocArena;
import dev.arenakit.bench.candidate.ArenaFactory;
import dev.arenakit.bench.candidate.ArenaProvider;
import dev.arenakit.bench.candidate.ContractException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/// Broken arenas run the contract in this JVM.
class JUnitContractSuiteTest {
    /// Tests that run out of memory fail like others, with numbers that differ.
    @Test
    void run_ofArenasThatAreSoonFull_groupsEqualFailuresAndKeepsTheEndOfTheirMessage() {
        ContractException broken = failures(() -> new SmallArena(Arena.ofConfined()));

        assertThat(broken.summary()).matches("\\d\\d of \\d\\d tests fail, \\d\\d of them: "
                + "java.lang.OutOfMemoryError: The block of the arena is full: .* \\.\\.\\. "
                + ".*; open an arena over a larger block");
        assertThat(broken.failures()).hasSizeLessThan(8);
        assertThat(broken.failures().getFirst())
                .matches(
                        "[a-z]\\w+ \\(\\w+.java:\\d+\\), and \\d\\d more\\n    \\Qjava.lang.OutOfMemoryError: The\\E.*");
    }

    @Test
    void run_ofArenasThatDoNotZero_namesTheMethodThatDeclaresIt() {
        ContractException broken = failures(MallocArena::ofConfined);

        assertThat(broken.failures()).isNotEmpty()
                .allSatisfy(failure -> assertThat(failure).contains("_isZeroedAsClaimed ")
                        .endsWith("; return false from isZeroed() if the arenas do not zero"));
    }

    private static ContractException failures(ArenaFactory factory) {
        return catchThrowableOfType(ContractException.class, () -> JUnitContractSuite.run(new ArenaProvider() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public ArenaFactory create() {
                return factory;
            }
        }));
    }

    /// Allocates from one block of 1 MiB.
    private record SmallArena(Arena arena, SegmentAllocator block) implements Arena {
        SmallArena(Arena arena) {
            this(arena, SegmentAllocator.slicingAllocator(arena.allocate(1 << 20)));
        }

        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            try {
                return block.allocate(byteSize, byteAlignment);
            } catch (IndexOutOfBoundsException e) {
                throw new OutOfMemoryError("The block of the arena is full: block=" + block + ", byteSize=" + byteSize
                        + ", byteAlignment=" + byteAlignment + ", scope=" + arena.scope()
                        + ", allocator=" + block + "; open an arena over a larger block");
            }
        }

        @Override
        public MemorySegment.Scope scope() {
            return arena.scope();
        }

        @Override
        public void close() {
            arena.close();
        }
    }
}
