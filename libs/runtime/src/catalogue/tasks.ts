export interface TaskEntry {
  /** `service`: a run of any replica does the work. `process`: each process has its own, which others cannot do. */
  readonly scope: 'process' | 'service';
  /** Of the alert if it fails. */
  readonly severity: 'page' | 'ticket';
}

/** The periodic tasks of all services. A process runs those of its service. */
export const TASKS = {
  'add-up-delivery-counts': { scope: 'service', severity: 'ticket' },
  'add-up-hourly-counts': { scope: 'service', severity: 'ticket' },
  bindings: { scope: 'service', severity: 'page' },
  'change-streams': { scope: 'process', severity: 'ticket' },
  'check-alerts': { scope: 'service', severity: 'page' },
  'close-match-windows': { scope: 'service', severity: 'page' },
  'database-clock': { scope: 'process', severity: 'page' },
  'delete-old-records': { scope: 'service', severity: 'ticket' },
  'delete-old-texts': { scope: 'service', severity: 'ticket' },
  'device-announcements': { scope: 'service', severity: 'ticket' },
  'device-repeats': { scope: 'process', severity: 'ticket' },
  'devices-last-seen': { scope: 'process', severity: 'ticket' },
  'disable-failing-endpoints': { scope: 'service', severity: 'ticket' },
  'expire-intents': { scope: 'service', severity: 'page' },
  'fail-open-deliveries': { scope: 'service', severity: 'ticket' },
  'fail-unpayable': { scope: 'service', severity: 'page' },
  'follow-balances': { scope: 'service', severity: 'ticket' },
  'hold-intake': { scope: 'process', severity: 'page' },
  'messaging-retention': { scope: 'service', severity: 'ticket' },
  'old-device-repeats': { scope: 'service', severity: 'ticket' },
  'open-missing-sms': { scope: 'service', severity: 'ticket' },
  'outbox-replays': { scope: 'service', severity: 'page' },
  'payment-audit': { scope: 'service', severity: 'page' },
  'play-test-clocks': { scope: 'service', severity: 'ticket' },
  'probe-early': { scope: 'service', severity: 'page' },
  probes: { scope: 'service', severity: 'page' },
  'publisher-epoch': { scope: 'service', severity: 'page' },
  'reannounce-undecided': { scope: 'service', severity: 'page' },
  'report-waiting-sms': { scope: 'process', severity: 'page' },
  'run-streams': { scope: 'process', severity: 'ticket' },
  'seal-decisions': { scope: 'service', severity: 'page' },
  'send-mails': { scope: 'service', severity: 'page' },
  'silent-devices': { scope: 'service', severity: 'page' },
  'store-checkout-activity': { scope: 'process', severity: 'ticket' },
  'sweep-old-rows': { scope: 'service', severity: 'ticket' },
  'sweep-sign-in': { scope: 'service', severity: 'ticket' },
  topology: { scope: 'service', severity: 'page' },
  'verify-chains': { scope: 'service', severity: 'ticket' },
} as const satisfies Record<string, TaskEntry>;

export type TaskName = keyof typeof TASKS;
/** Tasks that a replica may leave to another one. */
export type SharedTaskName = {
  [Name in TaskName]: (typeof TASKS)[Name]['scope'] extends 'service' ? Name : never;
}[TaskName];
