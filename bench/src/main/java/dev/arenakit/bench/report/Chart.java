package dev.arenakit.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.GraphicsEnvironment;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/// Draws results as an SVG file: a group of bars per cell, a bar per contestant, its height how many times faster than the
/// baseline it is, on a logarithmic scale.
public final class Chart {
    // Told apart by readers who do not see all colours (Okabe and Ito's choice), the strongest first.
    private static final Color[] COLORS = {
            new Color(0x0072B2), new Color(0xE69F00), new Color(0x009E73), new Color(0xCC79A7), new Color(0x56B4E9),
            new Color(0xD55E00), new Color(0x999999)};
    private static final Color INK = new Color(0x333333);
    private static final Color GRID = new Color(0xE4E4E4);
    private static final String FAMILY = Font.SANS_SERIF;

    private static final int HEIGHT = 560;
    private static final int SIDES = 130;
    private static final int BAR_WIDTH = 40;
    private static final int GROUP_GAP = 30;
    private static final int LEAST_WIDTH = 900;

    private Chart() {}

    /// Writes the chart.
    ///
    /// @param file    where to; an existing file is replaced
    /// @param title   what is shown
    /// @param footer  where it was measured, and how well
    /// @param results what was measured
    /// @return whether there was anything to show: a contestant and the baseline of its cell
    /// @throws IOException when the file cannot be written, or there is no font to write with
    public static boolean write(Path file, String title, String footer, Results results) throws IOException {
        List<Measurement> shown = results.measurements()
                .stream()
                .filter(measurement -> !measurement.cell().isBaseline() && results.baselineOf(measurement).isPresent())
                .toList();
        if (shown.isEmpty()) {
            return false;
        }
        requireFonts();
        try (OutputStream output = Files.newOutputStream(file)) {
            ChartEncoder.saveChart(draw(title, footer, shown, results), output, "SVG");
        }
        return true;
    }

    private static CategoryChart draw(String title, String footer, List<Measurement> shown, Results results) {
        List<String> groups = shown.stream().map(Chart::group).distinct().toList();
        List<String> contestants = shown.stream()
                .map(measurement -> measurement.cell().contestant())
                .distinct()
                .toList();
        int width = SIDES + groups.size() * (contestants.size() * BAR_WIDTH + GROUP_GAP);
        CategoryChart chart = new CategoryChartBuilder().width(Math.max(LEAST_WIDTH, width))
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(footer)
                .yAxisTitle("times faster than " + Cell.BASELINE + " (log scale)")
                .build();
        double smallest = Double.MAX_VALUE;
        for (String contestant : contestants) {
            List<@Nullable Double> heights = new ArrayList<>();
            for (String group : groups) {
                Optional<Double> ratio = shown.stream()
                        .filter(m -> m.cell().contestant().equals(contestant) && group(m).equals(group))
                        .findFirst()
                        .map(m -> m.timesFasterThan(results.baselineOf(m).orElseThrow()));
                heights.add(ratio.orElse(null));
                smallest = Math.min(smallest, ratio.orElse(smallest));
            }
            chart.addSeries(contestant, groups, heights);
        }
        chart.addAnnotation(new AnnotationLine(1.0, false, false));
        style(chart.getStyler(), smallest);
        return chart;
    }

    private static String group(Measurement measurement) {
        return Labels.question(measurement.cell().question()) + ", " + Labels.params(measurement.cell().conditions());
    }

    private static void style(CategoryStyler styler, double smallest) {
        styler.setYAxisLogarithmic(true);
        styler.setYAxisMin(floor(smallest));
        styler.setYAxisTickLabelsFormattingFunction(Labels::times);
        styler.setSeriesColors(COLORS);
        styler.setAvailableSpaceFill(0.8);
        styler.setLabelsVisible(true);
        styler.setLabelsPosition(0.92);
        styler.setLegendPosition(LegendPosition.OutsideS);
        styler.setLegendLayout(LegendLayout.Horizontal);
        styler.setLegendBorderColor(Color.WHITE);
        styler.setLegendPadding(14);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBorderVisible(false);
        styler.setPlotGridVerticalLinesVisible(false);
        styler.setPlotGridLinesColor(GRID);
        styler.setPlotGridLinesStroke(new BasicStroke(1f));
        styler.setAnnotationLineColor(INK);
        styler.setChartFontColor(INK);
        styler.setChartTitleFont(new Font(FAMILY, Font.BOLD, 18));
        styler.setAxisTitleFont(new Font(FAMILY, Font.PLAIN, 12));
        styler.setAxisTickLabelsFont(new Font(FAMILY, Font.PLAIN, 13));
        styler.setLegendFont(new Font(FAMILY, Font.PLAIN, 13));
        styler.setLabelsFont(new Font(FAMILY, Font.BOLD, 12));
        styler.setChartPadding(16);
    }

    /// Where the bars begin: 1 when all are faster, else the next of 0.5, 0.2, 0.1 ... below the smallest.
    static double floor(double smallest) {
        double floor = 1;
        for (int step = 0; floor > smallest; step++) {
            floor = (step % 3 == 0 ? 5 : step % 3 == 1 ? 2 : 1) * Math.pow(10, -(step / 3) - 1);
        }
        return floor;
    }

    /// Java draws text through the system's fonts, which small images of containers lack; what it throws then names none.
    static void requireFonts() throws IOException {
        try {
            Objects.requireNonNull(GraphicsEnvironment.getLocalGraphicsEnvironment().getAvailableFontFamilyNames());
        } catch (RuntimeException | InternalError | LinkageError e) {
            throw new IOException("No font to draw with; install fontconfig and a font (fonts-dejavu-core on Debian)",
                    e);
        }
    }
}
