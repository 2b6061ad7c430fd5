package dev.postern.langchain4j;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.agent.tool.ToolSpecifications;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.postern.tool.ToolGuard;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** Ways to put a {@link ToolGuard} in front of the tools of an AI service. */
public final class GuardedTools {
    private GuardedTools() {}

    /**
     * The methods of these objects that are annotated with {@link Tool}, guarded.
     *
     * <pre>{@code
     * AiServices.builder(Assistant.class).chatModel(model).tools(GuardedTools.of(guard, new Database())).build();
     * }</pre>
     */
    public static List<AiServiceTool> of(ToolGuard guard, Object... objectsWithTools) {
        List<AiServiceTool> tools = new ArrayList<>();
        for (Object object : objectsWithTools) {
            for (Method method : object.getClass().getDeclaredMethods()) {
                if (method.isAnnotationPresent(Tool.class)) {
                    tools.add(of(guard, object, method));
                }
            }
        }
        if (tools.isEmpty()) {
            throw new IllegalArgumentException("no method is annotated with @Tool");
        }
        return tools;
    }

    /** The tools of a provider, for example an MCP client's, guarded. */
    public static ToolProvider of(ToolGuard guard, ToolProvider provider) {
        return new ToolProvider() {
            @Override
            public ToolProviderResult provideTools(ToolProviderRequest request) {
                ToolProviderResult provided = provider.provideTools(request);
                List<AiServiceTool> tools = provided.aiServiceTools().stream()
                        .map(tool -> tool.toBuilder()
                                .toolExecutor(
                                        GuardedToolExecutor.of(guard, tool.toolSpecification(), tool.toolExecutor()))
                                .build())
                        .toList();
                return new ToolProviderResult(tools);
            }

            @Override
            public boolean isDynamic() {
                return provider.isDynamic();
            }
        };
    }

    private static AiServiceTool of(ToolGuard guard, Object object, Method method) {
        ToolSpecification specification = ToolSpecifications.toolSpecificationFrom(method);
        // A failure must reach the guard as such: as a result its text would pass as the tool's answer.
        ToolExecutor executor = DefaultToolExecutor.builder()
                .object(object)
                .originalMethod(method)
                .methodToInvoke(method)
                .wrapToolArgumentsExceptions(true)
                .propagateToolExecutionExceptions(true)
                .build();
        return AiServiceTool.builder()
                .toolSpecification(specification)
                .toolExecutor(GuardedToolExecutor.of(guard, specification, executor))
                .returnBehavior(method.getAnnotation(Tool.class).returnBehavior())
                .build();
    }
}
