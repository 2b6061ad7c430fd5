package dev.postern.web.portal.view;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Counts over time as bars of one small picture, made here so that a page needs no script for it; a table says the same.
 *
 * @param style the bars' colour: empty, {@code bad}, {@code warn} or {@code reference}
 */
public record Chart(String title, String style, List<Bar> bars) {
    public static final int HEIGHT = 60;
    private static final int STEP = 10;
    private static final int WIDTH = 8;

    public Chart {
        bars = List.copyOf(bars);
    }

    /** One stretch of time. */
    public record Bar(String label, long count) {}

    /** One drawn bar. */
    public record Shape(int x, int y, int width, int height) {}

    public long total() {
        return bars.stream().mapToLong(Bar::count).sum();
    }

    public long most() {
        return bars.stream().mapToLong(Bar::count).max().orElse(0);
    }

    public int width() {
        return Math.max(1, bars.size()) * STEP;
    }

    /** Bars of at least one; the highest is as high as the picture. */
    public List<Shape> shapes() {
        long most = most();
        return IntStream.range(0, bars.size())
                .filter(i -> bars.get(i).count() > 0)
                .mapToObj(i -> {
                    int height = (int) Math.max(2, bars.get(i).count() * (HEIGHT - 2) / most);
                    return new Shape(i * STEP + 1, HEIGHT - 1 - height, WIDTH, height);
                })
                .toList();
    }

    /** What the picture says, for who cannot see it. */
    public String spoken() {
        Bar peak =
                bars.stream().filter(bar -> bar.count() == most()).findFirst().orElse(new Bar("", 0));
        return total() == 0
                ? title + ": none"
                : title + ": " + total() + " in all, at most " + most() + " at once, at " + peak.label();
    }
}
