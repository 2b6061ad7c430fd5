package dev.postern.springai;

import static java.util.Objects.requireNonNull;

import dev.postern.tool.ToolFailedException;
import dev.postern.tool.ToolGuard;
import dev.postern.tool.ToolRefusedException;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.metadata.ToolMetadata;

/**
 * A tool callback that puts values where references stand, runs the callback behind it, and takes the values out of what
 * that answers. A refused call and a tool that throws both end in a {@link ToolExecutionException} whose message holds no
 * value, so that the application's processor of such exceptions has the say; by default the model is told the message.
 * Thread-safe if the callback behind is.
 */
public final class GuardedToolCallback implements ToolCallback {
    private final ToolGuard guard;
    private final ToolCallback tool;

    private GuardedToolCallback(ToolGuard guard, ToolCallback tool) {
        this.guard = requireNonNull(guard);
        this.tool = requireNonNull(tool);
    }

    /** Wraps one callback. */
    public static GuardedToolCallback of(ToolGuard guard, ToolCallback tool) {
        return new GuardedToolCallback(guard, tool);
    }

    /** Wraps callbacks, for example those of {@code ToolCallbacks.from(object)}. */
    public static List<ToolCallback> of(ToolGuard guard, ToolCallback... tools) {
        return Arrays.stream(tools).<ToolCallback>map(tool -> of(guard, tool)).toList();
    }

    /** Wraps whatever a provider provides, for example an MCP client's tools. */
    public static ToolCallbackProvider of(ToolGuard guard, ToolCallbackProvider provider) {
        return () -> of(guard, provider.getToolCallbacks()).toArray(ToolCallback[]::new);
    }

    @Override
    public ToolDefinition getToolDefinition() {
        return tool.getToolDefinition();
    }

    @Override
    public ToolMetadata getToolMetadata() {
        return tool.getToolMetadata();
    }

    @Override
    public String call(String arguments) {
        return guarded(arguments, tool::call);
    }

    @Override
    public String call(String arguments, @Nullable ToolContext context) {
        return guarded(arguments, ready -> tool.call(ready, context));
    }

    private String guarded(String arguments, UnaryOperator<String> run) {
        ToolDefinition definition = getToolDefinition();
        try {
            return guard.call(definition.name(), arguments, definition.inputSchema(), run);
        } catch (ToolRefusedException | ToolFailedException e) {
            throw new ToolExecutionException(definition, e);
        }
    }
}
