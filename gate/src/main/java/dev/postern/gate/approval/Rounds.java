package dev.postern.gate.approval;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The order in which requests are shown: the first of each agent, then the second of each, and so on; the oldest first in each round. */
final class Rounds {
    private Rounds() {}

    private record Turn(Approval approval, int round) {}

    /** Requests, which come the oldest first, in rounds. */
    static List<Approval> of(List<Approval> requests) {
        Map<String, Integer> rounds = new HashMap<>();
        return requests.stream()
                .map(request -> new Turn(request, rounds.merge(request.agent(), 1, Integer::sum)))
                .sorted(Comparator.comparingInt(Turn::round)) // stable
                .map(Turn::approval)
                .toList();
    }
}
