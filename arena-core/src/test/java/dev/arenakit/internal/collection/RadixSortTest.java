package dev.arenakit.internal.collection;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

class RadixSortTest {
    @Test
    void heapSort_ofLongs_givesTheOrderOfArrays() {
        long[] values = new Random(5).longs(10_000).toArray();
        MemorySegment segment = MemorySegment.ofArray(values.clone());
        RadixSort.heapSort(segment, values.length, RadixSort.Type.LONG);
        Arrays.sort(values);
        assertThat(segment.toArray(JAVA_LONG)).isEqualTo(values);
    }
}
