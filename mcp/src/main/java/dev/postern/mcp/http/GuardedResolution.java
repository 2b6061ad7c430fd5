package dev.postern.mcp.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.List;
import java.util.stream.Stream;

/**
 * The platform's own look-up of names, less what {@link AddressGuard} refuses for a name that a request is being made to. Found by
 * the platform as a service; all other names are looked up as ever.
 */
public final class GuardedResolution extends InetAddressResolverProvider {
    @Override
    public InetAddressResolver get(Configuration configuration) {
        InetAddressResolver builtin = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                List<InetAddress> addresses = builtin.lookupByName(host, policy)
                        .filter(address -> AddressGuard.mayLead(host, address))
                        .toList();
                if (addresses.isEmpty()) {
                    throw new UnknownHostException("no address that may be reached");
                }
                return addresses.stream();
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                return builtin.lookupByAddress(address);
            }
        };
    }

    @Override
    public String name() {
        return "postern";
    }
}
