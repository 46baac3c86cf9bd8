import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventOf } from '@pay/contracts';
import { uuidv7 } from 'uuidv7';
import { draft, type EventDraft } from '../src';

const FIXTURE = join(__dirname, '../../contracts/src/fixtures/intent.created.v1.json');
const { data } = JSON.parse(readFileSync(FIXTURE, 'utf8')) as EventOf<'intent.created'>;

/** `intent.created` has two queues, so `mandatory` does not detect that one of them is missing. */
export function anIntent(type: 'intent.created' | 'intent.method_selected' = 'intent.created'): EventDraft {
  return draft(type, {
    id: uuidv7(),
    environment: 'SANDBOX',
    merchantId: '0198a5a0-0000-7000-8000-000000000001',
    aggregateId: data.intent.id,
    sequence: 1,
    occurredAt: new Date('2026-11-21T10:00:00Z'),
    data,
  });
}
