package dev.arenakit.bench.candidate.message;

import java.nio.file.Path;

/// The ends of a connection. Each direction has a file.
enum LinkEnd {
    /// The end of the benchmark. It is opened first.
    BENCHMARK("requests", "replies"),
    /// The end of the peer.
    PEER("replies", "requests");

    private final String sent;
    private final String received;

    LinkEnd(String sent, String received) {
        this.sent = sent;
        this.received = received;
    }

    /// The file of the messages that this end sends.
    Path sent(Path directory) {
        return directory.resolve(sent);
    }

    /// The file of the messages that this end receives.
    Path received(Path directory) {
        return directory.resolve(received);
    }
}
