package dev.arenakit.internal.diagnostics.debug;

import dev.arenakit.diagnostics.CorruptedBlockException;
import dev.arenakit.internal.Memory;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// A block of a debug arena, which knows what its bytes and those around it must be. Guarded by the lock of its arena.
final class DebugBlock {
    /// How many bytes a message shows.
    private static final int SHOWN = 16;

    final long number;
    final BlockPlace place;
    final BlockSite allocated;
    /// Where the block was freed, or null.
    private @Nullable BlockSite freed;

    DebugBlock(long number, BlockPlace place, BlockSite allocated) {
        this.number = number;
        this.place = place;
        this.allocated = allocated;
    }

    @Nullable
    BlockSite freed() {
        return freed == null ? null : freed.trimmed();
    }

    /// Marks this block as freed, and fills it.
    ///
    /// @return the exception to throw if the bytes around it were overwritten, or null
    @Nullable
    CorruptedBlockException free(BlockSite site) {
        site.initCause(allocated.trimmed());
        freed = site;
        CorruptedBlockException found = verifyCanaries();
        place.fillFreed();
        return found;
    }

    /// Returns the exception to throw if bytes were overwritten, or null. Sets the bytes right.
    @Nullable
    CorruptedBlockException verify() {
        CorruptedBlockException found = verifyCanaries();
        if (freed == null) {
            return found;
        }
        CorruptedBlockException late = verify("A freed block was overwritten", place.address(), place.byteSize(),
                BlockPlace.FREED, freed);
        if (late != null) {
            place.fillFreed();
        }
        return both(found, late);
    }

    /// Returns the exception to throw if bytes of a block whose arena was closed were overwritten, or null.
    static @Nullable CorruptedBlockException verifyClosed(long number, BlockPlace place, BlockSite allocated) {
        DebugBlock block = new DebugBlock(number, place, allocated);
        return both(block.verifyCanaries(), block.verify("A block of a closed arena was overwritten", place.address(),
                place.byteSize(), BlockPlace.FREED, allocated));
    }

    private static @Nullable CorruptedBlockException both(@Nullable CorruptedBlockException first,
            @Nullable CorruptedBlockException second) {
        if (first == null) {
            return second;
        }
        if (second != null) {
            first.addSuppressed(second);
        }
        return first;
    }

    private @Nullable CorruptedBlockException verifyCanaries() {
        long blockEnd = place.address() + place.byteSize();
        CorruptedBlockException found = both(
                verify("Memory behind a block was overwritten", blockEnd, place.end() - blockEnd, BlockPlace.CANARY,
                        allocated),
                verify("Memory before a block was overwritten", place.start(), place.address() - place.start(),
                        BlockPlace.CANARY, allocated));
        if (found != null) {
            place.fillCanaries();
        }
        return found;
    }

    private @Nullable CorruptedBlockException verify(String what, long start, long byteSize, byte expected,
            BlockSite cause) {
        MemorySegment bytes = Memory.segment(start, byteSize);
        long wrong = firstOther(bytes, expected);
        if (wrong < 0) {
            return null;
        }
        long offset = start + wrong - place.address();
        byte[] found = bytes.asSlice(wrong, Math.min(SHOWN, byteSize - wrong)).toArray(JAVA_BYTE);
        return new CorruptedBlockException(what + ": offset=" + offset + ", found="
                + HexFormat.ofDelimiter(" ").formatHex(found) + ", expected=" + HexFormat.of().toHexDigits(expected)
                + ", address=0x" + Long.toHexString(place.address()) + ", byteSize=" + place.byteSize()
                + ", byteAlignment=" + place.byteAlignment() + ", block=" + number
                + "; look for native code that was given the block of the cause", place.address(), offset,
                cause.trimmed());
    }

    /// Returns the offset of the first byte with another value, or -1.
    private static long firstOther(MemorySegment bytes, byte value) {
        if (bytes.byteSize() == 0) {
            return -1;
        }
        if (bytes.get(JAVA_BYTE, 0) != value) {
            return 0;
        }
        // The first byte that differs from the byte before it. If there is none, both slices are equal.
        long last = bytes.byteSize() - 1;
        long equal = bytes.asSlice(1, last).mismatch(bytes.asSlice(0, last));
        return equal < 0 ? -1 : equal + 1;
    }
}
