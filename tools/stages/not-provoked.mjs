/**
 * Log events that no spec causes in every run. A complete run reports which of them occurred: remove those here, unless
 * they depend on timing.
 */
export const NOT_PROVOKED = [
  'bindings.repair_failed',
  'publisher.open_failed',
  'relay.sweep_failed',
  'relay.mark_failed',
  'consumer.session_ended',
  'private_server.failed',
  'migration.database_awaited',
  'migration.failed',
  'broker.listener_failed',
  'probe.rejected',
  'probes.not_recorded',
  'publisher_epoch.check_failed',
  'broadcast.listener_failed',
  'directory.resend_check_failed',
  'stream.read_failed',
  'sms.not_stored',
  'sms.not_reparsed',
  'decisions.not_sealed',
  'delivery.leases_not_released',
  'delivery.claim_failed',
  'recovery.interrupted',
  'test_run.failed',
  'test_endpoint.not_provided',
];
