import type { MetricEntry } from './entries';

export const ENVIRONMENT = ['SANDBOX', 'LIVE'] as const;
const DIRECTION = ['IN', 'OUT'] as const;
const SMS_STATUS = [
  'RECEIVED',
  'PARSED',
  'UNPARSED',
  'MATCH_PENDING',
  'MATCHED',
  'FAILED',
  'MANUALLY_RESOLVED',
  'REJECTED',
] as const;

export const INTENT_API_METRICS = {
  intents_created_total: {
    kind: 'counter',
    unit: 'intents',
    help: 'Payment intents created; replays of an idempotency key do not count.',
    labels: { environment: ENVIRONMENT },
  },
  intents_settled_total: {
    kind: 'counter',
    unit: 'intents',
    help: 'Status changes of payment intents, by new status.',
    labels: { environment: ENVIRONMENT, status: ['PAID', 'FAILED', 'EXPIRED', 'REJECTED', 'REVIEW_REQUIRED'] },
  },
  sms_to_paid_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    help: 'Time from receiving an SMS to the committed status PAID, for payments by reference whose intent was created before the SMS.',
    labels: { environment: ENVIRONMENT },
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300],
  },
} as const satisfies Record<string, MetricEntry>;

export const CHECKOUT_API_METRICS = {
  claims_judged_total: {
    kind: 'counter',
    unit: 'claims',
    help: 'TrxID claims by the outcome that was returned to the customer; processing: no decision in time.',
    labels: { environment: ENVIRONMENT, outcome: 'outcomes of a claim' },
  },
  intent_copies_fetched_total: {
    kind: 'counter',
    unit: 'intents',
    help: 'Intents fetched from intent-api because their events had not arrived.',
    labels: { result: ['found', 'unknown'] },
  },
  claims_undecided_oldest_seconds: {
    kind: 'gauge',
    unit: 'seconds',
    help: 'Age of the oldest claim that the reconciler has not decided; 0 if there is none. The same in every replica.',
    labels: { environment: ENVIRONMENT },
  },
  checkout_streams_open: {
    kind: 'gauge',
    unit: 'streams',
    help: 'Event streams that are open on this replica.',
    labels: {},
  },
  checkout_stream_views_total: {
    kind: 'counter',
    unit: 'views',
    help: 'Views sent to event streams, including the first one of each stream.',
    labels: {},
  },
} as const satisfies Record<string, MetricEntry>;

