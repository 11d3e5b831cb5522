package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests structures after a power loss, which shutting down a mounted file system simulates. Trees and tables are those
/// of the last `force()`. Maps are repaired, and have what was forced and not changed since. Only root can mount file
/// systems; the tests are skipped for other users.
class StructurePowerLossTest {
    private static final long DISK_BYTE_SIZE = 256L << 20;
    private static final int LOSSES = 50;
    private static final long NEXT_BOOT = Child.BOOT + 1;
    private static final int LATER_CHANGES = 2_000;

    /// The power loss takes 2 seconds, since it needs a process.
    @Test
    void powerLoss_whileStructuresAreChanged_leavesWhatWasForced() throws Exception {
        lose(0);
    }

    @Test
    @Tag("slow")
    void powerLoss_fiftyTimes_leavesWhatWasForced() throws Exception {
        for (int seed = 1; seed <= LOSSES; seed++) {
            lose(seed);
        }
    }

    /// An owner is killed. The next one forces what it has left, and then only opens it, which may write to pages.
    @Test
    void powerLoss_afterTheNextOwnerHasForcedAndOpened_leavesAll() throws Exception {
        Path directory = TestFileSystem.SHARED_MEMORY.newDirectory();
        try (LoopDisk disk = LoopDisk.mount(directory, DISK_BYTE_SIZE)) {
            for (String owner : List.of("killed", "next")) {
                Process child = ChildJvm.granted().command(Owner.class, disk.root().toString(), owner).start();
                assertThat(new String(child.getInputStream().readAllBytes(), UTF_8)).isEqualTo("done\n");
                child.waitFor();
            }
            disk.restart();
            for (NumberedStructure.Kind kind : NumberedStructure.Kind.values()) {
                NumberedStructure.Model model = new NumberedStructure.Model();
                Owner.change(kind, model);
                try (InfiniteArena arena = InfiniteArena.builder(Child.base(disk.root(), kind))
                        .boot(NEXT_BOOT)
                        .reopen()) {
                    assertThat(kind.open(arena).contents()).as(kind.name()).isEqualTo(model.contents());
                }
            }
        } finally {
            TestFileSystem.remove(directory);
        }
    }

    private static void lose(int seed) throws Exception {
        // A disk in memory takes more changes before the loss, a slow one stays longer in the middle of a write.
        Path directory = (seed % 4 < 2 ? TestFileSystem.SHARED_MEMORY : TestFileSystem.BUILD).newDirectory();
        try (LoopDisk disk = LoopDisk.mount(directory, DISK_BYTE_SIZE)) {
            Output output = Output.of(disk.root(), seed);
            disk.restart();
            for (NumberedStructure.Kind kind : NumberedStructure.Kind.values()) {
                new Loss(seed, kind, Child.base(disk.root(), kind), output).check();
            }
        } finally {
            TestFileSystem.remove(directory);
        }
    }

    /// What a child has printed.
    private record Output(Map<String, Long> last) {
        static Output of(Path root, int seed) throws IOException, InterruptedException {
            Process child = ChildJvm.granted("-Xmx128m")
                    .command(Child.class, root.toString(), Integer.toString(seed))
                    .start();
            try {
                String output = new String(child.getInputStream().readAllBytes(), UTF_8);
                assertThat(output).contains("cut\n");
                Map<String, Long> last = new HashMap<>();
                for (String line : output.substring(0, output.indexOf("cut\n")).split("\n", -1)) {
                    String[] words = line.split(" ", -1);
                    if (words.length == 3) {
                        last.put(words[0] + words[1], Long.valueOf(words[2]));
                    }
                }
                return new Output(last);
            } finally {
                child.destroyForcibly().waitFor();
            }
        }

        long get(String what, NumberedStructure.Kind kind) {
            return Objects.requireNonNull(last.get(what + kind), () -> what + " " + kind);
        }
    }

