package dev.arenakit.mapped;

import dev.arenakit.internal.file.MappedPages;

/// How a program is going to use memory of an [InfiniteArena], so that the kernel reads and drops pages accordingly.
public enum Advice {
    /// In no particular way. This is the default.
    NORMAL(MappedPages.Use.NORMAL),

    /// In random order: a page is read alone, without the pages around it.
    RANDOM(MappedPages.Use.RANDOM),

    /// In ascending order: more pages are read ahead.
    SEQUENTIAL(MappedPages.Use.SEQUENTIAL),

    /// Soon: its data is read into memory now, in the background. Holes stay holes.
    WILL_NEED(MappedPages.Use.WILL_NEED),

    /// Not soon: its pages are written to the disk and removed from memory. They are read again when they are needed.
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
