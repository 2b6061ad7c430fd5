package dev.postern.bench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Agents whose calls all wait at once: {@code WaitingCalls URL CALLS KEY…}. Each call has a connection and a virtual thread of its
 * own, asks for the SHA-256 of a secret, and waits for as long as it takes. Prints how many were answered with it, and what became of
 * the others. Imports nothing but the JDK, so that {@code java WaitingCalls.java} runs it.
 */
public final class WaitingCalls {
    /** So many are connecting at a time: a burst of thousands overflows the system's queue of new connections. */
    private static final int CONNECTING = 64;

    private static final String RIGHT = "";
    private static final Pattern CODE = Pattern.compile("\"code\":\"(\\w+)\"");

    private WaitingCalls() {}

    public static void main(String[] arguments) throws IOException {
        URI url = URI.create(arguments[0]);
        int calls = Integer.parseInt(arguments[1]);
        AtomicInteger answered = new AtomicInteger();
        Map<String, Integer> failed = new ConcurrentSkipListMap<>();
        Semaphore connecting = new Semaphore(CONNECTING);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < calls; i++) {
                int number = i;
                String key = arguments[2 + i % (arguments.length - 2)];
                var _ = threads.submit(() -> {
                    try {
                        String wrong = call(url, key, number, connecting);
                        if (wrong.equals(RIGHT)) {
                            answered.incrementAndGet();
                        } else {
                            failed.merge(wrong, 1, Integer::sum);
                        }
                    } catch (IOException e) {
                        failed.merge(String.valueOf(e.getMessage()), 1, Integer::sum);
                    }
                    return number;
                });
            }
        }
        System.out.println("answered:                        " + answered);
        System.out.println("failed:                          "
                + failed.values().stream().mapToInt(Integer::intValue).sum());
        failed.forEach((wrong, count) -> System.out.println("  " + count + ": " + wrong));
    }

    /** What was wrong with the answer; {@link #RIGHT} if it is what was asked for. */
    private static String call(URI url, String key, int number, Semaphore connecting)
            throws IOException, InterruptedException {
        byte[] body = ("{\"jsonrpc\":\"2.0\",\"id\":" + number
                        + ",\"method\":\"tools/call\",\"params\":{\"name\":\"playground__sha256\",\"arguments\":{\"text\":\"call "
                        + number
                        + " {{vault:db}}\"},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                        + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"bench\",\"version\":\"1\"},"
                        + "\"io.modelcontextprotocol/clientCapabilities\":{}}}}")
                .getBytes(StandardCharsets.UTF_8);
        byte[] head = ("POST /mcp HTTP/1.1\r\nHost: " + url.getAuthority() + "\r\nAuthorization: Bearer " + key
                        + "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
                        + "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: playground__sha256\r\n"
                        + "Connection: close\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8);
        connecting.acquire();
        Socket socket;
        try {
            socket = new Socket(url.getHost(), url.getPort());
            socket.getOutputStream().write(head);
            socket.getOutputStream().write(body);
        } finally {
            connecting.release();
        }
        try (socket;
                InputStream in = new BufferedInputStream(socket.getInputStream(), 512)) {
            ByteArrayOutputStream answer = new ByteArrayOutputStream(512);
            in.transferTo(answer);
            String text = answer.toString(StandardCharsets.UTF_8);
            boolean right = text.startsWith("HTTP/1.1 200")
                    && text.contains("\"content\"")
                    && !text.contains("\"isError\":true");
            Matcher code = CODE.matcher(text);
            return right
                    ? RIGHT
                    : text.lines().findFirst().orElse("no answer") + (code.find() ? ", " + code.group(1) : "");
        }
    }
}
