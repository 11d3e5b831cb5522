package dev.arenakit.internal;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Compares the arithmetic with integers that cannot overflow, for seeded random values, many of them near the limits
/// of a `long`.
class SizesTest {
    private static final int CASES = 5_000;
    private static final BigInteger ADDRESSABLE = BigInteger.TWO.pow(48);
    private static final long[] EDGES = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, Sizes.ADDRESSABLE,
            Sizes.ADDRESSABLE - 1, Sizes.ADDRESSABLE + 1};

    private final Random random = new Random(47);

    @Test
    void checkArguments_anyValues_refusesNegativeSizesAndOtherAlignments() {
        int refused = 0;
        for (int i = 0; i < CASES; i++) {
            long byteSize = anyLong();
            long byteAlignment = random.nextBoolean() ? powerOfTwo() : anyLong();
            boolean valid = byteSize >= 0 && byteAlignment > 0 && Long.bitCount(byteAlignment) == 1;
            refused += valid ? 0 : 1;
            assertThat(passes(() -> Sizes.checkArguments(byteSize, byteAlignment)))
                    .as("byteSize=%s, byteAlignment=%s", byteSize, byteAlignment)
                    .isEqualTo(valid);
        }
        assertThat(refused).as("cases of both outcomes").isBetween(CASES / 10, CASES * 9 / 10);
    }

    @Test
    void checkArguments_refusal_namesBothValues() {
        assertThatThrownBy(() -> Sizes.checkArguments(-5, 8)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Negative size: byteSize=-5, byteAlignment=8");
        assertThatThrownBy(() -> Sizes.checkArguments(5, 12)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Alignment is not a power of two: byteSize=5, byteAlignment=12");
        assertThatThrownBy(() -> Sizes.checkArguments(5, Long.MIN_VALUE)).hasMessageContaining("power of two");
        assertThatThrownBy(() -> Sizes.checkArguments(5, 0)).hasMessageContaining("power of two");
    }

    @Test
    void checkAddressable_anyCheckedArguments_refusesExactlyWhatIsAboveTheLimit() {
        int refused = 0;
        for (int i = 0; i < CASES; i++) {
            long byteSize = anySize();
            long byteAlignment = powerOfTwo();
            BigInteger sum = BigInteger.valueOf(byteSize).add(BigInteger.valueOf(byteAlignment));
            boolean fits = sum.compareTo(ADDRESSABLE) <= 0;
            refused += fits ? 0 : 1;
            assertThat(passes(() -> Sizes.checkAddressable(byteSize, byteAlignment)))
                    .as("byteSize=%s, byteAlignment=%s", byteSize, byteAlignment)
                    .isEqualTo(fits);
        }
        assertThat(refused).as("cases of both outcomes").isBetween(CASES / 10, CASES * 9 / 10);
        assertThatThrownBy(() -> Sizes.checkAddressable(Long.MAX_VALUE, 1)).isInstanceOf(OutOfMemoryError.class)
                .hasMessageContaining("byteSize=9223372036854775807, byteAlignment=1, addressable=281474976710656");
    }

    @Test
    void alignUp_anyValueWhoseSumFits_agreesWithBigInteger() {
        int tried = 0;
        for (int i = 0; i < CASES; i++) {
            long value = anySize();
            long byteAlignment = powerOfTwo();
            if (value <= Long.MAX_VALUE - byteAlignment) {
                tried++;
                assertThat(BigInteger.valueOf(Sizes.alignUp(value, byteAlignment)))
                        .as("value=%s, byteAlignment=%s", value, byteAlignment)
                        .isEqualTo(alignUp(BigInteger.valueOf(value), byteAlignment));
            }
        }
        assertThat(tried).isGreaterThan(CASES / 2);
    }

    @Test
    void checkAlignmentAtMost_anyAlignments_refusesLargerOnes() {
        for (int i = 0; i < 64 * 64; i++) {
            long largest = powerOfTwo();
            long byteAlignment = powerOfTwo();
            assertThat(passes(() -> Sizes.checkAlignmentAtMost(largest, byteAlignment, "remedy")))
                    .as("largest=%s, byteAlignment=%s", largest, byteAlignment)
                    .isEqualTo(byteAlignment <= largest);
        }
        assertThatCode(() -> Sizes.checkAlignmentAtMost(4096, 4096, "")).doesNotThrowAnyException();
        assertThatIllegalArgumentException().isThrownBy(() -> Sizes.checkAlignmentAtMost(4096, 8192, "align less"))
                .withMessage("Alignment too large: byteAlignment=8192, largest=4096; align less");
    }

    private static boolean passes(Runnable check) {
        try {
            check.run();
            return true;
        } catch (IllegalArgumentException | OutOfMemoryError e) {
            return false;
        }
    }

    private static BigInteger alignUp(BigInteger value, long byteAlignment) {
        BigInteger alignment = BigInteger.valueOf(byteAlignment);
        return value.add(alignment).subtract(BigInteger.ONE).divide(alignment).multiply(alignment);
    }

    private long powerOfTwo() {
        return 1L << random.nextInt(63);
    }

    /// A random value, often near a power of two or a limit, or of a random length in bits.
    private long anyLong() {
        return switch (random.nextInt(4)) {
            case 0 -> (1L << random.nextInt(64)) + random.nextInt(-3, 4);
            case 1 -> EDGES[random.nextInt(EDGES.length)];
            case 2 -> -(random.nextLong() >>> random.nextInt(64));
            default -> random.nextLong() >>> random.nextInt(64);
        };
    }

    private long anySize() {
        return anyLong() & Long.MAX_VALUE;
    }
}
