package dev.arenakit.examples.bundle;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import dev.arenakit.mapped.InfiniteArena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/// A user's bundle, with a class loader of its own. It uses a pool, mappers of its own types and an arena in files, and
/// registers what it has read as a service.
public final class UserBundle implements BundleActivator {
    /// A record of the user.
    ///
    /// @param x the first coordinate
    /// @param y the second coordinate
    public record Point(int x, long y) {}

    /// A view of the user.
    interface PointView {
        int x();

        void x(int value);
    }

    /// The framework calls this constructor.
    public UserBundle() {}

    @Override
    public void start(BundleContext context) {
        Path base = context.getDataFile("points").toPath();
        RecordMapper<Point> points = RecordMapper.of(Point.class);
        ViewMapper<PointView> views = ViewMapper.of(MethodHandles.lookup(), PointView.class);
        String read;
        try (SlabPool pool = SlabPool.create();
                SlabArena arena = pool.openConfined();
                InfiniteArena stored = InfiniteArena.ofConfined(base)) {
            PointView view = views.view(arena.allocate(views.layout()));
            view.x(3);
            MemorySegment segment = stored.allocate(points.layout());
            points.set(segment, new Point(view.x(), 4));
            read = points.get(segment).toString();
        }
        context.registerService(String.class, read, null);
    }

    @Override
    public void stop(BundleContext context) {
        // Everything is closed.
    }
}
