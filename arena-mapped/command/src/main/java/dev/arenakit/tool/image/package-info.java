/// Images as several commands read them: their files, their allocations with sizes and states, and requests by name.
@NullMarked
package dev.arenakit.tool.image;

import org.jspecify.annotations.NullMarked;
