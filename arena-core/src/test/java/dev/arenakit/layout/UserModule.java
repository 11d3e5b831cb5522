package dev.arenakit.layout;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.spi.ToolProvider;

import static org.junit.jupiter.api.Assumptions.abort;

/// Code of a user that is compiled during the test, either as a module or on a class path.
final class UserModule {
    private UserModule() {}

    /// Returns the outcomes of a class `user.Main`, which is a [Callable], in a module.
    ///
    /// @param directive what the module says of its package
    static List<String> inModule(Path folder, String source, String directive) throws Exception {
        Files.writeString(folder.resolve("module-info.java"), "module user.module { requires dev.arenakit; " + directive
                + " provides java.util.concurrent.Callable with user.Main; }");
        Path classes = compile(folder, source, "--module-path", library(),
                folder.resolve("module-info.java").toString());
        ModuleLayer boot = ModuleLayer.boot();
        Configuration configuration = boot.configuration()
                .resolve(ModuleFinder.of(classes), ModuleFinder.of(),
                        Set.of("user.module"));
        ModuleLayer layer = boot.defineModulesWithOneLoader(configuration, ClassLoader.getSystemClassLoader());
        UserModule.class.getModule().addUses(Callable.class);
        return serviceOf(layer).call();
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // The source declares this type.
    private static Callable<List<String>> serviceOf(ModuleLayer layer) {
        for (Callable service : ServiceLoader.load(layer, Callable.class)) {
            if (Objects.equals(service.getClass().getModule().getLayer(), layer)) {
                return service;
            }
        }
        throw new AssertionError("The module provides it: " + layer);
    }

    /// Returns a class loader with a class `user.Main` in its unnamed module.
    static URLClassLoader onClassPath(Path folder, String main) throws IOException {
        Path classes = compile(folder, main, "-cp", library());
        return new URLClassLoader(new URL[]{classes.toUri().toURL()}, UserModule.class.getClassLoader());
    }

    /// Returns the outcomes of the code in a class loader.
    @SuppressWarnings("unchecked") // The source declares this type.
    static List<String> call(ClassLoader loader) throws Exception {
        return ((Callable<List<String>>) loader.loadClass("user.Main").getDeclaredConstructor().newInstance()).call();
    }

    /// Compiles a class Main.
    ///
    /// @return the folder of its classes
    static Path compile(Path folder, String code, String... options) throws IOException {
        Path source = Files.writeString(folder.resolve("Main.java"), code);
        Path classes = folder.resolve("classes");
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        String[] arguments = java.util.stream.Stream
                .concat(java.util.stream.Stream.of("-d", classes.toString(), "-proc:none", source.toString()),
                        java.util.stream.Stream.of(options))
                .toArray(String[]::new);
        ToolProvider compiler = ToolProvider.findFirst("javac").orElseGet(() -> abort("needs a JDK with a compiler"));
        if (compiler.run(out, out, arguments) != 0) {
            throw new AssertionError(said.toString());
        }
        return classes;
    }

    /// Returns the folder of the classes of this library. It is found by a resource, because tests patch the module.
    static String library() {
        URI uri = URI.create(Objects.requireNonNull(RecordMapper.class.getResource("RecordMapper.class")).toString());
        return Objects.requireNonNull(Path.of(uri).getParent()).resolve("../../..").normalize().toString();
    }
}
