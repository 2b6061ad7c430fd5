package dev.postern.gate.call;

import dev.postern.gate.agent.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls this node is working on, from the first step to the last, so that somebody can stop them: while they wait for a
 * person, and while a server works on them. A stopped call ends with the reason it was stopped for; its server is told that
 * it is cancelled. Thread-safe.
 */
public final class RunningCalls {
    private final Set<Running> running = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Refusal closedBy;

    /** A call begins. Whatever is stopped from now on includes it, so what would stop it is to be looked at afterwards. */
    public Running enter(ToolCall call) {
        Running entered = new Running(call);
        running.add(entered);
        Refusal why = closedBy;
        if (why != null) {
            entered.stop(why);
        }
        return entered;
    }

    /** Lets calls that are running go on, and stops each that begins from now on. */
    public void refuseMore(Refusal why) {
        closedBy = why;
    }

    /**
     * Stops every call that passes, at once; returns how many. A call that was stopped before keeps its first reason.
     *
     * @param why what the agent is told
     */
    public int stop(Predicate<ToolCall> which, Refusal why) {
        List<Running> stopped = new ArrayList<>();
        for (Running each : running) {
            if (which.test(each.call) && each.stop(why)) {
                stopped.add(each);
            }
        }
        return stopped.size();
    }

    /** Stops every call of an agent whose keys were revoked or have expired, whether a person was asked or a server works on it. */
    public int stopCallsOf(Caller agent) {
        return stop(
                call -> call.caller().agent().equals(agent.agent()),
                Refusal.of(
                        Disposition.POLICY_DENIED,
                        false,
                        "this agent's key was revoked or expired while the call waited or ran",
                        "Ask the operator for a new key; a call that was running may have acted already"));
    }

    /** How many calls are running. */
    public int count() {
        return running.size();
    }

    /** One running call; closed when it is over. */
    public final class Running implements AutoCloseable {
        private final ToolCall call;
        private final Cancellation either = new Cancellation();
        private final Cancellation.Registration agent;
        private final List<Runnable> atEnd = new ArrayList<>(1);
        private volatile @Nullable Refusal stoppedBy;

        private Running(ToolCall call) {
            this.call = call.cancelledBy(either);
            this.agent = call.patience().cancellation().onFire(either::fire);
        }

        /** The call; its cancellation fires when the agent gives up, and when somebody stops it. */
        public ToolCall call() {
            return call;
        }

        /** Why it was stopped; null while nobody did. */
        public @Nullable Refusal stoppedBy() {
            return stoppedBy;
        }

        /** Goes on only if nobody has stopped the call. */
        public void requireGoing() {
            Refusal why = stoppedBy;
            if (why != null) {
                throw new RefusedException(why);
            }
        }

        /** Stops this call alone; false if it was stopped before. */
        public boolean stop(Refusal why) {
            synchronized (this) {
                if (stoppedBy != null) {
                    return false;
                }
                stoppedBy = why;
            }
            either.fire();
            return true;
        }

        /** Runs {@code last} when the call is over, however it ends. Used by the thread that runs the call. */
        public void onEnd(Runnable last) {
            atEnd.add(last);
        }

        @Override
        public void close() {
            running.remove(this);
            agent.close();
            atEnd.forEach(Runnable::run);
        }
    }
}
