/// The `arena sql` command.
@NullMarked
package dev.arenakit.tool.sql;

import org.jspecify.annotations.NullMarked;
