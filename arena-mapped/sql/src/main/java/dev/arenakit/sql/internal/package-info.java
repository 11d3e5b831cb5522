/// The tables of segments and of images, the scans that read them, and the values of results.
@NullMarked
package dev.arenakit.sql.internal;

import org.jspecify.annotations.NullMarked;
