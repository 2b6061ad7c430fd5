package dev.postern.app.posix;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.IntConsumer;

/**
 * Signals sent to this process. The platform's only way to hear of them is {@code sun.misc.Signal}, which javac cannot name
 * without a warning, hence by reflection.
 */
public final class Signals {
    private static final int QUIT = 3;
    private static final long IGNORE = 1;

    private Signals() {}

    /**
     * From now on a signal does nothing but call the listener, on a thread of its own. One that was ignored when the process
     * started, as under {@code nohup}, stays so.
     *
     * @param name without {@code SIG}
     * @param listener given the signal's number
     */
    @SuppressWarnings("ReferenceEquality") // A listener equals itself alone.
    public static void listen(String name, IntConsumer listener) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object heard = signal.getConstructor(String.class).newInstance(name);
            int number = (int) signal.getMethod("getNumber").invoke(heard);
            Object proxy = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                        switch (method.getName()) {
                            case "handle" -> listener.accept(number);
                            case "hashCode" -> {
                                return System.identityHashCode(self);
                            }
                            case "equals" -> {
                                return arguments != null && self == arguments[0];
                            }
                            default -> {
                                return "listener of " + name;
                            }
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler).invoke(null, heard, proxy);
        } catch (ReflectiveOperationException e) {
            if (!(e instanceof InvocationTargetException refused
                    && refused.getCause() instanceof IllegalArgumentException)) {
                throw new IllegalStateException("signals cannot be heard", e);
            }
            // The virtual machine keeps this one for itself; then it stays as it is.
        }
    }

    /**
     * Ignores SIGQUIT, at which the virtual machine would print its threads in the midst of the child's output. It gives the
     * signal to nobody, so it cannot be passed on; where it is typed, the terminal sends it to the child as well.
     */
    public static void ignoreQuit() {
        LibC.signal(QUIT, IGNORE);
    }
}
