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
/// | a system call that writes behind the end | writes less, or fails | is found | is found |
/// | memory of a block | its size and 64 bytes, in whole pages | its size and 64 bytes, in whole pages | its size and 128 bytes, and the alignment |
/// | blocks of an arena | 5,000 | 5,000 | any number |
/// | systems | Linux x86-64 and aarch64 | Linux x86-64 and aarch64 | all |
///
/// A write that is found is reported when the block is freed, and when the arena is checked or closed.
///
/// @param guard      what stands around each block
/// @param zeroed     whether new memory is zeroed; it is filled with 0xCD otherwise
/// @param blockFiles the directory of the block file, which a [CrashReport] reads; empty for none
/// @param quarantineByteSize the size of the addresses of closed arenas that stay inaccessible, see [#withQuarantine]
public record DebugOptions(Guard guard, boolean zeroed, Optional<Path> blockFiles, long quarantineByteSize) {

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
    ///
    /// @throws IllegalArgumentException if the size of the quarantine is negative, or positive without guard pages
    public DebugOptions {
        Objects.requireNonNull(guard, "guard");
        Objects.requireNonNull(blockFiles, "blockFiles");
        if (quarantineByteSize < 0) {
            throw new IllegalArgumentException("Quarantine is negative: quarantineByteSize=" + quarantineByteSize);
        }
        if (quarantineByteSize > 0 && guard == Guard.CANARIES) {
            throw new IllegalArgumentException("A quarantine needs guard pages: guard=" + guard
                    + ", quarantineByteSize=" + quarantineByteSize + "; use behind() or before()");
        }
    }

    /// {@return the default options: guard pages, the blocks end at one, zeroed memory, and a block file in the working
    /// directory, where the JVM writes its crash file}
    public static DebugOptions behind() {
        return new DebugOptions(Guard.BEHIND, true, Optional.of(Path.of("")), 0);
    }

    /// {@return the default options, but the blocks begin at a guard page}
    public static DebugOptions before() {
        return new DebugOptions(Guard.BEFORE, true, Optional.of(Path.of("")), 0);
    }

    /// {@return options for many blocks: known bytes around each block, zeroed memory, and no block file}
    public static DebugOptions canaries() {
        return new DebugOptions(Guard.CANARIES, true, Optional.empty(), 0);
    }

    /// {@return the same options, but new memory is filled with 0xCD: for code that uses an arena that does not zero
    /// its memory}
    public DebugOptions unzeroed() {
        return new DebugOptions(guard, false, blockFiles, quarantineByteSize);
    }

    /// {@return the same options, with a block file in another directory}
    ///
    /// @param directory an existing directory of the default file system
    public DebugOptions withBlockFilesIn(Path directory) {
        return new DebugOptions(guard, zeroed, Optional.of(directory), quarantineByteSize);
    }

    /// {@return the same options, without a block file: if the process is terminated at a guard page, nothing tells the
    /// block}
    public DebugOptions withoutBlockFiles() {
        return new DebugOptions(guard, zeroed, Optional.empty(), quarantineByteSize);
    }

    /// Returns the same options, with a quarantine: after an arena is closed, the addresses of its blocks stay reserved
    /// and inaccessible. An access of native code that has kept an address terminates the process, and the
    /// [CrashReport] names the block, and the places where it was allocated and where its arena was closed. By default,
    /// the addresses are free after `close`, and such an access may go unnoticed.
    ///
    /// The memory is kept, filled with 0xDF: the kernel or a device may still write there what was requested before.
    /// [DebugArena#checkQuarantine()] finds that, and so does the check of a block that leaves the quarantine.
    ///
    /// All arenas of the process share the quarantine: when an arena is closed, the arenas that were closed first leave
    /// the quarantine until the size of the others, guard pages included, is at most this one, and until it has 5,000
    /// blocks at most. The block file of an arena is deleted when the arena leaves the quarantine, or when the process
    /// ends without a crash. The quarantine ends when the class loader of this library is collected.
    ///
    /// @param byteSize the size in bytes, such as `1L << 30`; 0 for no quarantine
    /// @return the options with this quarantine
    /// @throws IllegalArgumentException if the size is negative, or there are no guard pages
    public DebugOptions withQuarantine(long byteSize) {
        return new DebugOptions(guard, zeroed, blockFiles, byteSize);
    }
}
