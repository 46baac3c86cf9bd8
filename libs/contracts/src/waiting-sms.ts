/** When sms-ingest reports SMS that wait in the memory of a process to its other processes. */
export const WAITING_SMS = { reportedAfterMs: 1_000, reportIntervalMs: 200 } as const;

/** For the jitter of the interval and the write of the report. */
const REPORT_MARGIN_MS = 300;

/**
 * Minimum of `EXPIRY_GRACE_MS`. With a shorter one an intent could expire before an SMS is reported that arrived before
 * its end.
 */
export const MIN_EXPIRY_GRACE_MS = WAITING_SMS.reportedAfterMs + WAITING_SMS.reportIntervalMs + REPORT_MARGIN_MS;
