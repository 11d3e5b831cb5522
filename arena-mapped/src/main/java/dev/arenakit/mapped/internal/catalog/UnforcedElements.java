package dev.arenakit.mapped.internal.catalog;

/// Elements that were stored and do not count: the machine failed before they were forced, or the image was moved to
/// another machine. Nothing in the files tells which of both has happened. Only after a move, the files have the
/// elements.
///
/// @param what   names the elements and what contains them
/// @param name   the name of the allocation
/// @param stored the number of elements that was stored last
/// @param forced the number of elements that count
public record UnforcedElements(String what, String name, long stored, long forced) {
    /// The elements of memory that grows.
    public static UnforcedElements ofMemory(String name, long stored, long forced) {
        return new UnforcedElements("Elements", name, stored, forced);
    }

    /// The message, which ends with a remedy.
    public String describe(String remedy) {
        return what + " were not forced before the machine failed, or the image was moved without arena copy: name="
                + name + ", stored=" + stored + ", forced=" + forced + "; " + remedy;
    }

    /// Logs that the elements do not count.
    public void warn(String remedy) {
        System.getLogger("dev.arenakit.images").log(System.Logger.Level.WARNING, describe(remedy));
    }
}
