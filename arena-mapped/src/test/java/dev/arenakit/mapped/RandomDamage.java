package dev.arenakit.mapped;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;

/// Uses images whose bytes are changed at random. Each call must return, or throw an exception that says so.
final class RandomDamage {
    private int seed;
    private int refused;

    /// The use of a damaged image.
    @FunctionalInterface
    interface Use {
        /// Uses the image.
        ///
        /// @param base the base of the image
        /// @param seed the seed of its damage
        void use(Path base, int seed) throws IOException;
    }

    /// A call that may be refused.
    @FunctionalInterface
    interface Action {
        void run() throws IOException;
    }

    /// Damages one of two images at a time.
    void repeat(Path first, Path second, int times, Use use) throws IOException {
        try (DamagedImage firstImage = new DamagedImage(first); DamagedImage secondImage = new DamagedImage(second)) {
            for (seed = 0; seed < times; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                DamagedImage image = random.nextBoolean() ? firstImage : secondImage;
                image.damage(random);
                use.use(image.base(), seed);
            }
        }
    }

    void attempt(Action action) {
        try {
            action.run();
        } catch (IllegalStateException | IllegalArgumentException _) {
            refused++;
        } catch (RuntimeException | IOException e) {
            throw new AssertionError("seed=" + seed, e);
        }
    }

    /// The number of calls that were refused.
    int refused() {
        return refused;
    }
}
