import { counter, gauge, histogram } from './entries';

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
  intents_created_total: counter('intents', 'Payment intents created; replays of an idempotency key do not count.', {
    environment: ENVIRONMENT,
  }),
  intents_settled_total: counter('intents', 'Status changes of payment intents, by new status.', {
    environment: ENVIRONMENT,
    status: ['PAID', 'FAILED', 'EXPIRED', 'REJECTED', 'REVIEW_REQUIRED'],
  }),
  sms_to_paid_seconds: histogram(
    'seconds',
    'Time from receiving an SMS to the committed status PAID, for payments by reference whose intent was created before the SMS.',
    { environment: ENVIRONMENT },
    [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300],
  ),
};

export const CHECKOUT_API_METRICS = {
  claims_judged_total: counter(
    'claims',
    'TrxID claims by the outcome that was returned to the customer; processing: no decision in time.',
    { environment: ENVIRONMENT, outcome: 'outcomes of a claim' },
  ),
  intent_copies_fetched_total: counter(
    'intents',
    'Intents fetched from intent-api because their events had not arrived.',
    { result: ['found', 'unknown'] },
  ),
  claims_undecided_oldest_seconds: gauge(
    'seconds',
    'Age of the oldest claim that the reconciler has not decided; 0 if there is none. The same in every replica.',
    { environment: ENVIRONMENT },
  ),
  checkout_streams_open: gauge('streams', 'Event streams that are open on this replica.'),
  checkout_stream_views_total: counter('views', 'Views sent to event streams, including the first one of each stream.'),
};

export const SMS_INGEST_METRICS = {
  sms_received_total: counter(
    'SMS',
    'SMS accepted, by provider (none: sender not trusted), status (REPEAT: already stored) and, if UNPARSED, the reason.',
    {
      environment: ENVIRONMENT,
      provider: ['BKASH', 'NAGAD', 'ROCKET', 'UPAY', 'none'],
      status: ['PARSED', 'UNPARSED', 'REPEAT'],
      reason: 'reasons of the parser; none: the SMS was parsed',
    },
  ),
  sms_refused_total: counter('messages', 'Messages of a batch that were refused.', { code: 'error codes of the API' }),
  sms_requests_turned_away_total: counter(
    'requests',
    'Requests answered 429 BUSY, by the limit that was reached: device, merchant, all, or wait (commits take too long).',
    { bound: ['device', 'merchant', 'all', 'wait'] },
  ),
  sms_reparsed_total: counter('SMS', 'UNPARSED SMS that were parsed again with another result, by new status.', {
    status: SMS_STATUS,
  }),
  sms_decided_total: counter('SMS', 'Decisions of the reconciler that were applied to an SMS, by its new status.', {
    status: SMS_STATUS,
  }),
  sms_undecided_oldest_seconds: gauge(
    'seconds',
    'Age of the oldest parsed SMS that the reconciler has not decided; 0 if there is none. The same in every replica.',
    { environment: ENVIRONMENT },
  ),
  sms_missing_open: gauge(
    'gaps',
    'Gaps in the balances of wallets that were reported in the last 24 hours and that no SMS explains, by direction of the money. The same in every replica.',
    { environment: ENVIRONMENT, direction: DIRECTION },
  ),
  sms_missing_found_total: counter('gaps', 'Gaps that still existed after the grace period.', {
    environment: ENVIRONMENT,
    direction: DIRECTION,
  }),
  sms_missing_explained_total: counter('gaps', 'Gaps that were explained by late SMS.', {
    environment: ENVIRONMENT,
    direction: DIRECTION,
  }),
  sms_balance_breaks_total: counter('SMS', 'SMS whose balance contradicts the SMS before and after them.'),
  devices_online: gauge('devices', 'Devices that send heartbeats and are online; the same in every replica.', {
    environment: ENVIRONMENT,
  }),
  devices_silent: gauge(
    'devices',
    'Enabled devices that send heartbeats and have been silent for too long, but not yet for seven days; the same in every replica.',
    { environment: ENVIRONMENT },
  ),
  devices_went_offline_total: counter('devices', 'Devices that became silent; each is counted by one replica only.', {
    environment: ENVIRONMENT,
  }),
  forwarder_requests_total: counter(
    'requests',
    'Requests to hooks, by app and kind; those of the kinds signature, stale, malformed and unsigned_refused were refused.',
    {
      adapter: 'forwarder apps',
      outcome: ['sms', 'list', 'heartbeat', 'heard', 'nothing', 'signature', 'stale', 'malformed', 'unsigned_refused'],
    },
  ),
};

