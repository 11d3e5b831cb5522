/// An image as an HTML page.
@NullMarked
package dev.arenakit.tool.page;

import org.jspecify.annotations.NullMarked;
