package dev.arenakit.mapped;

import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.file.AddressRange;
import dev.arenakit.internal.file.DescriptionLock;
import dev.arenakit.internal.file.MappedPages;
import dev.arenakit.internal.ring.Futex;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ArenaPages.Advice;
import dev.arenakit.mapped.internal.arena.NamedAllocations;
import dev.arenakit.mapped.internal.catalog.BootId;
import dev.arenakit.mapped.io.MappedWindow;
import dev.arenakit.mapped.io.MappedWindows;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.mapped.io.WindowKind;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/// Tests where native access is denied, and on a system that the library does not know, which properties of the JVM
/// pretend. The JDK does not use these properties.
class PortableTest extends InDirectory {
    private static final List<String> NEED_NATIVE_CALLS = List.of("reserved", "randomAccess", "free", "advise",
            "prefault", "residentBytes");

    /// Other tests assume these capabilities, and an assumption that fails on Linux would hide a defect.
    @Test
    @EnabledOnOs(value = OS.LINUX, architectures = {"amd64", "aarch64"})
    void capabilities_onLinux_areThoseThatTestsAssume() {
        assertThat(List.of(AddressRange.isKnownFor(directory), DescriptionLock.isAvailableFor(base),
                MappedPages.isAvailable(), PageMappings.isSupported(), Futex.isAvailable(),
                BootId.current() != BootId.UNKNOWN)).containsOnly(true);
        assertThatCode(() -> {
            TestFileSystem.assumeLinks(directory);
            TestFileSystem.assumeDeletionOfMappedFiles(directory);
            TestFileSystem.assumePermissions(directory);
        }).doesNotThrowAnyException();
    }

    @Test
    void use_nativeAccessDenied_namesTheFlagEachTime() throws Exception {
        TestFileSystem.assumeHoles(directory);
        check(ChildJvm.onModulePath(ChildJvm.DENY, "-Xmx64m").command(Child.class, base.toString()),
                "IllegalCallerException: Native access is denied: module=dev.arenakit; "
                        + "start java with --enable-native-access=dev.arenakit");
    }

    @Test
    @Tag("full")
    void use_unknownSystem_namesSystemAndArchitectureEachTime() throws Exception {
        check(ChildJvm.granted("-Dos.name=Plan 9", "-Dos.arch=riscv64").command(Child.class, base.toString()),
                "UnsupportedOperationException", "Linux x86-64 and aarch64 only",
                "system=Plan 9, architecture=riscv64");
    }

    private void check(ProcessBuilder command, String... expected) throws Exception {
        List<String> lines = ChildJvm.run(command).lines().toList();
        assertThat(lines).as("each is called twice").hasSize(2 * NEED_NATIVE_CALLS.size());
        for (int i = 0; i < lines.size(); i++) {
            assertThat(lines.get(i)).startsWith(NEED_NATIVE_CALLS.get(i % NEED_NATIVE_CALLS.size()) + " java.lang.")
                    .contains(expected);
        }
        assertThat(TestFileSystem.names(directory)).noneMatch(name -> name.startsWith("other"));
    }

    /// Uses all methods that control the space of large memory, in a process without native calls. Methods that need no
    /// native calls work, or an error ends the process. The exceptions of the other methods are printed, twice.
    static final class Child {
        private static final StructType INTS = NamedAllocations.structOf(JAVA_INT);
        private static final int GROWN = 1 << 20;

        private Child() {}

        @FunctionalInterface
        private interface Action {
            void run() throws IOException;
        }

        public static void main(String[] arguments) throws IOException {
            Path base = Path.of(arguments[0]);
            usePortable(base);
            for (int i = 0; i < 2; i++) {
                for (Map.Entry<String, Action> action : nativeActions(base).entrySet()) {
                    try {
                        action.getValue().run();
                        System.out.println(action.getKey() + " passed");
                    } catch (Throwable t) {
                        System.out.println(action.getKey() + " " + t);
                    }
                }
            }
        }

        private static void usePortable(Path base) throws IOException {
            try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
                GrowableSegment growable = arena.names().growable("values", INTS, 1L << 30);
                growable.grow(100).fill((byte) 1);
                long address = growable.segment().address();
                MemorySegment grown = growable.grow(GROWN);
                ensure(grown.address() == address && grown.get(JAVA_BYTE, 99) == 1 && grown.get(JAVA_BYTE, 100) == 0,
                        "grown memory");
                MemorySegment ints = arena.names().allocate("ints", JAVA_INT, 10);
                ensure(arena.names().resize("ints", 1000).byteSize() == 4000, "resized memory");
                arena.pages().force(ints);
                arena.force();
                arena.names().free("ints");
            }
            Path data = ImageFiles.data(base, 0);
            // An owner has grown and written the file, and its record was lost when the machine failed.
            try (RandomAccessFile file = new RandomAccessFile(data.toFile(), "rw")) {
                file.seek(GROWN + 100_000);
                file.write(1);
            }
            try (InfiniteArena arena = InfiniteArena.builder(base).reopen(); ArenaImage image = ArenaImage.open(base)) {
                ensure(arena.names().get("values", INTS).get(JAVA_BYTE, 99) == 1, "reopened memory");
                ensure(image.integrity().problems().allMatch(ImageIntegrity.Problem::isNote), "problems");
                MemorySegment added = arena.names().growable("values", INTS, 1L << 30).grow(2 * GROWN).asSlice(GROWN);
                ensure(added.mismatch(MemorySegment.ofArray(new byte[GROWN])) == -1, "memory that is added");
            }
            try (MappedWindows windows = MappedWindows.builder(data).writable().randomAccess().open()) {
                try (MappedWindow window = windows.lease(96, 8); MappedWindow shared = windows.leaseShared(92, 8)) {
                    window.segment().set(JAVA_INT, 0, 42);
                    window.force();
                    ensure(shared.segment().get(JAVA_INT, 4) == 42 && window.segment().isMapped(), "window");
                    window.segment().set(JAVA_INT, 0, 0x01010101);
                }
                ensure(WindowKind.mappedByteSize(windows) == 0, "windows that stay mapped");
            }
            try (SparseFile file = SparseFile.open(data)) {
                ensure(file.holesUnknown().isPresent() && file.nextData(0).orElseThrow() == 0, "holes");
            }
        }

        /// The actions that need native calls, by their names.
        private static Map<String, Action> nativeActions(Path base) {
            Map<String, Action> actions = new LinkedHashMap<>();
            actions.put("reserved", () -> InfiniteArena.builder(base.resolveSibling("other")).reserved().build());
            actions.put("randomAccess",
                    () -> InfiniteArena.builder(base.resolveSibling("other")).randomAccess().build());
            actions.put("free", () -> withMemory(base, InfiniteArena::free));
            actions.put("advise",
                    () -> withMemory(base, (arena, memory) -> arena.pages().advise(memory, Advice.WILL_NEED)));
            actions.put("prefault", () -> withMemory(base, (arena, memory) -> arena.pages().prefault(memory)));
            actions.put("residentBytes",
                    () -> withMemory(base, (arena, memory) -> arena.pages().residentBytes(memory)));
            return actions;
        }

        @FunctionalInterface
        private interface Use {
            void apply(InfiniteArena arena, MemorySegment memory);
        }

        /// Checks that an action changes nothing.
        private static void withMemory(Path base, Use use) throws IOException {
            try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
                MemorySegment memory = arena.names().get("values");
                try {
                    use.apply(arena, memory);
                } finally {
                    ensure(memory.get(JAVA_BYTE, 99) == 1 && arena.names().find("values").isPresent(),
                            "memory after a refusal");
                }
            }
        }
    }
}
