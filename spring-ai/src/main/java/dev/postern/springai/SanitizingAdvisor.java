package dev.postern.springai;

import static java.util.Objects.requireNonNull;

import dev.postern.detect.ResponseSanitizer;
import java.util.ArrayList;
import java.util.List;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.core.Ordered;
import reactor.core.publisher.Flux;

/**
 * Masks secrets in a model's replies, so that a reply that was valid JSON still becomes the caller's record (D3). It stands
 * next to the model, so that memory, validation, logging and the caller all get the masked reply. What a model passes to
 * tools is left as it is: masking it would change the call. Thread-safe.
 *
 * <p>A stream is held back until it ends, since a secret may be cut anywhere; then it is emitted in the pieces it came in,
 * masked. Whoever needs the first words at once must not ask for this advisor.
 *
 * <pre>{@code
 * ChatClient.builder(model).defaultAdvisors(new SanitizingAdvisor()).build();
 * }</pre>
 */
public final class SanitizingAdvisor implements CallAdvisor, StreamAdvisor {
    /** Right before the model itself is called, which has the lowest precedence there is. */
    public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    private final ResponseSanitizer sanitizer;
    private final int order;

    /** With the rules that come with the library. */
    public SanitizingAdvisor() {
        this(ResponseSanitizer.withDefaultRules());
    }

    /** With rules of the caller's choice. */
    public SanitizingAdvisor(ResponseSanitizer sanitizer) {
        this(sanitizer, DEFAULT_ORDER);
    }

    /** At another place in the chain; advisors of a higher order than this one see replies unmasked. */
    public SanitizingAdvisor(ResponseSanitizer sanitizer, int order) {
        this.sanitizer = requireNonNull(sanitizer);
        this.order = order;
    }

    @Override
    public String getName() {
        return "Postern sanitizer";
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
        ChatClientResponse response = chain.nextCall(request);
        ChatResponse reply = response.chatResponse();
        if (reply == null) {
            return response;
        }
        List<Generation> masked = reply.getResults().stream().map(this::masked).toList();
        return masked.equals(reply.getResults()) ? response : with(response, reply, masked);
    }

    @Override
    public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
        return chain.nextStream(request).collectList().flatMapIterable(this::masked);
    }

    private Generation masked(Generation generation) {
        String text = generation.getOutput().getText();
        var result = text == null ? null : sanitizer.scanAndMask(text);
        return result == null || !result.changed() ? generation : with(generation, result.text());
    }

    /** The pieces of one stream; the n-th generations of all of them are one text. */
    private List<ChatClientResponse> masked(List<ChatClientResponse> pieces) {
        int generations =
                pieces.stream().mapToInt(piece -> results(piece).size()).max().orElse(0);
        List<ChatClientResponse> masked = new ArrayList<>(pieces);
        for (int generation = 0; generation < generations; generation++) {
            List<String> texts = new ArrayList<>(pieces.size());
            for (ChatClientResponse piece : pieces) {
                texts.add(text(piece, generation));
            }
            List<String> clean = sanitizer.maskPieces(texts);
            for (int at = 0; at < texts.size(); at++) {
                if (!clean.get(at).equals(texts.get(at))) {
                    masked.set(at, with(masked.get(at), generation, clean.get(at)));
                }
            }
        }
        return masked;
    }

    private static List<Generation> results(ChatClientResponse piece) {
        ChatResponse reply = piece.chatResponse();
        return reply == null ? List.of() : reply.getResults();
    }

    private static String text(ChatClientResponse piece, int generation) {
        List<Generation> results = results(piece);
        String text = generation < results.size()
                ? results.get(generation).getOutput().getText()
                : null;
        return text == null ? "" : text;
    }

    private static ChatClientResponse with(ChatClientResponse piece, int generation, String text) {
        List<Generation> results = new ArrayList<>(results(piece));
        results.set(generation, with(results.get(generation), text));
        return with(piece, requireNonNull(piece.chatResponse()), results);
    }

    private static Generation with(Generation generation, String text) {
        AssistantMessage message = generation.getOutput().mutate().content(text).build();
        return new Generation(message, generation.getMetadata());
    }

    private static ChatClientResponse with(ChatClientResponse response, ChatResponse reply, List<Generation> masked) {
        ChatResponse changed =
                ChatResponse.builder().from(reply).generations(masked).build();
        return response.mutate().chatResponse(changed).build();
    }
}