export const SMS_INGEST_METRICS = {
  sms_received_total: {
    kind: 'counter',
    unit: 'SMS',
    help: 'SMS accepted, by provider (none: sender not trusted), status (REPEAT: already stored) and, if UNPARSED, the reason.',
    labels: {
      environment: ENVIRONMENT,
      provider: ['BKASH', 'NAGAD', 'ROCKET', 'UPAY', 'none'],
      status: ['PARSED', 'UNPARSED', 'REPEAT'],
      reason: 'reasons of the parser; none: the SMS was parsed',
    },
  },
  sms_refused_total: {
    kind: 'counter',
    unit: 'messages',
    help: 'Messages of a batch that were refused.',
    labels: { code: 'error codes of the API' },
  },
  sms_requests_turned_away_total: {
    kind: 'counter',
    unit: 'requests',
    help: 'Requests answered 429 BUSY, by the limit that was reached: device, merchant, all, or wait (commits take too long).',
    labels: { bound: ['device', 'merchant', 'all', 'wait'] },
  },
  sms_reparsed_total: {
    kind: 'counter',
    unit: 'SMS',
    help: 'UNPARSED SMS that were parsed again with another result, by new status.',
    labels: { status: SMS_STATUS },
  },
  sms_decided_total: {
    kind: 'counter',
    unit: 'SMS',
    help: 'Decisions of the reconciler that were applied to an SMS, by its new status.',
    labels: { status: SMS_STATUS },
  },
  sms_undecided_oldest_seconds: {
    kind: 'gauge',
    unit: 'seconds',
    help: 'Age of the oldest parsed SMS that the reconciler has not decided; 0 if there is none. The same in every replica.',
    labels: { environment: ENVIRONMENT },
  },
  sms_missing_open: {
    kind: 'gauge',
    unit: 'gaps',
    help: 'Gaps in the balances of wallets that were reported in the last 24 hours and that no SMS explains, by direction of the money. The same in every replica.',
    labels: { environment: ENVIRONMENT, direction: DIRECTION },
  },
  sms_missing_found_total: {
    kind: 'counter',
    unit: 'gaps',
    help: 'Gaps that still existed after the grace period.',
    labels: { environment: ENVIRONMENT, direction: DIRECTION },
  },
  sms_missing_explained_total: {
    kind: 'counter',
    unit: 'gaps',
    help: 'Gaps that were explained by late SMS.',
    labels: { environment: ENVIRONMENT, direction: DIRECTION },
  },
  sms_balance_breaks_total: {
    kind: 'counter',
    unit: 'SMS',
    help: 'SMS whose balance contradicts the SMS before and after them.',
    labels: {},
  },
  devices_online: {
    kind: 'gauge',
    unit: 'devices',
    help: 'Devices that send heartbeats and are online; the same in every replica.',
    labels: { environment: ENVIRONMENT },
  },
  devices_silent: {
    kind: 'gauge',
    unit: 'devices',
    help: 'Enabled devices that send heartbeats and have been silent for too long, but not yet for seven days; the same in every replica.',
    labels: { environment: ENVIRONMENT },
  },
  devices_went_offline_total: {
    kind: 'counter',
    unit: 'devices',
    help: 'Devices that became silent; each is counted by one replica only.',
    labels: { environment: ENVIRONMENT },
  },
  forwarder_requests_total: {
    kind: 'counter',
    unit: 'requests',
    help: 'Requests to hooks, by app and kind; those of the kinds signature, stale, malformed and unsigned_refused were refused.',
    labels: {
      adapter: 'forwarder apps',
      outcome: ['sms', 'list', 'heartbeat', 'heard', 'nothing', 'signature', 'stale', 'malformed', 'unsigned_refused'],
    },
  },
} as const satisfies Record<string, MetricEntry>;

export const RECONCILER_METRICS = {
  reconciler_decisions_total: {
    kind: 'counter',
    unit: 'decisions',
    help: 'Decisions about SMS and intents, by result.',
    labels: {
      environment: ENVIRONMENT,
      status: [
        'PENDING',
        'MATCHED',
        'REVIEW_REQUIRED',
        'FAILED',
        'EXPIRED',
        'UNPARSED',
        'DUPLICATE',
        'MANUALLY_RESOLVED',
        'REJECTED',
      ],
      path: ['REFERENCE', 'TRX_ID', 'MANUAL', 'NONE'],
      reason: 'reasons of a match; unparsed: any reason of the parser',
    },
  },
  reconciler_claims_total: {
    kind: 'counter',
    unit: 'claims',
    help: 'Decisions about TrxID claims.',
    labels: { environment: ENVIRONMENT, outcome: 'outcomes of a claim' },
  },
  reconciler_decision_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    help: 'Time from receiving an SMS to the committed decision about it.',
    labels: { environment: ENVIRONMENT },
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300],
  },
  reconciler_intents_expired_total: {
    kind: 'counter',
    unit: 'intents',
    help: 'Intents that the reconciler has expired.',
    labels: { environment: ENVIRONMENT },
  },
  reconciler_expiry_waits_total: {
    kind: 'counter',
    unit: 'rounds',
    help: 'Rounds of the expiry worker that waited, by cause: a service that did not respond, or undecided SMS or claims.',
    labels: { cause: ['sms-ingest', 'checkout-api', 'intent-api', 'undecided'] },
  },
  reconciler_expiry_lag_seconds: {
    kind: 'gauge',
    unit: 'seconds',
    help: 'Time that the oldest due intent has been waiting for its expiry.',
    labels: {},
  },
  reconciler_switch_off_waits_total: {
    kind: 'counter',
    unit: 'rounds',
    help: 'Pages of pending intents that were not failed after a switch-off, or not all of them, because dashboard-api did not confirm it or intent-api did not return an intent.',
    labels: {},
  },
  reconciler_decision_seal_lag_seconds: {
    kind: 'gauge',
    unit: 'seconds',
    help: 'Time that the oldest decision of the last round had waited to be linked into the chain of its tenant.',
    labels: {},
  },
  reconciler_broken_chains: {
    kind: 'gauge',
    unit: 'chains',
    help: 'Decision chains in which this process found entries that failed verification.',
    labels: {},
  },
  reconciler_chains_verified_timestamp_seconds: {
    kind: 'gauge',
    unit: 'Unix time in seconds',
    help: 'Time at which this process last completed a verification round (new decisions and old ones, each for a limited time); 0 before the first one.',
    labels: {},
  },
  reconciler_all_decisions_verified_timestamp_seconds: {
    kind: 'gauge',
    unit: 'Unix time in seconds',
    help: 'Time at which this process last verified all stored decisions, money and intents; 0 before the first time.',
    labels: {},
  },
} as const satisfies Record<string, MetricEntry>;

