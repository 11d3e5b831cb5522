package dev.arenakit.tool;

/// What an allocation takes on disk, and whether its bytes are there.
///
/// @param state what has become of it
/// @param disk  what it takes
record AllocationUse(State state, DiskUse disk) {
    /// What has become of an allocation.
    enum State {
        /// It can be read.
        LIVE("live", false),
        /// It has been given back; its bytes may be there still.
        FREED("freed", false),
        /// Its file is gone.
        MISSING("missing file", true),
        /// Its file ends before it does.
        TRUNCATED("truncated file", true),
        /// Its file cannot be read.
        UNREADABLE("unreadable file", true);

        private final String text;
        private final boolean isDamage;

        State(String text, boolean isDamage) {
            this.text = text;
            this.isDamage = isDamage;
        }

        /// Whether bytes are lost.
        boolean isDamage() {
            return isDamage;
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
