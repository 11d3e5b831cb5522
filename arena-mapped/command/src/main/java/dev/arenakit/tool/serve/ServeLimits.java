package dev.arenakit.tool.serve;

import java.time.Duration;

/// What clients may use at most.
///
/// @param transfers the number of tables that are written at the same time
/// @param transferWait the time that a request for a table waits for one of them to end
/// @param stall        the time in which a client accepts a batch of rows
record ServeLimits(int transfers, Duration transferWait, Duration stall) {
    /// The limits of the command.
    static ServeLimits withStall(Duration stall) {
        return new ServeLimits(16, Duration.ofSeconds(5), stall);
    }
}
