package dev.postern.web.portal.view;

import java.util.List;

/**
 * One server, asked just now.
 *
 * @param error why it did not answer; empty where it did
 * @param millis how long it took
 */
public record ServerPage(String name, List<Segment> error, long millis, List<Tool> tools, boolean isStopped) {
    public ServerPage {
        error = List.copyOf(error);
        tools = List.copyOf(tools);
    }

    /**
     * A tool as the server describes it.
     *
     * @param qualified the name in rules and commands
     * @param parameters names of what it takes
     */
    public record Tool(String qualified, List<Segment> name, List<Segment> description, List<Segment> parameters) {}

    public boolean answers() {
        return error.isEmpty();
    }
}
