package dev.arenakit.diagnostics;

import java.time.Duration;
import java.util.List;

/// An arena that leaks, or that may leak: who opened it, and when.
///
/// @param reason     why the arena is reported
/// @param number     a number that no other watched arena of this process has
/// @param arena      what the arena is, such as `confined arena of a SlabPool`
/// @param name       the name of the arena, or of the pool of the arena, empty if it has none
/// @param threadName the name that the thread which opened the arena had then; it may be empty
/// @param threadId   the id of that thread
/// @param age        the time since the arena was opened
/// @param byteSize   the memory that the arena holds, in bytes: its slabs and large blocks if it is an arena of a pool,
///                   its ranges and large blocks if it has free lists, and the sum of all requests if it is a
///                   wrapped arena; -1 if it is unknown, as for a `MallocArena`
/// @param stack      where the arena was opened, without the methods of this library
public record Leak(Reason reason, long number, String arena, String name, String threadName,
        long threadId, Duration age, long byteSize, List<StackTraceElement> stack) {
    /// Creates the description of a leak.
    public Leak {
        stack = List.copyOf(stack);
    }

    /// Why an arena is reported.
    public enum Reason {
        /// The arena is unreachable: nobody can close it any more.
        UNREACHABLE("Arena is unreachable and was not closed"),
        /// The arena is confined to a thread that has terminated: nobody can close it any more.
        THREAD_ENDED("Thread has ended without closing its arena"),
        /// The arena is open for longer than [LeakDetection#longestOpen()]. It may still be closed.
        OPEN_TOO_LONG("Arena is open for longer than the limit"),
        /// The arena was open when its pool was to be closed. It may still be closed.
        POOL_CLOSE("Arena is open, and its pool cannot be closed"),
        /// The arena is open, which is no mistake. [LeakDetector#open()] has this reason.
        OPEN("Arena is open");

        private final String sentence;

        Reason(String sentence) {
            this.sentence = sentence;
        }
    }

    /// {@return the leak as text: a sentence, and the stack in the form of an exception}
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(reason.sentence).append(": arena=").append(arena);
        if (!name.isEmpty()) {
            text.append(", name=").append(name);
        }
        text.append(", number=").append(number);
        text.append(", thread=").append(threadName).append('#').append(threadId);
        text.append(", age=").append(age.toMillis()).append(" ms, byteSize=");
        text.append(byteSize < 0 ? "unknown" : Long.toString(byteSize));
        text.append("; close it, best with try-with-resources. It was opened");
        for (StackTraceElement element : stack) {
            text.append(System.lineSeparator()).append("\tat ").append(element);
        }
        return text.toString();
    }
}
