package dev.arenakit;

/// The ranges of memory that are live in a soak run. A range that overlaps another one has been handed out twice.
final class SoakModel {
    private static final int CAPACITY = 1 << 16;

    /// Sorted by start.
    private final long[] starts = new long[CAPACITY];
    private final long[] ends = new long[CAPACITY];
    private int count;

    /// Adds a range, which has at least one byte: an empty segment has an address of its own.
    synchronized void add(long address, long byteSize) {
        long end = address + Math.max(byteSize, 1);
        int position = position(address);
        if (position > 0 && ends[position - 1] > address) {
            throw twice(address, end, position - 1);
        }
        if (position < count && starts[position] < end) {
            throw twice(address, end, position);
        }
        System.arraycopy(starts, position, starts, position + 1, count - position);
        System.arraycopy(ends, position, ends, position + 1, count - position);
        starts[position] = address;
        ends[position] = end;
        count++;
    }

    synchronized void remove(long address) {
        int position = position(address);
        if (position == count || starts[position] != address) {
            throw new AssertionError("Not in the model: address=0x" + Long.toHexString(address));
        }
        count--;
        System.arraycopy(starts, position + 1, starts, position, count - position);
        System.arraycopy(ends, position + 1, ends, position, count - position);
    }

    synchronized int size() {
        return count;
    }

    /// The number of ranges that start below an address.
    private int position(long address) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (starts[middle] < address) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private AssertionError twice(long address, long end, int other) {
        return new AssertionError("Memory is handed out twice: address=0x" + Long.toHexString(address) + ", end=0x"
                + Long.toHexString(end) + ", otherAddress=0x" + Long.toHexString(starts[other]) + ", otherEnd=0x"
                + Long.toHexString(ends[other]));
    }
}
