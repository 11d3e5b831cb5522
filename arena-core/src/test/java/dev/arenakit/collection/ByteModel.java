package dev.arenakit.collection;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Random operations. A sequence that fails is shortened.
final class ByteModel {
    private ByteModel() {}

    /// Runs random operations.
    ///
    /// @param run creates structure and model, applies the operations to both, and compares them
    static <O> void check(long seed, int count, Function<Random, O> operation, Consumer<List<O>> run) {
        Random random = new Random(seed);
        List<O> operations = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            operations.add(operation.apply(random));
        }
        Throwable failure = failure(operations, run);
        if (failure != null) {
            List<O> shortest = shrink(operations, run);
            throw new AssertionError("seed=" + seed + ", operations=" + shortest, failure(shortest, run));
        }
    }

    private static <O> List<O> shrink(List<O> failing, Consumer<List<O>> run) {
        List<O> shortest = failing;
        for (int length = Math.max(1, failing.size() / 2); length > 0;) {
            boolean isShorter = false;
            for (int from = 0; from + length <= shortest.size() && shortest.size() > length;) {
                List<O> shorter = new ArrayList<>(shortest);
                shorter.subList(from, from + length).clear();
                if (failure(shorter, run) != null) {
                    shortest = shorter;
                    isShorter = true;
                } else {
                    from += length;
                }
            }
            if (!isShorter) {
                length /= 2;
            }
        }
        return shortest;
    }

    @SuppressWarnings("CatchingUnchecked") // Each failure is to be made shorter.
    private static <O> @Nullable Throwable failure(List<O> operations, Consumer<List<O>> run) {
        try {
            run.accept(operations);
            return null;
        } catch (Exception | AssertionError e) {
            return e;
        }
    }

    /// A key of 0 to 40 bytes, from a set of the given size.
    static byte[] key(int number) {
        Random random = new Random(number * 31L);
        byte[] key = new byte[random.nextInt(random.nextInt(4) == 0 ? 41 : 9)];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (random.nextInt(3) == 0 ? random.nextInt(128) : 'a' + random.nextInt(3));
        }
        return key;
    }
}
