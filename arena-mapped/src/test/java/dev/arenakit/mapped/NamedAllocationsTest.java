package dev.arenakit.mapped;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/// Tests allocations with names: bytes without a type, allocations that are opened or made, and the list of names.
@ParameterizedClass
@ValueSource(booleans = {false, true})
class NamedAllocationsTest extends InDirectory {
    private static final StructType POINT = StructType.builder("Point")
            .add("x", ValueType.of(int.class))
            .add("y", ValueType.of(int.class))
            .build();

    private final boolean chunked;

    NamedAllocationsTest(boolean chunked) {
        super(TestFileSystem.BUILD);
        this.chunked = chunked;
    }

    private InfiniteArena open() {
        InfiniteArenaBuilder builder = InfiniteArena.builder(base);
        return (chunked ? builder.chunked(1 << 20) : builder).openOrCreate();
    }

    @Test
    void allocate_ofBytesWithAName_isFoundAndHasNoType() throws IOException {
        try (InfiniteArena arena = open()) {
            MemorySegment bytes = arena.names().allocate("bytes", 1_000, 256);
            assertThat(bytes.byteSize()).isEqualTo(1_000);
            assertThat(bytes.address() % 256).isZero();
            bytes.fill((byte) 7);
            assertThat(arena.names().get("bytes")).isEqualTo(bytes);
            assertThat(arena.names().allocate("none", 0, 1).byteSize()).isZero();
        }
        try (InfiniteArena arena = open()) {
            assertThat(arena.names().get("bytes").toArray(JAVA_BYTE)).hasSize(1_000).containsOnly(7);
            assertThat(arena.names().find("none")).map(MemorySegment::byteSize).contains(0L);
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.integrity().problems()).isEmpty();
            Allocation bytes = image.find("bytes").orElseThrow();
            assertThat(bytes.typeText()).isEmpty();
            assertThat(bytes.byteAlignment()).isEqualTo(256);
        }
    }

    @Test
    void allocate_ofBytesWithBadArguments_isRefusedAndLeavesTheNameFree() {
        try (InfiniteArena arena = open()) {
            assertThatIllegalArgumentException().isThrownBy(() -> arena.names().allocate("bytes", -1, 8));
            assertThatIllegalArgumentException().isThrownBy(() -> arena.names().allocate("bytes", 8, 3));
            assertThatIllegalArgumentException().isThrownBy(() -> arena.names().allocate("bytes", 8, 1L << 30))
                    .withMessageStartingWith("Alignment too large");
            assertThatIllegalArgumentException().isThrownBy(() -> arena.names().allocate("#1", 8, 8));
            assertThat(arena.names().list()).isEmpty();
            arena.names().allocate("bytes", 8, 8);
            assertThatIllegalArgumentException().isThrownBy(() -> arena.names().allocate("bytes", 8, 8))
                    .withMessageStartingWith("Name is in use: name=bytes");
        }
    }

    @Test
    void find_ofBytesAsStructs_isRefused() {
        try (InfiniteArena arena = open()) {
            arena.names().allocate("bytes", 80, 8);
            assertThatIllegalStateException().isThrownBy(() -> arena.names().get("bytes", POINT))
                    .withMessageStartingWith("Allocation is of another type: name=bytes, recorded=none, "
                            + "requested=struct Point of byteSize=8 and byteAlignment=4");
            assertThatIllegalStateException().isThrownBy(() -> arena.names().growable("bytes", POINT, 10));
            assertThatIllegalArgumentException().isThrownBy(() -> arena.structures().repair("bytes"))
                    .withMessageStartingWith("Allocation is not a structure: name=bytes");
        }
    }

    @Test
    void resize_ofBytes_countsBytes() {
        try (InfiniteArena arena = open()) {
            MemorySegment bytes = arena.names().allocate("bytes", 100, 8);
            assertThat(arena.names().resize("bytes", 100)).isEqualTo(bytes);
            if (chunked) {
                assertThatIllegalStateException().isThrownBy(() -> arena.names().resize("bytes", 5_000));
            } else {
                assertThat(arena.names().resize("bytes", 5_000).byteSize()).isEqualTo(5_000);
            }
        }
    }

    @Test
    void getOrAllocate_sameTypeAndCount_isTheSameMemoryInEveryRun() {
        for (int run = 0; run < 3; run++) {
            try (InfiniteArena arena = open()) {
                MemorySegment points = arena.names().getOrAllocate("points", POINT, 3);
                assertThat(points.byteSize()).isEqualTo(24);
                assertThat(points.getAtIndex(JAVA_INT, 5)).isEqualTo(run);
                points.setAtIndex(JAVA_INT, 5, run + 1);
                assertThat(arena.names().getOrAllocate("points", POINT, 3)).isEqualTo(points);
                assertThat(arena.names().list()).containsExactly("points");
            }
        }
    }

    @Test
    void getOrAllocate_anotherCount_isRefusedWithTheWayToGrow() {
        using(open(), arena -> arena.names().getOrAllocate("points", POINT, 3));
        try (InfiniteArena arena = open()) {
            for (long count : new long[]{0, 2, 4}) {
                assertThatIllegalStateException().isThrownBy(() -> arena.names().getOrAllocate("points", POINT, count))
                        .withMessage("Allocation has another count: name=points, recorded=3, requested=" + count
                                + "; get returns it, resize grows it in a plain arena, and growable is for structs "
                                + "whose number grows");
            }
            assertThat(arena.names().getOrAllocate("points", POINT, 3).byteSize()).isEqualTo(24);
        }
    }

    @Test
    void getOrAllocate_anotherType_isRefusedWithTheMemberThatDiffers() {
        StructType wide = StructType.builder("Point")
                .add("x", ValueType.of(long.class))
                .build();
        try (InfiniteArena arena = open()) {
            arena.names().getOrAllocate("points", POINT, 3);
            arena.names().allocate("bytes", 24, 8);
            assertThatIllegalStateException().isThrownBy(() -> arena.names().getOrAllocate("points", wide, 3))
                    .withMessageStartingWith(
                            "Allocation is of another type: name=points, member=x, recorded=int32_t x");
            assertThatIllegalStateException().isThrownBy(() -> arena.names().getOrAllocate("bytes", POINT, 3))
                    .withMessageStartingWith("Allocation is of another type: name=bytes, recorded=none");
        }
    }

    @Test
    void getOrAllocate_typeWithAMemberForSeveralValues_isTheSameInEveryRun() throws IOException {
        StructType type = LayoutText.parse("""
                #pragma layout 3
                struct Reply { int8_t kind; union @switch(kind) { int8_t yes @case(1, 2); int8_t no @case(3); } body; };
                """);
        for (int run = 0; run < 2; run++) {
            using(open(),
                    arena -> assertThat(arena.names().getOrAllocate("replies", type, 5).byteSize()).isEqualTo(10));
        }
        using(ArenaImage.open(base), image -> assertThat(image.type(image.get("replies", type))).contains(type));
    }

    @Test
    void getOrAllocate_memoryThatGrows_isOpenedAtItsPresentCount() {
        try (InfiniteArena arena = open()) {
            GrowableSegment points = arena.names().growable("points", POINT, 1_000);
            points.grow(80);
            assertThat(arena.names().getOrAllocate("points", POINT, points.byteSize() / 8)).isEqualTo(points.segment());
            assertThatIllegalStateException().isThrownBy(() -> arena.names().getOrAllocate("points", POINT, 1_000))
                    .withMessageContaining("requested=1000");
        }
    }

    @Test
    void getOrAllocate_badArguments_isRefused() {
        InfiniteArena arena = open();
        try (arena) {
            assertThatIllegalArgumentException().isThrownBy(() -> arena.names().getOrAllocate("#1", POINT, 1));
            assertThatIllegalArgumentException().isThrownBy(() -> arena.names().getOrAllocate("points", POINT, -1));
            assertThat(arena.names().list()).isEmpty();
        }
        assertAllRefused(arena, "closed");
        assertThatIllegalStateException().isThrownBy(arena::force);
        try (InfiniteArena off = InfiniteArena.builder(directory.resolve("off")).catalog(CatalogLevel.OFF).build()) {
            off.allocate(100, 1);
            assertAllRefused(off, "Arena has no catalog for names: ");
            off.force();
        }
        assertThat(TestFileSystem.names(directory)).contains("off-0").doesNotContain("off.catalog", "off.lock");
    }

    private static void assertAllRefused(InfiniteArena arena, String reason) {
        ArenaNames names = arena.names();
        for (ThrowingCallable call : List.<ThrowingCallable>of(() -> names.getOrAllocate("a", POINT, 1),
                () -> names.allocate("a", 8, 8), () -> names.allocate("a", POINT, 1), () -> names.find("a"),
                () -> names.get("a"), () -> names.free("a"), names::list)) {
            assertThatIllegalStateException().isThrownBy(call).withMessageContaining(reason);
        }
    }

    @Test
    void getOrAllocate_fromManyThreads_isOneAllocationForEachName() throws IOException {
        int rounds = 50;
        try (InfiniteArena arena = open()) {
            for (int round = 0; round < rounds; round++) {
                String name = "points-" + round;
                Set<MemorySegment> found = ConcurrentHashMap.newKeySet();
                Threads.race(4, _ -> found.add(arena.names().getOrAllocate(name, POINT, 2)));
                assertThat(found).hasSize(1);
            }
            assertThat(arena.names().list()).hasSize(rounds);
        }
        using(ArenaImage.open(base), image -> assertThat(image.allocations()).hasSize(rounds));
    }

    @Test
    void names_areTheLiveOnesInAlphabeticalOrderAndASnapshot() {
        try (InfiniteArena arena = open()) {
            for (String name : List.of("b", "c", "a", "d")) {
                arena.names().allocate(name, POINT, 1);
            }
            arena.names().growable("0", POINT, 10);
            arena.names().free("c");
            arena.allocate(8, 8);
            List<String> names = arena.names().list();
            assertThat(names).containsExactly("0", "a", "b", "d");
            arena.names().allocate("e", 8, 8);
            assertThat(names).hasSize(4);
        }
        using(open(), arena -> assertThat(arena.names().list()).containsExactly("0", "a", "b", "d", "e"));
    }
}
