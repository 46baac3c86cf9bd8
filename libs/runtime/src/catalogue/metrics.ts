import type { MetricEntry, Section } from './entries';
import { NODE_METRICS } from './node-metrics';
import { DATABASE_METRICS, HTTP_METRICS, MESSAGING_METRICS, PROCESS_METRICS } from './platform-metrics';
import {
  CHECKOUT_API_METRICS,
  DASHBOARD_API_METRICS,
  INTENT_API_METRICS,
  RECONCILER_METRICS,
  SMS_INGEST_METRICS,
  WEBHOOK_DISPATCHER_METRICS,
} from './service-metrics';

/** Every metric that the code registers itself. `createMetrics` takes name, help, labels and buckets from here. */
export const METRICS = {
  ...PROCESS_METRICS,
  ...HTTP_METRICS,
  ...DATABASE_METRICS,
  ...MESSAGING_METRICS,
  ...INTENT_API_METRICS,
  ...CHECKOUT_API_METRICS,
  ...SMS_INGEST_METRICS,
  ...RECONCILER_METRICS,
  ...WEBHOOK_DISPATCHER_METRICS,
  ...DASHBOARD_API_METRICS,
};

type Metrics = typeof METRICS;

export type NameOf<Kind extends MetricEntry['kind']> = {
  [Name in keyof Metrics]: Metrics[Name]['kind'] extends Kind ? Name : never;
}[keyof Metrics];
export type LabelOf<Name extends keyof Metrics> = keyof Metrics[Name]['labels'] & string;

export const METRIC_SECTIONS: readonly Section<MetricEntry>[] = [
  { title: 'Process (every service)', entries: PROCESS_METRICS },
  { title: 'HTTP (every service)', entries: HTTP_METRICS },
  { title: 'Database (every service)', entries: DATABASE_METRICS },
  { title: 'Messaging (every service)', entries: MESSAGING_METRICS },
  { title: 'intent-api', entries: INTENT_API_METRICS },
  { title: 'checkout-api', entries: CHECKOUT_API_METRICS },
  { title: 'sms-ingest', entries: SMS_INGEST_METRICS },
  { title: 'reconciler', entries: RECONCILER_METRICS },
  { title: 'webhook-dispatcher', entries: WEBHOOK_DISPATCHER_METRICS },
  { title: 'dashboard-api', entries: DASHBOARD_API_METRICS },
  { title: 'Node.js (every service)', entries: NODE_METRICS },
];
