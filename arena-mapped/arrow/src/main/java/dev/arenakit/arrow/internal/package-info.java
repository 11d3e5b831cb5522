/// The columns of a batch, and the messages of Arrow's stream and file formats.
@NullMarked
package dev.arenakit.arrow.internal;

import org.jspecify.annotations.NullMarked;
