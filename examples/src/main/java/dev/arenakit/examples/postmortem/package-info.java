/// Processes that are killed, whose memory the `arena` command then lists, dumps, queries and verifies.
@NullMarked
package dev.arenakit.examples.postmortem;

import org.jspecify.annotations.NullMarked;