const ATTEMPT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 60, 300] as const;

export const WEBHOOK_DISPATCHER_METRICS = {
  webhook_attempts_total: {
    kind: 'counter',
    unit: 'requests',
    help: 'Requests to endpoints, by outcome.',
    labels: {
      environment: ENVIRONMENT,
      outcome: [
        'SUCCESS',
        'HTTP_REDIRECT',
        'GONE',
        'HTTP_4XX',
        'HTTP_5XX',
        'DNS',
        'CONNECT',
        'TLS',
        'RESET',
        'STALE_SOCKET',
        'TIMEOUT',
        'PROTOCOL',
        'BLOCKED',
        'BLOCKED_DNS',
        'INTERNAL',
        'UNKNOWN',
      ],
    },
  },
  webhook_attempt_duration_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    help: 'Duration of requests to endpoints.',
    labels: {},
    buckets: ATTEMPT_SECONDS,
  },
  webhook_event_to_first_attempt_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    help: 'Time from an event to the first request about it. Not counted: requests to endpoints whose last request failed, and requests caused by a recovery or a resend.',
    labels: { environment: ENVIRONMENT },
    buckets: ATTEMPT_SECONDS,
  },
  webhook_requests_in_flight: {
    kind: 'gauge',
    unit: 'requests',
    help: 'Requests to endpoints in flight in this process.',
    labels: {},
  },
  webhook_deliveries_due: {
    kind: 'gauge',
    unit: 'deliveries',
    help: 'Due deliveries of all processes that wait for a slot, without those of broken and unverified endpoints; counted up to 200 per endpoint, because more wait for the slots of that endpoint, and up to 100000 in total.',
    labels: {},
  },
  webhook_endpoints_broken: {
    kind: 'gauge',
    unit: 'endpoints',
    help: 'Enabled endpoints with an open circuit breaker, which receive probes only; the same in every replica.',
    labels: { environment: ENVIRONMENT },
  },
  webhook_endpoints_active: {
    kind: 'gauge',
    unit: 'endpoints',
    help: 'Enabled and verified endpoints, broken or not; the same in every replica.',
    labels: { environment: ENVIRONMENT },
  },
} as const satisfies Record<string, MetricEntry>;

export const DASHBOARD_API_METRICS = {
  dashboard_payment_audit_findings: {
    kind: 'gauge',
    unit: 'payments',
    help: 'Confirmed mismatches between decisions, intents, event feed and deliveries that are not resolved, by kind.',
    labels: {
      kind: [
        'decision_not_applied',
        'missing_in_feed',
        'missing_deliveries',
        'intent_without_decision',
        'feed_without_intent',
        'amount_differs',
      ],
    },
  },
  dashboard_payment_audit_last_round_timestamp_seconds: {
    kind: 'gauge',
    unit: 'Unix time in seconds',
    help: 'Unix time at which this process last completed a round of the payment audit; 0 before the first one.',
    labels: {},
  },
} as const satisfies Record<string, MetricEntry>;
