package dev.arenakit;

import dev.arenakit.internal.Memory;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class NativeAllocatorTest {
    private static final SymbolLookup LIBC = Linker.nativeLinker().defaultLookup();
    private static final List<String> NAMES = List.of("malloc", "calloc", "free", "aligned_alloc");

    @Test
    void everyFunction_ofEveryKindOfCall_servesBlocks() {
        NativeAllocator plain = ofLibc();
        assertThat(plain).hasToString("mine");
        AllocatorSession.run(NativeAllocator.libc());
        AllocatorSession.run(plain);
        AllocatorSession.run(plain.withCriticalCalls());
    }

    @Test
    void withCriticalCalls_anyAllocator_isAnotherOfTheSameFunctions() {
        NativeAllocator plain = ofLibc();
        NativeAllocator critical = plain.withCriticalCalls();
        assertThat(critical).isNotSameAs(plain).hasToString("mine");
        critical.free(plain.allocate(100, 8), 100, 8);
    }

    @Test
    void of_lookupWithoutAFunction_namesIt() {
        for (String missing : NAMES) {
            SymbolLookup lookup = name -> name.equals(missing) ? Optional.empty() : LIBC.find(name);
            assertThatThrownBy(() -> of(lookup)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Allocator lacks a function: allocator=mine, function=" + missing);
        }
    }

    @Test
    void mimalloc_pathThatDoesNotExist_namesPathAndRemedy(@TempDir Path directory) {
        Path path = directory.resolve("libnothing.so");
        assertRefused(() -> NativeAllocator.mimalloc(path), "Cannot load library: path=" + path,
                "check that it exists");
    }

    @Test
    void jemalloc_pathThatDoesNotExist_namesTheRemedyForStaticThreadLocalStorage(@TempDir Path directory) {
        Path path = directory.resolve("libnothing.so");
        assertRefused(() -> NativeAllocator.jemalloc(path), "Cannot load library: path=" + path,
                "GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384");
    }

    /// A library of the JDK depends on libc, so that a lookup finds `malloc` in it.
    @Test
    void anyLibrary_thatIsAnotherOne_isRejected() {
        Path lib = Path.of(System.getProperty("java.home"), "lib", System.mapLibraryName("java"));
        // Windows has the libraries of the JDK beside its programs.
        Path path = Files.exists(lib) ? lib : lib.resolveSibling("../bin").resolve(lib.getFileName());
        assertThat(path).exists();
        assertThatThrownBy(() -> NativeAllocator.mimalloc(path)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Allocator lacks a function: allocator=mimalloc, function=mi_malloc");
        assertThatThrownBy(() -> NativeAllocator.jemalloc(path)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Allocator lacks a function: allocator=jemalloc, function=mallctl");
    }

    /// As on Windows: a pool over such functions, and each alignment that pools and free lists ask for.
    @Test
    void of_noAlignedAlloc_alignsBlocksOfMalloc() {
        NativeAllocator plain = NativeAllocator.of("mine", LIBC, "malloc", "calloc", "free");
        for (NativeAllocator allocator : List.of(plain, plain.withCriticalCalls())) {
            AllocatorSession.run(allocator);
            for (long byteAlignment = 1; byteAlignment <= 2 << 20; byteAlignment *= 2) {
                for (long byteSize : new long[]{0, 1, byteAlignment - 1, byteAlignment, 70_000}) {
                    MemorySegment zeroed = Memory
                            .segment(allocator.functions().allocateBlock(byteSize, byteAlignment, true), byteSize);
                    assertThat(zeroed.address() % byteAlignment).isZero();
                    assertThat(Bytes.allAre(zeroed, (byte) 0)).isTrue();
                    zeroed.fill((byte) 1);
                    allocator.free(zeroed.address(), byteSize, byteAlignment);
                }
            }
        }
        try (SlabPool pool = SlabPool.builder().allocator(plain).build(); SlabArena arena = pool.openConfined()) {
            assertThat(arena.allocate(100_000, 2 << 20).address() % (2 << 20)).isZero();
        }
    }

    @Test
    void release_noAlignedAlloc_refusesAlignmentThatFreeDoesNotKnow() {
        NativeAllocator plain = NativeAllocator.of("mine", LIBC, "malloc", "calloc", "free");
        for (MallocKind kind : MallocKind.values()) {
            try (MallocArena arena = kind.open(plain); MallocArena other = MallocArena.ofConfined()) {
                for (int i = 0; i < 2; i++) {
                    MemorySegment block = arena.allocate(100, 32).fill((byte) 5);
                    assertThatThrownBy(() -> arena.release(block)).isInstanceOf(UnsupportedOperationException.class)
                            .hasMessageContaining("byteAlignment=32, largest=16; ");
                    assertThat(Bytes.allAre(block, (byte) 5)).isTrue();
                    other.adopt(arena.release(arena.allocate(100, 16)));
                    arena.free(block);
                }
            }
        }
    }

    @Test
    void allocate_noBytes_givesEachTimeAnotherBlock() {
        NativeAllocator libc = NativeAllocator.libc();
        for (long byteAlignment : new long[]{1, 16, 64, 4096}) {
            long first = libc.allocate(0, byteAlignment);
            long second = libc.functions().allocateBlock(0, byteAlignment, true);
            assertThat(first).isNotZero().isNotEqualTo(second);
            assertThat(first % byteAlignment).isZero();
            assertThat(second % byteAlignment).isZero();
            libc.free(first, 0, byteAlignment);
            libc.free(second, 0, byteAlignment);
        }
    }

    /// calloc has the signature of aligned_alloc, but not its behavior: it takes the alignment for a count.
    @Test
    void allocate_functionThatIgnoresTheAlignment_isIllegalState() {
        NativeAllocator wrong = NativeAllocator.of("wrong", LIBC, "malloc", "calloc", "free", "calloc");
        List<Long> aligned = new ArrayList<>();
        assertThatThrownBy(() -> {
            for (int i = 0; i < 100; i++) {
                // Not freed at once: a block that is aligned by chance would be handed out each time.
                aligned.add(wrong.allocate(100, 4096));
            }
        }).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Allocator ignores the alignment: allocator=wrong, byteAlignment=4096");
        aligned.forEach(block -> wrong.free(block, 100, 4096));
    }

    private static NativeAllocator ofLibc() {
        return LIBC.find("aligned_alloc").isPresent()
                ? of(LIBC)
                : NativeAllocator.of("mine", LIBC, "malloc", "calloc", "free");
    }

    private static NativeAllocator of(SymbolLookup lookup) {
        return NativeAllocator.of("mine", lookup, "malloc", "calloc", "free", "aligned_alloc");
    }

    @Test
    void failing_allRefused_isOutOfMemoryWithTheNameOfTheOther() {
        List<Long> asked = new ArrayList<>();
        NativeAllocator failing = NativeAllocator.failing(NativeAllocator.libc(), byteSize -> {
            asked.add(byteSize);
            return true;
        });
        assertThat(failing).hasToString("libc");
        assertThatThrownBy(() -> failing.allocate(100, 8)).isInstanceOf(OutOfMemoryError.class)
                .hasMessage("Native memory exhausted: byteSize=100, byteAlignment=8, allocator=libc, tried=malloc");
        assertThatThrownBy(() -> failing.allocate(200, 64)).isInstanceOf(OutOfMemoryError.class);
        assertThat(asked).containsExactly(100L, 200L);
    }

    @Test
    void failing_ofAFailingOne_refusesWhatEitherRefuses() {
        NativeAllocator small = NativeAllocator.failing(NativeAllocator.libc(), byteSize -> byteSize < 10);
        NativeAllocator both = NativeAllocator.failing(small, byteSize -> byteSize > 100);
        assertThatThrownBy(() -> both.allocate(9, 1)).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> both.allocate(101, 1)).isInstanceOf(OutOfMemoryError.class);
        long address = both.allocate(50, 1);
        NativeAllocator.libc().free(address, 50, 1);
    }

    @Test
    void withCriticalCalls_ofAFailingOne_stillRefuses() {
        NativeAllocator failing = NativeAllocator.failing(NativeAllocator.libc(), _ -> true).withCriticalCalls();
        try (MallocArena arena = MallocArena.builder().allocator(failing).build()) {
            assertThatThrownBy(() -> arena.allocate(10, 8)).isInstanceOf(OutOfMemoryError.class);
        }
    }
}
