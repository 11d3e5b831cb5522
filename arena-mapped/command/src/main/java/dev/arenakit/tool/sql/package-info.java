/// `arena sql`.
@NullMarked
package dev.arenakit.tool.sql;

import org.jspecify.annotations.NullMarked;
