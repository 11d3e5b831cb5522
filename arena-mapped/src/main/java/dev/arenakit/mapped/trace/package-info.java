/// Records what a program allocates, and reads the records.
///
/// [dev.arenakit.mapped.trace.AllocationTrace] begins a recording and reads it, and
/// [dev.arenakit.mapped.trace.TraceRecorder] wraps the arenas to record.
@NullMarked
package dev.arenakit.mapped.trace;

import org.jspecify.annotations.NullMarked;
