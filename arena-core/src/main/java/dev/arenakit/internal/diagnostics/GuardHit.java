package dev.arenakit.internal.diagnostics;

import dev.arenakit.internal.diagnostics.BlockFileReader.RecordedBlock;
import java.util.List;
import java.util.Optional;

/// An access that terminated a process, and the block beside which it was, if a block file has it.
public record GuardHit(CrashFile crash, int blocks, Optional<RecordedBlock> block) {

    /// Finds the block of an access.
    ///
    /// @param blocks the blocks of the process, the last one first: a block may have the address of an earlier one
    public static GuardHit of(CrashFile crash, List<RecordedBlock> blocks) {
        return new GuardHit(crash, blocks.size(),
                blocks.stream().filter(block -> block.owns(crash.address())).findFirst());
    }

    /// Whether the block was found.
    public boolean isFound() {
        return block.isPresent();
    }

    /// Returns the report.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("The process was terminated by an access to memory: pid=")
                .append(crash.pid())
                .append(", address=0x")
                .append(Long.toHexString(crash.address()))
                .append('\n');
        if (block.isPresent()) {
            describe(block.get(), text);
        } else {
            text.append("No block of a debug arena is at the address: blocks=")
                    .append(blocks)
                    .append("; the access was not near a block, or its arena had no block file\n");
        }
        text.append("The access was made by:\n");
        crash.frames().forEach(frame -> text.append("    ").append(frame).append('\n'));
        return text.toString();
    }

    private void describe(RecordedBlock found, StringBuilder text) {
        long offset = crash.address() - found.address();
        String where;
        if (offset < 0) {
            where = -offset + " bytes before the start of a block";
        } else if (offset >= found.byteSize()) {
            where = offset - found.byteSize() + " bytes behind the end of a block";
        } else {
            where = "inside a block";
        }
        text.append("The address is ").append(where).append(": offset=").append(offset).append('\n');
        found.lines().forEach(line -> text.append("    ").append(line.strip()).append('\n'));
    }
}
