import { CHANGE_TOPICS, tenantKey, type ChangeTopic, type Tenant } from '@pay/contracts';
import { openEventStreams, type EventStreams, type EventStreamsDeps } from './event-streams';
import type { Marks } from './read-marks';

const EVERY_MS = 2_000;

export type ChangeStreams = EventStreams<Tenant>;

export interface ChangeStreamsDeps extends EventStreamsDeps {
  readonly readMarks: (tenant: Tenant) => Promise<Marks>;
}

export function openChangeStreams({ readMarks, ...deps }: ChangeStreamsDeps): ChangeStreams {
  const kind = {
    name: 'change-streams' as const,
    everyMs: EVERY_MS,
    keyOf: tenantKey,
    read: async (tenant: Tenant, before: Marks | undefined) => ({ ...before, ...(await readMarks(tenant)) }),
    eventsOf: (marks: Marks, before: Marks | undefined) => {
      const topics = before === undefined ? [] : CHANGE_TOPICS.filter((name) => hasChanged(name, before, marks));
      return topics.length === 0 ? '' : `event: changed\ndata: ${JSON.stringify({ topics })}\n\n`;
    },
  };
  return openEventStreams(kind, deps);
}

/** If its owner did not respond in one of the rounds, a topic is compared when the owner responds again. */
function hasChanged(name: ChangeTopic, before: Marks, now: Marks): boolean {
  return now[name] !== undefined && before[name] !== undefined && now[name] !== before[name];
}
