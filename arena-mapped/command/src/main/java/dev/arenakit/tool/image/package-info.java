/// What several commands read and print of an image.
@NullMarked
package dev.arenakit.tool.image;

import org.jspecify.annotations.NullMarked;
