/// The `arena serve` command: tables of images over HTTP, in the stream format of Apache Arrow.
@NullMarked
package dev.arenakit.tool.serve;

import org.jspecify.annotations.NullMarked;
