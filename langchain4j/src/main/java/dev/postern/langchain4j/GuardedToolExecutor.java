package dev.postern.langchain4j;

import static java.util.Objects.requireNonNull;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.postern.tool.ToolGuard;
import dev.postern.tool.ToolRefusedException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tool executor that puts values where references stand, runs the tool behind it, and takes the values out of what
 * that answers. A refused call is answered as an error that the agent can read and mend; a tool that throws, throws with
 * a scrubbed message, so that the AI service's own error handler has the say. Thread-safe if the executor behind is.
 */
public final class GuardedToolExecutor implements ToolExecutor {
    private final ToolGuard guard;
    private final @Nullable String inputSchema;
    private final ToolExecutor tool;

    private GuardedToolExecutor(ToolGuard guard, @Nullable String inputSchema, ToolExecutor tool) {
        this.guard = requireNonNull(guard);
        this.inputSchema = inputSchema;
        this.tool = requireNonNull(tool);
    }

    /**
     * Wraps one executor.
     *
     * @param specification the tool's; its parameters say where a value is placed as a number or boolean (R11)
     */
    public static GuardedToolExecutor of(ToolGuard guard, ToolSpecification specification, ToolExecutor tool) {
        return new GuardedToolExecutor(guard, InputSchemas.of(specification), tool);
    }

    @Override
    public String execute(ToolExecutionRequest request, Object memoryId) {
        try {
            return guard.call(
                    request.name(),
                    arguments(request),
                    inputSchema,
                    ready -> tool.execute(with(request, ready), memoryId));
        } catch (ToolRefusedException e) {
            return e.getMessage();
        }
    }

    @Override
    public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
        Answer answer = new Answer();
        try {
            String clean = guard.call(request.name(), arguments(request), inputSchema, ready -> {
                answer.take(tool.executeWithContext(with(request, ready), context));
                return answer.text;
            });
            return answer.as(clean);
        } catch (ToolRefusedException e) {
            return ToolExecutionResult.builder()
                    .isError(true)
                    .resultText(e.getMessage())
                    .build();
        }
    }

    private static String arguments(ToolExecutionRequest request) {
        return request.arguments() == null ? "{}" : request.arguments();
    }

    private static ToolExecutionRequest with(ToolExecutionRequest request, String arguments) {
        return arguments.equals(request.arguments())
                ? request
                : request.toBuilder().arguments(arguments).build();
    }

    /** What the tool answered, as one text that a guard can look through, and back. */
    private static final class Answer {
        private @Nullable ToolExecutionResult result;
        private String text = "";
        private boolean blocks;

        void take(ToolExecutionResult given) {
            result = given;
            List<Content> contents = given.resultContents();
            blocks = contents.size() != 1 || !(contents.get(0) instanceof TextContent);
            text = blocks ? ContentBlocks.write(contents) : ((TextContent) contents.get(0)).text();
        }

        /** The result as it was if nothing was taken out; else only what the agent may see, without the object behind it. */
        ToolExecutionResult as(String clean) {
            ToolExecutionResult given = requireNonNull(result);
            if (clean.equals(text)) {
                return given;
            }
            var builder = ToolExecutionResult.builder().isError(given.isError()).attributes(given.attributes());
            return blocks
                    ? builder.resultContents(ContentBlocks.read(clean, given.resultContents()))
                            .build()
                    : builder.result(clean).resultText(clean).build();
        }
    }
}
