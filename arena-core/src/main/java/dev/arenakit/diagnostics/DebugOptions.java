package dev.arenakit.diagnostics;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/// The options of a [DebugArena]: what stands around its blocks, what new memory contains, and where its block file is.
///
/// | | [#behind()] | [#before()] | [#canaries()] |
/// |---|---|---|---|
/// | an access behind the end | terminates the process at once, except in the bytes up to the alignment | is found if it is a write | is found if it is a write |
/// | an access before the start | is found if it is a write | terminates the process at once | is found if it is a write |
/// | an access a page further | terminates the process | terminates the process | is not found |
/// | memory of a block | its size, in whole pages | its size, in whole pages | its size and 128 bytes; with an alignment above 64, as much more |
/// | blocks of an arena | 5,000 | 5,000 | any number |
/// | systems | Linux x86-64 and aarch64 | Linux x86-64 and aarch64 | all |
///
/// A write that is found is reported when the block is freed, and when the arena is checked or closed.
///
/// @param guard      what stands around each block
/// @param zeroed     whether new memory is zeroed; it is filled with 0xCD otherwise
/// @param blockFiles the directory of the block file, which a [CrashReport] reads; empty for none
public record DebugOptions(Guard guard, boolean zeroed, Optional<Path> blockFiles) {

    /// What stands around a block.
    public enum Guard {
        /// Guard pages on both sides. The block ends at the second one, or as near to it as its alignment allows.
        BEHIND,
        /// Guard pages on both sides. The block begins at the first one.
        BEFORE,
        /// 64 bytes of a known value on both sides.
        CANARIES
    }

    /// Checks that there is a value for each option.
    public DebugOptions {
        Objects.requireNonNull(guard, "guard");
        Objects.requireNonNull(blockFiles, "blockFiles");
    }

    /// {@return the default options: guard pages, the blocks end at one, zeroed memory, and a block file in the working
    /// directory, where the JVM writes its crash file}
    public static DebugOptions behind() {
        return new DebugOptions(Guard.BEHIND, true, Optional.of(Path.of("")));
    }

    /// {@return the default options, but the blocks begin at a guard page}
    public static DebugOptions before() {
        return new DebugOptions(Guard.BEFORE, true, Optional.of(Path.of("")));
    }

    /// {@return options for many blocks: known bytes around each block, zeroed memory, and no block file}
    public static DebugOptions canaries() {
        return new DebugOptions(Guard.CANARIES, true, Optional.empty());
    }

    /// {@return the same options, but new memory is filled with 0xCD: for code that uses an arena that does not zero
    /// its memory}
    public DebugOptions unzeroed() {
        return new DebugOptions(guard, false, blockFiles);
    }

    /// {@return the same options, with a block file in another directory}
    ///
    /// @param directory an existing directory of the default file system
    public DebugOptions withBlockFilesIn(Path directory) {
        return new DebugOptions(guard, zeroed, Optional.of(directory));
    }

    /// {@return the same options, without a block file: if the process is terminated at a guard page, nothing tells the
    /// block}
    public DebugOptions withoutBlockFiles() {
        return new DebugOptions(guard, zeroed, Optional.empty());
    }
}
