/// `arena trace`: a summary of an allocation trace, as text, as JSON, and as a page.
@NullMarked
package dev.arenakit.tool.trace;

import org.jspecify.annotations.NullMarked;