export const RECONCILER_METRICS = {
  reconciler_decisions_total: counter('decisions', 'Decisions about SMS and intents, by result.', {
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
  }),
  reconciler_claims_total: counter('claims', 'Decisions about TrxID claims.', {
    environment: ENVIRONMENT,
    outcome: 'outcomes of a claim',
  }),
  reconciler_decision_seconds: histogram(
    'seconds',
    'Time from receiving an SMS to the committed decision about it.',
    { environment: ENVIRONMENT },
    [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300],
  ),
  reconciler_intents_expired_total: counter('intents', 'Intents that the reconciler has expired.', {
    environment: ENVIRONMENT,
  }),
  reconciler_expiry_waits_total: counter(
    'rounds',
    'Rounds of the expiry worker that waited, by cause: a service that did not respond, or undecided SMS or claims.',
    { cause: ['sms-ingest', 'checkout-api', 'intent-api', 'undecided'] },
  ),
  reconciler_expiry_lag_seconds: gauge('seconds', 'Time that the oldest due intent has been waiting for its expiry.'),
  reconciler_switch_off_waits_total: counter(
    'rounds',
    'Pages of pending intents that were not failed after a switch-off, or not all of them, because dashboard-api did not confirm it or intent-api did not return an intent.',
  ),
  reconciler_decision_seal_lag_seconds: gauge(
    'seconds',
    'Age of the oldest decision that is not linked into the chain of its tenant; 0 if there is none. The same in every replica.',
  ),
  reconciler_broken_chains: gauge(
    'chains',
    'Decision chains in which this process found entries that failed verification.',
  ),
  reconciler_chains_verified_timestamp_seconds: gauge(
    'Unix time in seconds',
    'Time before which this process has verified all decisions that were sealed since its start; at first the time of the start.',
  ),
  reconciler_all_decisions_verified_timestamp_seconds: gauge(
    'Unix time in seconds',
    'Start of the last completed pass over all stored decisions, money and intents; before the first one, the time at which passes became possible. The same in every replica.',
  ),
};

const ATTEMPT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 60, 300] as const;

export const WEBHOOK_DISPATCHER_METRICS = {
  webhook_attempts_total: counter('requests', 'Requests to endpoints, by outcome.', {
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
  }),
  webhook_attempt_duration_seconds: histogram('seconds', 'Duration of requests to endpoints.', {}, ATTEMPT_SECONDS),
  webhook_event_to_first_attempt_seconds: histogram(
    'seconds',
    'Time from an event to the first request about it. Not counted: requests to endpoints whose last request failed, and requests caused by a recovery or a resend.',
    { environment: ENVIRONMENT },
    ATTEMPT_SECONDS,
  ),
  webhook_requests_in_flight: gauge('requests', 'Requests to endpoints in flight in this process.'),
  webhook_deliveries_due: gauge(
    'deliveries',
    'Due deliveries of all processes that wait for a slot, without those of broken and unverified endpoints; counted up to 200 per endpoint, because more wait for the slots of that endpoint, and up to 100000 in total.',
  ),
  webhook_first_attempt_oldest_seconds: gauge(
    'seconds',
    'For how long the oldest first attempt has been due, without unverified and failing endpoints and those with a request in flight; 0 if there is none. The same in every replica.',
    { environment: ENVIRONMENT },
  ),
  webhook_endpoints_broken: gauge(
    'endpoints',
    'Enabled endpoints with an open circuit breaker, which receive probes only; the same in every replica.',
    { environment: ENVIRONMENT },
  ),
  webhook_endpoints_active: gauge(
    'endpoints',
    'Enabled and verified endpoints, broken or not; the same in every replica.',
    { environment: ENVIRONMENT },
  ),
};

export const DASHBOARD_API_METRICS = {
  dashboard_mails_unsent: gauge('mails', 'Mails that are not sent, at most 1,000. The same in every replica.'),
  dashboard_mails_oldest_seconds: gauge(
    'seconds',
    'Age of the oldest mail that is not sent; 0 if there is none. The same in every replica.',
  ),
  dashboard_mails_sent_total: counter('mails', 'Mails that the mail server accepted.'),
  dashboard_mails_refused_total: counter(
    'mails',
    'Mails that were deleted because the mail server refused the recipient.',
  ),
  dashboard_payment_audit_findings: gauge(
    'payments',
    'Confirmed mismatches between decisions, intents, event feed and deliveries that are not resolved, by kind.',
    {
      kind: [
        'decision_not_applied',
        'missing_in_feed',
        'missing_deliveries',
        'intent_without_decision',
        'feed_without_intent',
        'amount_differs',
      ],
    },
  ),
};
