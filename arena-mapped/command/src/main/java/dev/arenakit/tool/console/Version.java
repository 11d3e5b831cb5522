package dev.arenakit.tool.console;

import picocli.CommandLine.IVersionProvider;

/// The version of the command, which the manifest of arena.jar contains.
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[]{"arena " + (version == null ? "(not packaged)" : version)};
    }
}
