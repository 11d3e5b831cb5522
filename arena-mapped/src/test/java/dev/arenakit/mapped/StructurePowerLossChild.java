package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Changes and forces one structure of each kind until the power of their file system is cut. It prints the number of
/// changes before and after each `force()`, and the number of changes that were begun before the power loss.
final class StructurePowerLossChild {
    static final long BOOT = 1;
    private static final int LONGEST_RUN_MILLIS = 300;
    /// The mean number of changes between two calls of `force()`.
    private static final int FORCE_INTERVAL = 1_000;
    /// The number of changes between two pauses.
    private static final int BURST = 64;

    private StructurePowerLossChild() {}

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
