package dev.arenakit.tool.serve;

import java.time.Duration;

/// What clients may use at most.
///
/// @param transfers the number of tables that are written at the same time
/// @param transferWait the time that a request for a table waits for one of them to end
/// @param stall     the time in which a client accepts no bytes
record ServeLimits(int transfers, Duration transferWait, Duration stall) {
    /// The largest number of connections. Each request has a thread.
    private static final int CONNECTIONS = 256;
    /// The time in which the header of a request arrives.
    private static final int HEADER_SECONDS = 10;
    private static final int HEADER_BYTES = 1 << 16;

    /// The limits of the command.
    static ServeLimits withStall(Duration stall) {
        return new ServeLimits(16, Duration.ofSeconds(5), stall);
    }

    /// Sets the limits of the JDK's server, which are system properties, unless the user has set them. The JDK reads
    /// them when it makes its first server.
    static void setProperties() {
        setProperty("jdk.httpserver.maxConnections", CONNECTIONS);
        setProperty("sun.net.httpserver.maxReqTime", HEADER_SECONDS);
        setProperty("sun.net.httpserver.maxReqHeaderSize", HEADER_BYTES);
    }

    private static void setProperty(String name, int value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, Integer.toString(value));
        }
    }
}
