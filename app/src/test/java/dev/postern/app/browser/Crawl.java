package dev.postern.app.browser;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds the pages a person can reach, by following every link. */
final class Crawl {
    /** What links reach no page of their own: the same list in another order, or a file. */
    private static final int MOST = 80;

    private Crawl() {}

    /** Paths of pages, the start first. */
    static List<String> pages(Person person) {
        Set<String> seen = new LinkedHashSet<>(List.of("/"));
        Deque<String> open = new ArrayDeque<>(seen);
        List<String> pages = new ArrayList<>();
        while (!open.isEmpty() && pages.size() < MOST) {
            String path = open.removeFirst();
            Person.Fetched fetched = person.fetch(path);
            if (!fetched.isPage()) {
                continue;
            }
            pages.add(path);
            for (String link : fetched.links()) {
                if (link.startsWith("/") && !link.startsWith("/assets/") && seen.add(link)) {
                    open.addLast(link);
                }
            }
        }
        return pages;
    }
}
