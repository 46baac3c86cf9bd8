import { debug, error, event, fatal, info, warn } from './entries';

export const PROCESS_EVENTS = {
  'config.tls_turned_off': warn('A setting turned TLS off because the network encrypts.', 'setting'),
  'http.listening': info('The public HTTP server listens.', 'host port'),
  'service.started': info('The process accepts requests.', 'port privatePort workers'),
  'service.ready': info('The process is ready again: all checks pass.'),
  'service.unready': warn('The process is not ready; names the failing checks.', 'failing'),
  'service.stopping': info('Graceful shutdown began; names the signal or the worker that ended.', 'reason'),
  'service.stopped': info('The process exits.', 'name exitCode upSeconds'),
  'service.close_failed': error('A resource could not be closed; the exit code is 1.', 'resource'),
  'service.stop_timed_out': fatal('SHUTDOWN_SECONDS passed; the process exits immediately.'),
  'process.unhandled_rejection': fatal('Unhandled promise rejection; the process exits immediately.'),
  'process.uncaught_exception': fatal('Uncaught exception; the process exits immediately.'),
  'private_server.cannot_listen': fatal('The private port could not be opened; the process stops.', 'port'),
  'private_server.failed': error('/readyz or /metrics failed.', 'route'),
  'worker.ended': fatal('A worker ended unexpectedly; the process stops.', 'worker'),
  'worker.failed': fatal('A worker failed; the process stops.', 'worker'),
  'worker.stop_failed': fatal('A worker failed while it was being stopped.', 'worker'),
  'task.failed': error('One run of a periodic task failed; the next run is not affected.', 'task'),
  'gauge.not_readable': warn(
    'A gauge could not be read from the database; it has no value until `gauge.readable`.',
    'gauge',
  ),
  'gauge.readable': info('A gauge can be read from the database again.', 'gauge'),
  'records.deleted': info('Retention deleted rows; counts per table.', 'deleted'),
};

export const HTTP_EVENTS = {
  'http.request': event(
    ['debug', 'info', 'error'],
    'One HTTP request. Level debug below 400 and for 429, error for a failure of this service, otherwise info.',
    'requestId method route status durationMs merchantId',
  ),
  'http.failed_after_disconnect': error('A request failed after its client had disconnected.', 'requestId route'),
  'rate_limits.not_shared': warn(
    'Shares of rate limits could not be read from the database; each replica limits separately.',
  ),
  'rate_limits.shared_again': info('Shares of rate limits are read from the database again.'),
};

export const DATABASE_EVENTS = {
  'clock.differs_from_database': warn('The clocks of this machine and the database differ.', 'differenceSeconds'),
  'database.idle_connection_lost': warn('An idle connection was lost; the pool opens another.', 'reason'),
  'database.schema_newer': warn('The database has migrations that are unknown to this version.', 'unknown'),
  'transaction.hook_failed': error('A hook that runs after a commit failed; the transaction is committed.'),
  'migration.applied': info('A migration was applied.', 'migration'),
  'migration.database_awaited': info('Postgres does not listen yet; migrations wait for up to a minute.'),
  'migration.lock_awaited': info(
    'Another transaction has locked a table for three seconds; the migration is tried again after a second.',
    'tries',
  ),
  'migration.failed': fatal('A migration failed; the migrations stopped.'),
};

export const MESSAGING_EVENTS = {
  'broker.connected': info('A connection to RabbitMQ is open.', 'connection'),
  'broker.disconnected': warn('A connection was lost; the service reconnects.', 'connection reason'),
  'broker.connect_failed': warn('A connection could not be opened; it is retried.', 'connection reason'),
  'broker.blocked': warn('RabbitMQ refuses publishing: it is short of memory or disk.', 'connection reason'),
  'broker.unblocked': info('RabbitMQ accepts messages again.', 'connection'),
  'broker.error': debug(
    'A channel or connection reported an error; it is closed and opened again.',
    'connection what reason',
  ),
  'broker.listener_failed': error('A listener of a connection failed.', 'connection what'),
  'broker.queues_declared': warn('Missing queues were declared again.', 'queues'),
  'broker.exchange_differs': error(
    'An exchange of the service has a type other than direct; it is used unchanged.',
    'exchange expectedType',
  ),
  'bindings.repaired': warn(
    'A binding was missing; it was declared and its events were requested again.',
    'queue publisher types since',
  ),
  'bindings.repair_failed': error('Missing bindings could not be repaired; the repair is retried.'),
  'probe.rejected': warn('A probe of bindings was not valid and is ignored.', 'queue reason'),
  'probes.not_recorded': error('Received probes could not be stored; later probes are not affected.', 'queue'),
  'publisher.open_failed': warn('The channel for publishing could not be opened; it is retried.'),
  'publisher.channel_failed': error('RabbitMQ closed the channel for publishing; it is opened again.'),
  'publisher.confirms_overdue': warn('RabbitMQ has not confirmed in time; the channel is opened again.', 'unconfirmed'),
  'publisher_epoch.changed': error('The database was promoted or restored: see docs/recovery.md.', 'epoch epochBefore'),
  'publisher_epoch.check_failed': warn('The epoch could not be checked; the check is retried.'),
  'event.unroutable': error(
    'RabbitMQ returned events because no queue is bound for them; they stay in the outbox.',
    'eventId events type targetQueue',
  ),
  'event.refused': error('RabbitMQ refused events; they stay in the outbox.', 'eventId events type targetQueue'),
  'relay.sweep_failed': warn('Unpublished events could not be read; the read is retried.'),
  'relay.mark_failed': warn('Published events could not be marked; the update is retried.', 'events'),
  'replay.finished': info('A replay has published all its events.', 'queue types'),
  'consumer.paused': warn('The consumer is paused because the database is unavailable.', 'queue'),
  'consumer.resumed': info('The consumer continues.', 'queue'),
  'consumer.interrupted': warn('The consumer lost its channel; it is opened again.', 'queue'),
  'consumer.session_ended': warn('The consumer reopens its channel; names the cause.', 'queue end'),
  'message.failed': warn('A message could not be handled.', 'queue messageId'),
  'message.retry_scheduled': info('A message was moved to a retry queue.', 'queue messageId round step reason'),
  'message.parked': error(
    'A message was parked; an operator must replay or discard it.',
    'queue messageId kind reason',
  ),
  'sequence.conflict': error(
    'A fact has the epoch and sequence of a stored fact but different content.',
    'subject id epoch sequence',
  ),
  'broadcast.listener_failed': error('A listener of a broadcast failed.', 'topic'),
  'broadcast.failed': debug('A broadcast could not be sent or received; streams poll instead.'),
};

export const DIRECTORY_EVENTS = {
  'directory.applied': info('Facts of the directory were applied.', 'facts'),
  'directory.complete': info('The copy of the directory is complete.', 'kinds'),
  'directory.looked_up': info('A fact that was missing from the copy was fetched from dashboard-api.', 'kind id'),
  'directory.look_up_failed': warn('A look-up at dashboard-api failed.'),
  'directory.resend_requested': info('The copy is empty; all facts were requested.', 'kinds'),
  'directory.resend_check_failed': warn('The check whether the copy is complete failed.'),
  'directory.lost_facts_deleted': error('Facts that only lost commits had created were deleted.', 'facts epoch'),
  'directory.key_use_not_reported': warn(
    'Last uses of API keys could not be reported; they are reported later.',
    'keys',
  ),
};
