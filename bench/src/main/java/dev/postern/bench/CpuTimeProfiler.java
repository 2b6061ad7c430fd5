package dev.postern.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Adds to a benchmark's time what the whole process spent of the processor, collector and compiler included, in
 * milliseconds an operation. That is what is left to trust on a machine that others use at the same time.
 */
public final class CpuTimeProfiler implements InternalProfiler {
    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private long before;

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = system.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double millis = (system.getProcessCpuTime() - before)
                / 1e6
                / result.getMetadata().getAllOps();
        return List.of(new ScalarResult("cpu", millis, "ms/op", AggregationPolicy.AVG));
    }

    @Override
    public String getDescription() {
        return "processor time of the whole process, in milliseconds an operation";
    }
}
