/// The streams and the terminal of a command, and how it prints sizes, times, tables and messages.
@NullMarked
package dev.arenakit.tool.console;

import org.jspecify.annotations.NullMarked;
