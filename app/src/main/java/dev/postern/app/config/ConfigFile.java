package dev.postern.app.config;

import dev.postern.detect.DetectionRules;
import dev.postern.detect.RuleFileException;
import dev.postern.gate.detect.DetectionModes;
import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.mcp.oauth.ResourceServerSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One reading of the configuration file. {@link #servers} interprets it; {@link ConfigEdit} changes it. Immutable.
 */
public final class ConfigFile {
    /** The file's name in the data directory. */
    public static final String NAME = "postern.json";

    private final Path path;
    private final byte[] source;
    private final JsonValue root;

    private ConfigFile(Path path, byte[] source, JsonValue root) {
        this.path = path;
        this.source = source;
        this.root = root;
    }

    /**
     * Reads the file; one that does not exist is as good as one without servers.
     *
     * @throws ConfigException if it cannot be read or is no JSON object
     */
    public static ConfigFile read(Path path) {
        try {
            return parse(path, Files.readAllBytes(path));
        } catch (NoSuchFileException e) {
            return parse(path, "{}\n".getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new ConfigException(path + " cannot be read; check that it is a file you may read.");
        }
    }

    static ConfigFile parse(Path path, byte[] source) {
        JsonValue root;
        try {
            root = JsonValue.parse(Jsonc.blank(source));
        } catch (JsonException e) {
            throw new ConfigException(path.getFileName() + " line " + line(source, e.offset()) + ": " + e.reason()
                    + "; the file is JSON with comments and trailing commas allowed.");
        }
        if (!root.is(Kind.OBJECT)) {
            throw new ConfigException(path.getFileName() + " line 1: the file is not a JSON object.");
        }
        return new ConfigFile(path, source, root);
    }

    /**
     * The servers in the file's order, disabled ones left out.
     *
     * @throws ConfigException at the first thing that is wrong
     */
    public List<ConfiguredServer> servers(Function<String, @Nullable String> environment) {
        Variables variables = new Variables(environment, this::input);
        DetectionModes detect = detect();
        Map<String, ConfiguredServer> servers = new LinkedHashMap<>();
        for (String section : List.of("mcpServers", "servers")) {
            JsonValue members = section(section);
            if (members == null) {
                continue;
            }
            members.forEachMember((token, definition) -> {
                String name = token.string();
                String pointer = "/" + section + "/" + name;
                if (servers.containsKey(name)) {
                    throw new ConfigException(place(token, pointer) + ": this server is there twice; rename one.");
                }
                ConfiguredServer server =
                        new ServerReader(this, variables, pointer, detect).read(name, token, definition);
                if (server != null) {
                    servers.put(name, server);
                }
            });
        }
        return List.copyOf(servers.values());
    }

    /**
     * Whose access tokens are taken besides agents' keys; null if nobody's.
     *
     * @param url what the gateway calls itself where the file does not say
     * @throws ConfigException if it is wrong
     */
    public @Nullable ResourceServerSettings oauth(String url) {
        JsonValue oauth = root.member("oauth");
        return oauth == null ? null : new OAuthReader(this, oauth).read(url);
    }

    /**
     * What becomes of secrets nobody told us about where a server does not say otherwise (D6).
     *
     * @throws ConfigException if it is wrong
     */
    public DetectionModes detect() {
        return new DetectionReader(this, "").gateway(root);
    }

    /**
     * The rules to look for: those of the library, with the file on top that {@code detect} names, if it names one.
     *
     * @throws ConfigException if that file cannot be read or used
     */
    public DetectionRules detectionRules() {
        JsonValue name = new DetectionReader(this, "").rules(root);
        if (name == null) {
            return DetectionRules.defaults();
        }
        String place = place(name, "/detect/rules");
        Path base = path.toAbsolutePath().getParent();
        try {
            Path rules = Path.of(name.string());
            return DetectionRules.load(Files.readAllBytes(base == null ? rules : base.resolve(rules)));
        } catch (IOException | InvalidPathException e) {
            throw new ConfigException(
                    place + ": the rule file cannot be read; name one beside this file that you may read.");
        } catch (RuleFileException e) {
            throw new ConfigException(place + ": the rule file is wrong: " + e.getMessage() + ".");
        }
    }

    /** Whether {@code detect} names a rule file. */
    public boolean hasDetectionRules() {
        return new DetectionReader(this, "").rules(root) != null;
    }

    /**
     * How long the ledger's entries stay.
     *
     * @throws ConfigException if it is wrong
     */
    public LedgerRetention ledgerRetention() {
        return LedgerRetention.read(this);
    }

    /**
     * Where people are told of calls that wait for them; null where nothing is said.
     *
     * @throws ConfigException if it is wrong
     */
    public @Nullable ConfiguredWebhook webhook(Function<String, @Nullable String> environment) {
        return new OwnReader(this, new Variables(environment, this::input)).webhook(root);
    }

    /**
     * The hosts to which {@code http_request} and the webhook may carry a secret over plain HTTP, in lower case.
     *
     * @throws ConfigException if they are wrong
     */
    public List<String> plainHttpHosts() {
        return new OwnReader(this, new Variables(name -> null, this::input)).plainHttpHosts(root);
    }

    /**
     * Scheme, host and port under which people reach the portal; null where the file does not say.
     *
     * @throws ConfigException if it is wrong
     */
    public @Nullable URI portalAddress() {
        return new OwnReader(this, new Variables(name -> null, this::input)).portalAddress(root);
    }

    /**
     * The key and certificates of TLS; null where the file does not say, and plain HTTP is served.
     *
     * @throws ConfigException if it is wrong
     */
    public @Nullable ConfiguredTls tls(Function<String, @Nullable String> environment) {
        return new TlsReader(this, new Variables(environment, this::input)).read(root);
    }

    /**
     * How much agents and servers may send and keep open.
     *
     * @throws ConfigException if it is wrong
     */
    public ConfiguredLimits limits() {
        return ConfiguredLimits.read(this);
    }

    /** The directory that relative paths are of. */
    Path directory() {
        Path parent = path.toAbsolutePath().getParent();
        return parent == null ? path.toAbsolutePath() : parent;
    }

    /**
     * The provider with whose accounts people sign in; null where there is none.
     *
     * @throws ConfigException if it is wrong
     */
    public @Nullable ConfiguredOpenId openId(Function<String, @Nullable String> environment) {
        JsonValue portal = root.member("portal");
        JsonValue openId = portal == null ? null : portal.member("openid");
        return openId == null ? null : new OpenIdReader(this, new Variables(environment, this::input), openId).read();
    }

    /** The names in the file, disabled ones included. */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        for (String section : List.of("mcpServers", "servers")) {
            JsonValue members = section(section);
            if (members != null) {
                members.forEachMember((name, definition) -> names.add(name.string()));
            }
        }
        return names;
    }

    @Nullable
    JsonValue section(String name) {
        JsonValue section = root.member(name);
        if (section != null && !section.is(Kind.OBJECT)) {
            throw new ConfigException(place(section, "/" + name) + ": this is not an object of servers by name.");
        }
        return section;
    }

    /** What stands for an input: its default, else the secret that bears its id, which the operator adds once. */
    private @Nullable String input(String id) {
        JsonValue inputs = root.member("inputs");
        if (inputs != null) {
            for (JsonValue input : inputs.elements()) {
                if (id.equals(input.string("id"))) {
                    String preset = input.string("default");
                    return preset != null ? preset : "{{vault:" + id.toLowerCase(java.util.Locale.ROOT) + "}}";
                }
            }
        }
        return null;
    }

    /** {@code FILE line N, POINTER}. */
    String place(JsonValue at, String pointer) {
        return path.getFileName() + " line " + line(source, at.start()) + ", " + pointer;
    }

    private static int line(byte[] text, int offset) {
        int line = 1;
        for (int at = 0; at < Math.min(offset, text.length); at++) {
            if (text[at] == '\n') {
                line++;
            }
        }
        return line;
    }

    Path path() {
        return path;
    }

    byte[] source() {
        return source;
    }

    JsonValue root() {
        return root;
    }
}
