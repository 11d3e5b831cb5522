package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.file.MappedPages;
import dev.arenakit.mapped.internal.image.ArenaParts;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Controls which pages of an [InfiniteArena] are in the main memory, and when they are written to the device.
/// [InfiniteArena#pages()] returns this object.
///
/// ```java
/// arena.pages().prefault(counters); // The first stores are as fast as later ones.
/// arena.pages().advise(trades, ArenaPages.Advice.SEQUENTIAL);
/// ```
///
/// The kernel reads a page of a file when it is accessed first, and may remove it later to make room. No method changes
/// what a segment contains.
///
/// **Threads.** This object may be used by the threads that may use the arena.
///
/// **Flags.** All methods except for [#force] need native access, and Linux on x86-64 or aarch64.
public final class ArenaPages {
    private final ArenaParts open;

    ArenaPages(ArenaParts open) {
        this.open = open;
    }

    /// Tells the kernel how memory is going to be used. The advice holds for all pages that the segment touches.
    ///
    /// [Advice#RANDOM], [Advice#SEQUENTIAL] and [Advice#NORMAL] are properties of a mapping. If they are given for a
    /// part of a file, they split its mapping, which then counts as several of the 10,000 mappings of the process: give
    /// them for large segments, or build the arena with [InfiniteArenaBuilder#randomAccess()].
    ///
    /// @param segment a segment of this arena, or a slice of such a segment
    /// @param advice  how the memory is going to be used
    /// @throws IllegalArgumentException      if the segment is not in a file of this arena
    /// @throws WrongThreadException          if the arena is confined to another thread
    /// @throws IllegalStateException         if the arena is closed
    /// @throws CapacityExceededException     if the process has 10,000 file mappings
    /// @throws UnsupportedOperationException if the segment has several files, or the kernel does not know the advice
    /// @throws IllegalCallerException        if native access is denied
    public void advise(MemorySegment segment, Advice advice) {
        Objects.requireNonNull(advice, "advice");
        open.memory.checkOpen();
        open.pages.advise(segment, advice.use(), advice.isProperty());
    }

    /// Reads memory into the main memory and prepares its pages for stores, so that the first store to a page is as
    /// fast as later ones. **Holes become data:** afterwards, the segment takes as much space on the disk as it is
    /// large. Its contents do not change.
    ///
    /// @param segment a segment of this arena, or a slice of such a segment
    /// @throws IllegalArgumentException      if the segment is not in a file of this arena
    /// @throws WrongThreadException          if the arena is confined to another thread
    /// @throws IllegalStateException         if the arena is closed
    /// @throws DiskFullException             if the disk has no space for all pages; some have got theirs
    /// @throws UnsupportedOperationException if the segment has several files, the kernel is older than Linux 5.14, or
    ///                                       the system is not Linux on x86-64 or aarch64
    /// @throws IllegalCallerException        if native access is denied
    public void prefault(MemorySegment segment) {
        open.memory.checkOpen();
        open.pages.prefault(segment);
    }

    /// Returns how many bytes of a segment are in the main memory now. The time is proportional to the size: some tens
    /// of nanoseconds for each page, also in holes.
    ///
    /// @param segment a segment of this arena, or a slice of such a segment
    /// @return the number of bytes, at most the size of the segment
    /// @throws IllegalArgumentException      if the segment is not in a file of this arena
    /// @throws WrongThreadException          if the arena is confined to another thread
    /// @throws IllegalStateException         if the arena is closed
    /// @throws UnsupportedOperationException if the segment has several files, or the system is not Linux on x86-64 or
    ///                                       aarch64
    /// @throws IllegalCallerException        if native access is denied
    public long residentBytes(MemorySegment segment) {
        open.memory.checkOpen();
        return open.pages.residentBytes(segment);
    }

    /// Writes the contents of a segment to the device. Unlike [InfiniteArena#force()], this method writes neither other
    /// memory, nor the catalog with its counts of elements, nor the directory.
    ///
    /// [MemorySegment#force()] does the same, except for a segment that has several files, which the JDK does not know
    /// to be mapped.
    ///
    /// @param segment memory of this arena
    /// @throws IllegalArgumentException if the segment has another scope
    /// @throws WrongThreadException     if the arena is confined to another thread
    /// @throws IllegalStateException    if the arena is closed
    /// @throws UncheckedIOException     if the device fails
    public void force(MemorySegment segment) {
        open.files.force(segment);
    }

    /// How a program is going to use memory of an [InfiniteArena], so that the kernel reads and drops pages
    /// accordingly.
    public enum Advice {
        /// In no particular way. This is the default.
        NORMAL(MappedPages.Use.NORMAL),

        /// In random order: a page is read alone, without the pages around it.
        RANDOM(MappedPages.Use.RANDOM),

        /// In ascending order: more pages are read ahead.
        SEQUENTIAL(MappedPages.Use.SEQUENTIAL),

        /// Soon: its data is read into memory now, in the background. Holes stay holes.
        WILL_NEED(MappedPages.Use.WILL_NEED),

        /// Not soon: its pages are written to the disk and removed from memory. They are read again when they are
        /// needed.
        PAGE_OUT(MappedPages.Use.PAGE_OUT);

        private final MappedPages.Use use;

        Advice(MappedPages.Use use) {
            this.use = use;
        }

        MappedPages.Use use() {
            return use;
        }

        /// Whether it is a property of the mapping, and splits a mapping if it is given for a part.
        boolean isProperty() {
            return this == NORMAL || this == RANDOM || this == SEQUENTIAL;
        }
    }
}
