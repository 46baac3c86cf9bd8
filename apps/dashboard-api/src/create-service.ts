import { limitSessions, openRateLimits } from '@pay/rate-limits';
import { createSecretBox, databaseGauges, every, type Worker } from '@pay/runtime';
import type { Express } from 'express';
import { ALERT_ROUND_MS, checkAlerts } from './alerts/check-alerts';
import { createApp, createInternalApp } from './app';
import { openCsvExports } from './exports/stream-csv';
import { openChangeStreams } from './live-updates/change-streams';
import { readMarks } from './live-updates/read-marks';
import { createMailQueue } from './mails/mail-queue';
import { watchMails } from './mails/watch-mails';
import { auditWorker } from './payment-audit/audit-worker';
import { paymentAuditMetrics } from './payment-audit/payment-audit-metrics';
import { createSandbox } from './sandbox/create-sandbox';
import { playClocksLeftAlone } from './sandbox/play-test-clock';
import { createSignIn } from './sign-in/create-sign-in';
import type { ServiceDeps } from './service-deps';
import { createWorkers } from './worker';

const TEST_CLOCKS_INTERVAL_MS = 1_000;

/** Composes the service from the resources that main.ts has opened. Opens nothing itself. */
export function createService(deps: ServiceDeps): { app: Express; internalApp: Express; workers: Worker[] } {
  const { config, db, messaging, clients, log, metrics, now, newId } = deps;
  const kernel = { log, metrics, trustedProxyCidrs: config.TRUSTED_PROXY_CIDRS };
  const manage = { db, messaging, now, newId };
  const mailBox = createSecretBox(config.TOTP_ENCRYPTION_KEYS, 'mail');
  const mails = createMailQueue({ box: mailBox, now, newId });
  watchMails(databaseGauges(metrics, log), db, now);
  const audit = { db, log, now, services: clients, owner: newId(), metrics: paymentAuditMetrics(metrics) };
  const clock = () => performance.now();
  const rateLimits = openRateLimits({ db, replica: newId(), log, metrics, clock });
  const perUser = rateLimits.limiter({ name: 'user', count: config.RATE_LIMIT_USER_PER_SECOND, seconds: 1 });
  const limitSession = limitSessions(rateLimits, perUser);
  const { currentSession, ...auth } = createSignIn({ ...manage, mails, log }, config);
  const parts = { ...manage, clients, log, rateLimits, limitSession, currentSession, clock };
  const sandbox = createSandbox(parts, config);
  const offlineSeconds = config.DEVICE_OFFLINE_SECONDS;
  const alerts = { db, services: clients, mails, messaging, dashboardUrl: config.DASHBOARD_URL, log, now, newId };
  const changeStreams = openChangeStreams({
    readMarks: (tenant) => readMarks({ db, now, offlineSeconds, ...clients }, tenant),
    currentSession,
    clock,
    log,
  });
  return {
    app: createApp(kernel, {
      ...sandbox.deps,
      ...manage,
      ...auth,
      limitSession,
      changeStreams,
      csvExports: openCsvExports(),
      currentSession,
      ...clients,
      mails,
      dashboardUrl: config.DASHBOARD_URL,
      apiUrl: config.PUBLIC_API_URL,
      log,
      pageFiles: deps.pageFiles,
      hookSecrets: createSecretBox(config.FORWARDER_SECRET_KEYS, 'forwarder_hook'),
      mostApiKeys: config.API_KEYS_PER_ENVIRONMENT,
      offlineSeconds,
    }),
    internalApp: createInternalApp(kernel, {
      ...manage,
      peerSecrets: {
        'intent-api': config.PEER_SECRET_INTENT_API,
        'sms-ingest': config.PEER_SECRET_SMS_INGEST,
        'webhook-dispatcher': config.PEER_SECRET_WEBHOOK_DISPATCHER,
        reconciler: config.PEER_SECRET_RECONCILER,
      },
    }),
    workers: [
      ...createWorkers({
        db,
        messaging,
        log,
        now,
        mail: {
          box: mailBox,
          transport: deps.mailTransport,
          sent: metrics.counter('dashboard_mails_sent_total'),
          refused: metrics.counter('dashboard_mails_refused_total'),
        },
        recordRetentionDays: config.RECORD_RETENTION_DAYS,
      }),
      rateLimits.worker(),
      ...Object.values(sandbox.workers),
      changeStreams.worker,
      every('play-test-clocks', TEST_CLOCKS_INTERVAL_MS, () => playClocksLeftAlone({ ...manage, ...clients, log }), {
        log,
      }),
      every('check-alerts', ALERT_ROUND_MS, () => checkAlerts(alerts), { log }),
      auditWorker({ ...audit, intervalSeconds: config.PAYMENT_AUDIT_SECONDS }),
    ],
  };
}
