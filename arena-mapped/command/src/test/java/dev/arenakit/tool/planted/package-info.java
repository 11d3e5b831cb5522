/// Packages named like the command's. Some of their classes use packages that the command's table of arrows forbids.
@NullMarked
package dev.arenakit.tool.planted;

import org.jspecify.annotations.NullMarked;
