/// The compared ways to send messages between two threads or two processes, and the peer that returns each message.
///
/// A way takes part by an implementation of [MessageLink].
@NullMarked
package dev.arenakit.bench.candidate.message;

import org.jspecify.annotations.NullMarked;
