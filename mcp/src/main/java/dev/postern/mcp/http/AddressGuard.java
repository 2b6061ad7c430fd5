package dev.postern.mcp.http;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which addresses a request of an agent may not reach. Link-local ones, where clouds serve their machines' credentials, and
 * the metadata addresses outside that range; addresses that are no single host; and this gateway itself. Other
 * private addresses may be reached: tools within a network are what agents work with, and a secret's destination rules name
 * its hosts.
 *
 * <p>A name is looked up and checked before the request, and while the request runs every look-up of that name in this process
 * is checked again ({@link GuardedResolution}), so that a name cannot lead elsewhere the second time. Thread-safe.
 */
public final class AddressGuard {
    private static final List<byte[]> METADATA = Stream.of(
                    "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254")
            .map(literal -> InetAddress.ofLiteral(literal).getAddress())
            .toList();

    private static final InetAddress BROADCAST = InetAddress.ofLiteral("255.255.255.255");

    /** Prefixes of 96 bits or fewer behind which an IPv4 address stands, and where in the address it stands. */
    private static final Map<byte[], Integer> CARRIERS =
            Map.of(new byte[] {0, 0x64, (byte) 0xFF, (byte) 0x9B}, 12, new byte[] {0x20, 0x02}, 2, new byte[12], 12);

    private static final Map<String, List<Predicate<InetAddress>>> GUARDED = new ConcurrentHashMap<>();

    private final IntSupplier ownPort;

    /** @param ownPort the port that this gateway serves on */
    public AddressGuard(IntSupplier ownPort) {
        this.ownPort = ownPort;
    }

    /** A name under guard; closed when the request is over. */
    public interface Guarding extends AutoCloseable {
        @Override
        void close();
    }

    /** A host that may not be reached. The message is a sentence without its full stop and names no address. */
    public static final class RefusedAddressException extends Exception {
        RefusedAddressException() {
            super(
                    "this host leads to an address that is never reached from here: link-local, cloud metadata, or this gateway itself",
                    null,
                    false,
                    false);
        }
    }

    /**
     * Checks a host that is written as an address; one that is a name passes.
     *
     * @param host as in a URL, IPv6 in brackets
     */
    public void checkLiteral(String host, int port) throws RefusedAddressException {
        try {
            check(Stream.of(InetAddress.ofLiteral(unbracketed(host))), port);
        } catch (IllegalArgumentException e) {
            // A name: looked up when the request is made.
        }
    }

    /**
     * Looks a host up and checks every address it leads to, now and until the guarding is closed.
     *
     * @throws UnknownHostException if it leads nowhere
     */
    public Guarding guard(String host, int port) throws RefusedAddressException, UnknownHostException {
        String name = unbracketed(host).toLowerCase(Locale.ROOT);
        Predicate<InetAddress> refused = address -> isRefused(address, port);
        GUARDED.compute(
                name,
                (same, others) -> others == null
                        ? List.of(refused)
                        : Stream.concat(others.stream(), Stream.of(refused)).toList());
        Guarding guarding = () -> GUARDED.computeIfPresent(name, (same, all) -> {
            List<Predicate<InetAddress>> rest =
                    all.stream().filter(other -> !other.equals(refused)).toList();
            return rest.isEmpty() ? null : rest;
        });
        boolean checked = false;
        try {
            check(Arrays.stream(InetAddress.getAllByName(name)), port);
            checked = true;
            return guarding;
        } finally {
            if (!checked) {
                guarding.close();
            }
        }
    }

    /** Whether a name may lead to an address now. */
    static boolean mayLead(String name, InetAddress address) {
        return GUARDED.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()).stream()
                .noneMatch(refused -> refused.test(address));
    }

    /** Whether a host in a URL, in lower case, is certainly this machine. */
    public static boolean isHere(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        try {
            return InetAddress.ofLiteral(unbracketed(host)).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Whether what an address says can be trusted: over https, or from this machine, so that nobody on the way can change it. */
    public static boolean isTrusted(URI address) {
        String host = address.getHost();
        return host != null
                && ("https".equals(address.getScheme())
                        || ("http".equals(address.getScheme()) && isHere(host.toLowerCase(Locale.ROOT))));
    }

    private void check(Stream<InetAddress> addresses, int port) throws RefusedAddressException {
        if (addresses.anyMatch(address -> isRefused(address, port))) {
            throw new RefusedAddressException();
        }
    }

    private boolean isRefused(InetAddress address, int port) {
        return isNeverReached(address) || (port == ownPort.getAsInt() && isHere(address));
    }

    private static boolean isNeverReached(InetAddress address) {
        if (address.isLinkLocalAddress()
                || address.isMulticastAddress()
                || isMetadata(address)
                || (address instanceof Inet4Address && address.getAddress()[0] == 0)
                || address.equals(BROADCAST)) {
            return true;
        }
        InetAddress carried = address instanceof Inet6Address ? carried(address.getAddress()) : null;
        return carried != null && !address.isLoopbackAddress() && isNeverReached(carried);
    }

    private static boolean isMetadata(InetAddress address) {
        return METADATA.stream().anyMatch(known -> Arrays.equals(known, address.getAddress()));
    }

    private static @Nullable InetAddress carried(byte[] address) {
        for (Map.Entry<byte[], Integer> carrier : CARRIERS.entrySet()) {
            byte[] prefix = carrier.getKey();
            if (Arrays.equals(address, 0, prefix.length, prefix, 0, prefix.length)) {
                int at = carrier.getValue();
                try {
                    return InetAddress.getByAddress(Arrays.copyOfRange(address, at, at + 4));
                } catch (UnknownHostException e) {
                    throw new IllegalStateException("four bytes are an address", e);
                }
            }
        }
        return null;
    }

    private static boolean isHere(InetAddress address) {
        if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
            return true;
        }
        InetAddress carried = address instanceof Inet6Address ? carried(address.getAddress()) : null;
        if (carried != null && isHere(carried)) {
            return true;
        }
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return true; // it cannot be told
        }
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }
}
