package dev.arenakit.internal.diagnostics.debug;

import dev.arenakit.internal.diagnostics.debug.BlockFileReader.RecordedBlock;
import dev.arenakit.internal.diagnostics.debug.BlockFileReader.RecordedBlocks;
import java.util.Optional;

/// An access that terminated a process, and the block beside which it was, if a block file has it.
public record GuardHit(CrashFile crash, RecordedBlocks recorded, Optional<RecordedBlock> block) {

    /// Finds the block of an access.
    public static GuardHit of(CrashFile crash, RecordedBlocks recorded) {
        // The last one first: it may have the address of an earlier one.
        return new GuardHit(crash, recorded, recorded.blocks()
                .reversed()
                .stream()
                .filter(candidate -> candidate.owns(crash.address()))
                .findFirst());
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
                    .append(recorded.blocks().size())
                    .append("; the access was not near a block, its arena had no block file, or the arena was closed "
                            + "before the access: use DebugOptions.withQuarantine\n");
        }
        recorded.unread().forEach(reason -> append("Block file was not read: ", reason, text));
        text.append("The access was made by:\n");
        crash.frames().forEach(frame -> append("    ", frame, text));
        return text.toString();
    }

    /// Appends a line. Its text comes from a file, and must not control the terminal.
    private static void append(String prefix, String line, StringBuilder text) {
        text.append(prefix).append(line.replaceAll("\\p{IsControl}", "?")).append('\n');
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
        text.append("The address is ")
                .append(where)
                .append(found.isClosed() ? " whose arena was closed" : "")
                .append(": offset=")
                .append(offset)
                .append('\n');
        found.lines().forEach(line -> append("    ", line.strip(), text));
    }
}