    /// A structure after a power loss.
    private static final class Loss {
        private final NumberedStructure.Kind kind;
        private final Path base;
        private final String description;
        /// The number of changes before the last `force()` that has returned.
        private final long forced;
        /// The number of changes before the last `force()`, which may not have returned.
        private final long forcing;
        private final long begun;
        private final NumberedStructure.Model model = new NumberedStructure.Model();

        Loss(int seed, NumberedStructure.Kind kind, Path base, Output output) {
            this.kind = kind;
            this.base = base;
            forced = output.get("forced", kind);
            forcing = output.get("forcing", kind);
            begun = output.get("begun", kind);
            description = "seed=" + seed + ", kind=" + kind + ", forced=" + forced + ", forcing=" + forcing + ", begun="
                    + begun;
            change(model, 0, forced);
        }

        void check() throws IOException {
            if (kind == NumberedStructure.Kind.LONG_MAP) {
                repair();
            } else {
                read();
            }
            try (InfiniteArena arena = InfiniteArena.builder(base).boot(NEXT_BOOT).reopen()) {
                NumberedStructure structure = kind.open(arena);
                checkForced(structure.contents());
                change(structure, model.contents().size(), LATER_CHANGES);
                change(model, model.contents().size(), LATER_CHANGES);
                arena.force();
            }
            try (InfiniteArena arena = InfiniteArena.builder(base).boot(NEXT_BOOT + 1).reopen()) {
                assertThat(kind.open(arena).contents().equals(model.contents())).as(description).isTrue();
            }
        }

        private void change(NumberedStructure structure, long from, long count) {
            for (long n = from; n < from + count; n++) {
                kind.change(structure, n);
            }
        }

        /// A reader sees the forced entries before an owner has opened the structure.
        private void read() throws IOException {
            try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
                checkForced(kind.open(image, arena).contents());
            }
        }

        private void checkForced(Map<Integer, Long> contents) {
            if (!contents.equals(model.contents())) {
                change(model, forced, forcing - forced);
            }
            assertThat(contents.equals(model.contents())).as(description).isTrue();
        }

        /// Repairs a map, unless it is complete because nothing has changed since the last force(). The model becomes what
        /// it has kept.
        private void repair() {
            try (InfiniteArena arena = InfiniteArena.builder(base).boot(NEXT_BOOT).reopen()) {
                if (isComplete(arena)) {
                    assertThat(begun).as(description).isEqualTo(forcing);
                    checkForced(kind.open(arena).contents());
                    return;
                }
                assertThat(begun).as(description).isGreaterThan(forced);
                StructureRepair repair = arena.structures().repair(TestTree.NAME);
                Map<Integer, Long> kept = kind.open(arena).contents();
                assertThat(repair.kept()).as(description).isEqualTo(kept.size());
                checkKept(kept, repair.dropped());
                model.contents().clear();
                model.contents().putAll(kept);
            }
        }

        private boolean isComplete(InfiniteArena arena) {
            try {
                kind.open(arena);
                return true;
            } catch (IllegalStateException e) {
                assertThat(e).as(description).hasMessageContaining("structures().repair");
                return false;
            }
        }

