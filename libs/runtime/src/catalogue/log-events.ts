import type { Level, LogEventEntry, Section } from './entries';
import {
  PROCESS_EVENTS,
  HTTP_EVENTS,
  DATABASE_EVENTS,
  MESSAGING_EVENTS,
  DIRECTORY_EVENTS,
} from './platform-log-events';
import {
  INTENT_EVENTS,
  CHECKOUT_EVENTS,
  SMS_EVENTS,
  RECONCILER_EVENTS,
  WEBHOOK_EVENTS,
  DASHBOARD_EVENTS,
} from './service-log-events';

/** Every log event. The types of `Logger` allow these names, levels and fields, and no others. */
export const LOG_EVENTS = {
  ...PROCESS_EVENTS,
  ...HTTP_EVENTS,
  ...DATABASE_EVENTS,
  ...MESSAGING_EVENTS,
  ...DIRECTORY_EVENTS,
  ...INTENT_EVENTS,
  ...CHECKOUT_EVENTS,
  ...SMS_EVENTS,
  ...RECONCILER_EVENTS,
  ...WEBHOOK_EVENTS,
  ...DASHBOARD_EVENTS,
};

type Events = typeof LOG_EVENTS;

export type LogEvent = keyof Events;
export type LogEventAt<L extends Level> = {
  [Name in LogEvent]: L extends Events[Name]['levels'][number] ? Name : never;
}[LogEvent];
export type LogFields<Name extends LogEvent> = {
  readonly [Field in Events[Name]['fields'][number] | 'err']?: unknown;
};

export const LOG_EVENT_SECTIONS: readonly Section<LogEventEntry>[] = [
  { title: 'Process (every service)', entries: PROCESS_EVENTS },
  { title: 'HTTP (every service)', entries: HTTP_EVENTS },
  { title: 'Database (every service)', entries: DATABASE_EVENTS },
  { title: 'Messaging (every service)', entries: MESSAGING_EVENTS },
  { title: 'Directory (every service that keeps a copy)', entries: DIRECTORY_EVENTS },
  { title: 'intent-api', entries: INTENT_EVENTS },
  { title: 'checkout-api', entries: CHECKOUT_EVENTS },
  { title: 'sms-ingest', entries: SMS_EVENTS },
  { title: 'reconciler', entries: RECONCILER_EVENTS },
  { title: 'webhook-dispatcher', entries: WEBHOOK_EVENTS },
  { title: 'dashboard-api', entries: DASHBOARD_EVENTS },
];
