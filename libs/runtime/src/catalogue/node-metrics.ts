import { counter, gauge, histogram } from './entries';

const BY_TYPE = { type: 'types of handles and requests of Node' };
const BY_SPACE = { space: 'heap spaces of V8' };

/** Metrics that prom-client's collectDefaultMetrics registers on Linux, with its own names, kinds and help texts. */
export const NODE_METRICS = {
  process_cpu_user_seconds_total: counter('seconds', 'Total user CPU time spent in seconds.'),
  process_cpu_system_seconds_total: counter('seconds', 'Total system CPU time spent in seconds.'),
  process_cpu_seconds_total: counter('seconds', 'Total user and system CPU time spent in seconds.'),
  process_start_time_seconds: gauge('seconds', 'Start time of the process since unix epoch in seconds.'),
  process_resident_memory_bytes: gauge('bytes', 'Resident memory size in bytes.'),
  process_virtual_memory_bytes: gauge('bytes', 'Virtual memory size in bytes.'),
  process_heap_bytes: gauge('bytes', 'Process heap size in bytes.'),
  process_open_fds: gauge('file descriptors', 'Number of open file descriptors.'),
  process_max_fds: gauge('file descriptors', 'Maximum number of open file descriptors.'),
  nodejs_eventloop_lag_seconds: gauge('seconds', 'Lag of event loop in seconds.'),
  nodejs_eventloop_lag_min_seconds: gauge('seconds', 'The minimum recorded event loop delay.'),
  nodejs_eventloop_lag_max_seconds: gauge('seconds', 'The maximum recorded event loop delay.'),
  nodejs_eventloop_lag_mean_seconds: gauge('seconds', 'The mean of the recorded event loop delays.'),
  nodejs_eventloop_lag_stddev_seconds: gauge('seconds', 'The standard deviation of the recorded event loop delays.'),
  nodejs_eventloop_lag_p50_seconds: gauge('seconds', 'The 50th percentile of the recorded event loop delays.'),
  nodejs_eventloop_lag_p90_seconds: gauge('seconds', 'The 90th percentile of the recorded event loop delays.'),
  nodejs_eventloop_lag_p99_seconds: gauge('seconds', 'The 99th percentile of the recorded event loop delays.'),
  nodejs_active_resources: gauge(
    'resources',
    'Number of active resources that are currently keeping the event loop alive, grouped by async resource type.',
    BY_TYPE,
  ),
  nodejs_active_resources_total: gauge('resources', 'Total number of active resources.'),
  nodejs_active_handles: gauge(
    'handles',
    'Number of active libuv handles grouped by handle type. Every handle type is C++ class name.',
    BY_TYPE,
  ),
  nodejs_active_handles_total: gauge('handles', 'Total number of active handles.'),
  nodejs_active_requests: gauge(
    'requests',
    'Number of active libuv requests grouped by request type. Every request type is C++ class name.',
    BY_TYPE,
  ),
  nodejs_active_requests_total: gauge('requests', 'Total number of active requests.'),
  nodejs_heap_size_total_bytes: gauge('bytes', 'Process heap size from Node.js in bytes.'),
  nodejs_heap_size_used_bytes: gauge('bytes', 'Process heap size used from Node.js in bytes.'),
  nodejs_external_memory_bytes: gauge('bytes', 'Node.js external memory size in bytes.'),
  nodejs_heap_space_size_total_bytes: gauge('bytes', 'Process heap space size total from Node.js in bytes.', BY_SPACE),
  nodejs_heap_space_size_used_bytes: gauge('bytes', 'Process heap space size used from Node.js in bytes.', BY_SPACE),
  nodejs_heap_space_size_available_bytes: gauge(
    'bytes',
    'Process heap space size available from Node.js in bytes.',
    BY_SPACE,
  ),
  nodejs_version_info: gauge('1', 'Node.js version info.', {
    version: 'version of Node',
    major: 'its first number',
    minor: 'its second number',
    patch: 'its third number',
  }),
  nodejs_gc_duration_seconds: histogram(
    'seconds',
    'Garbage collection duration by kind, one of major, minor, incremental or weakcb.',
    { kind: ['major', 'minor', 'incremental', 'weakcb'] },
  ),
};