        /// @param lost the largest number of entries that are missing though they were not changed: the check of a long
        ///             map is the check of a group, whose page can be written in the middle of a change
        private void checkKept(Map<Integer, Long> kept, long lost) {
            Map<Integer, Set<Long>> later = new HashMap<>();
            NumberedStructure.Model changed = new NumberedStructure.Model();
            for (long n = forced; n < begun; n++) {
                int key = kind.change(changed, n);
                Set<Long> values = later.computeIfAbsent(key, _ -> new HashSet<>());
                Long value = changed.contents().get(key);
                if (value != null) {
                    values.add(value);
                }
            }
            kept.forEach((key, value) -> {
                boolean isForced = value.equals(model.contents().get(key));
                boolean isLater = later.getOrDefault(key, Set.of()).contains(value);
                assertThat(isForced || isLater).as("%s, key=%d, value=%d", description, key, value).isTrue();
            });
            List<Integer> missing = model.contents()
                    .keySet()
                    .stream()
                    .filter(key -> !later.containsKey(key) && !kept.containsKey(key))
                    .toList();
            assertThat((long) missing.size()).as("%s, missing=%s", description, missing).isLessThanOrEqualTo(lost);
        }
    }

    /// The owner that changes one structure of each kind and ends without closing it, or the next one.
    static final class Owner {
        private Owner() {}

        public static void main(String[] arguments) throws Exception {
            Path root = Path.of(arguments[0]);
            for (NumberedStructure.Kind kind : NumberedStructure.Kind.values()) {
                InfiniteArenaBuilder builder = InfiniteArena.builder(Child.base(root, kind)).boot(Child.BOOT);
                if (arguments[1].equals("killed")) {
                    change(kind, kind.open(builder.build()));
                } else {
                    InfiniteArena arena = builder.reopen();
                    arena.force();
                    kind.open(arena);
                }
            }
            if (arguments[1].equals("next")) {
                new PowerCut(root).now(PowerCut.Kind.NOTHING);
            }
            System.out.println("done");
            Runtime.getRuntime().halt(0);
        }

        static void change(NumberedStructure.Kind kind, NumberedStructure structure) {
            for (long n = 0; n < LATER_CHANGES; n++) {
                kind.change(structure, n);
            }
        }
    }

    /// Changes and forces one structure of each kind until the power of their file system is cut. It prints the number of
    /// changes before and after each `force()`, and the number of changes that were begun before the power loss.
    static final class Child {
        static final long BOOT = 1;
        private static final int LONGEST_RUN_MILLIS = 300;
        /// The mean number of changes between two calls of `force()`.
        private static final int FORCE_INTERVAL = 1_000;
        /// The number of changes between two pauses.
        private static final int BURST = 64;

        private Child() {}

        /// Writes until it cuts the power itself.
        ///
        /// @param arguments the root directory of the file system, and a seed
        public static void main(String[] arguments) throws Exception {
            ChildJvm.endWithParent();
            Path root = Path.of(arguments[0]);
            int seed = Integer.parseInt(arguments[1]);
            SplittableRandom random = new SplittableRandom(seed);
            PowerCut power = new PowerCut(root);
            Map<NumberedStructure.Kind, AtomicLong> begun = new EnumMap<>(NumberedStructure.Kind.class);
            CountDownLatch forced = new CountDownLatch(NumberedStructure.Kind.values().length);
            for (NumberedStructure.Kind kind : NumberedStructure.Kind.values()) {
                AtomicLong count = new AtomicLong();
                begun.put(kind, count);
                SplittableRandom own = random.split();
                PowerLossChild.start(() -> write(kind, root, own, count, forced));
            }
            forced.await();
            SplittableRandom pages = random.split();
            PowerLossChild.start(() -> PowerLossChild.writeBack(root, pages));
            TimeUnit.MICROSECONDS.sleep(random.nextInt(LONGEST_RUN_MILLIS * 1000));
            power.now(PowerLossChild.kind(seed));
            begun.forEach((kind, count) -> print("begun", kind, count.get()));
            System.out.println("cut");
            Runtime.getRuntime().halt(0);
        }

        static Path base(Path root, NumberedStructure.Kind kind) {
            return root.resolve(kind.name());
        }

        private static void write(NumberedStructure.Kind kind, Path root, SplittableRandom random,
                AtomicLong begun, CountDownLatch forced) {
            InfiniteArena arena = InfiniteArena.builder(base(root, kind)).boot(BOOT).build();
            NumberedStructure structure = kind.open(arena);
            boolean isForced = false;
            for (long n = 0;; n++) {
                begun.set(n + 1);
                kind.change(structure, n);
                if (random.nextInt(FORCE_INTERVAL) == 0) {
                    print("forcing", kind, n + 1);
                    arena.force();
                    print("forced", kind, n + 1);
                    if (!isForced) {
                        forced.countDown();
                        isForced = true;
                    }
                }
                if (n % BURST == 0) {
                    LockSupport.parkNanos(100_000);
                }
            }
        }

        private static void print(String what, NumberedStructure.Kind kind, long number) {
            System.out.println(what + " " + kind + " " + number);
        }
    }
}
