package dev.arenakit.tool.verify;

import dev.arenakit.mapped.ImageIntegrity;
import dev.arenakit.mapped.internal.ring.RingInspection;
import dev.arenakit.mapped.internal.ring.RingRecord;
import dev.arenakit.mapped.internal.ring.RingRecord.State;
import dev.arenakit.mapped.internal.ring.RingRecords;
import dev.arenakit.tool.image.RingState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Checks a ring: its header, its positions, and the records that were not read yet. It ends at the first problem,
/// because nothing tells where the next record begins.
final class RingCheck {
    private final Path path;
    private final VerifyReport report;
    private Optional<RingState> state = Optional.empty();
    private long records;

    RingCheck(Path path, VerifyReport report) {
        this.path = path;
        this.report = report;
    }

    /// Checks the ring and prints the results.
    ///
    /// @return whether there is no problem
    boolean run() throws IOException {
        try (RingInspection ring = RingInspection.open(path)) {
            state = Optional.of(RingState.of(ring));
            RingRecords found = ring.records(0);
            for (Optional<RingRecord> next = found.next(); next.isPresent(); next = found.next()) {
                records++;
                check(next.get());
            }
        } catch (RingInspection.DamagedException e) {
            report.problem(path, new ImageIntegrity.Problem(String.valueOf(e.getMessage()), Optional.empty(), false));
            report.endRing(path, new VerifyReport.RingSums(1, records, state));
            return false;
        }
        report.endRing(path, new VerifyReport.RingSums(0, records, state));
        return true;
    }

    private void check(RingRecord ringRecord) throws IOException {
        boolean isGap = ringRecord.state() == State.GAP && ringRecord.process().isEmpty();
        if (isGap || ringRecord.state() == State.ABANDONED) {
            report.problem(path, new ImageIntegrity.Problem("The reader will skip a claim whose producer has "
                    + (isGap ? "written no record" : "ended") + ": position=" + ringRecord.position() + ", byteSize="
                    + ringRecord.byteSize(), Optional.empty(), true));
        }
    }
}
