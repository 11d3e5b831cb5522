package dev.arenakit.mapped;

/// Thrown when an arena changes an image that another owner has taken over: the lock of this owner was lost, or the
/// files have other names. Nothing of the image has changed. Close the arena, which leaves the image to the new owner.
public final class ImageTakenOverException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /// Makes an exception.
    ///
    /// @param message the message
    public ImageTakenOverException(String message) {
        super(message);
    }
}
