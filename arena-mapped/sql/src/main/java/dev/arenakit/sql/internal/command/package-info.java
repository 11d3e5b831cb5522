/// What the command uses of engines beside the exported package.
@NullMarked
package dev.arenakit.sql.internal.command;

import org.jspecify.annotations.NullMarked;
