package dev.arenakit.tool.ls;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.DamagedRecordsWarning;
import dev.arenakit.tool.image.DiskUsage;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.ImageState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// An image as a row in the list of a directory.
///
/// @param files    the files of the image
/// @param state    the state; its word can also be `no catalog` or `unreadable`
/// @param count    the number of live allocations; empty if unknown
/// @param byteSize the size of the live allocations, or the size of the data files if the allocations are unknown
/// @param data     the size of the data files
/// @param disk     the size of all files
record LsImage(ImageFileSet files, ImageState state, OptionalLong count, long byteSize, DiskUsage data,
        DiskUsage disk) {
    /// The columns of numbers, to sort by.
    DiskUsage usage() {
        return new DiskUsage(byteSize, disk.storedByteSize(), disk.extents());
    }

    /// Reads images.
    static final class Reader {
        private final Streams streams;
        private final Optional<LsOrder> order;
        private final DiskUsage.Meter meter;
        private boolean failed;

        /// @param order the order of the images; empty for the order of their names
        Reader(Streams streams, Optional<LsOrder> order) {
            this.streams = streams;
            this.order = order;
            meter = new DiskUsage.Meter(streams);
        }

        List<LsImage> read(Collection<ImageFileSet> images) {
            List<LsImage> read = new ArrayList<>();
            for (ImageFileSet image : images) {
                read.add(read(image));
            }
            order.ifPresent(by -> read.sort(by.comparator(image -> image.files().name(), LsImage::usage)));
            return read;
        }

        /// Whether something could not be read.
        boolean hasFailed() {
            return failed || meter.hasFailed();
        }

        private LsImage read(ImageFileSet image) {
            DiskUsage data = meter.measureData(image);
            DiskUsage disk = data.plus(meter.measureOthers(image));
            if (!image.hasCatalog()) {
                return unknown(image, "no catalog", data, disk);
            }
            try (ArenaImage opened = ArenaImage.open(image.base())) {
                ImageState state = ImageState.of(opened);
                long[] live = {0, 0};
                new AllocationSequence(opened).forEachLive(allocation -> {
                    live[0]++;
                    live[1] = ByteSizes.sum(live[1], allocation.byteSize());
                });
                failed |= DamagedRecordsWarning.report(streams, opened, image.base());
                return new LsImage(image, state, OptionalLong.of(live[0]), live[1], data, disk);
            } catch (IOException | UncheckedIOException e) {
                failed = true;
                streams.report(image.catalog().toString(), ErrorText.cause(e));
                return unknown(image, "unreadable", data, disk);
            }
        }

        private static LsImage unknown(ImageFileSet image, String word, DiskUsage data, DiskUsage disk) {
            return new LsImage(image, new ImageState(word, List.of()), OptionalLong.empty(), data.byteSize(), data,
                    disk);
        }
    }
}
