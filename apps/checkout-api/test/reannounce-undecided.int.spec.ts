import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEvent, eventsOf, type EventOf } from '@pay/contracts';
import { eventually } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { listUndecided } from '../src/claims/list-undecided';
import { reannounceUndecided } from '../src/claims/reannounce-undecided';
import { submitClaims } from '../src/claims/submit-claims';
import { startService, type ServiceUnderTest } from './service-under-test';

const recovery = readFileSync(join(__dirname, '../../../docs/recovery.md'), 'utf8');
const silentLog = { warn: () => undefined } as never;

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(() => service.db.execute('truncate claims'));

interface Times {
  readonly submitted: string;
  readonly resubmitted?: string;
  readonly reannounced?: string;
}

/** A claim that was submitted and published this long ago. */
async function aClaim({ submitted, resubmitted, reannounced }: Times): Promise<string> {
  const { db, messaging } = service;
  const claim = {
    id: uuidv7(),
    merchantId: uuidv7(),
    environment: 'LIVE' as const,
    intentId: uuidv7(),
    trxId: 'AAAA000001',
    submittedAt: new Date(),
    payerDigits: '123',
  };
  await db.transaction((tx) => submitClaims({ messaging, notifications: { notify: () => undefined } }, tx, [claim]));
  await db.execute(
    `update claims set submitted_at = now() - $2::interval, resubmitted_at = now() - $3::interval,
       reannounced_at = now() - $4::interval,
       submissions = case when $3::interval is null then 1 else 3 end where id = $1`,
    [claim.id, submitted, resubmitted ?? null, reannounced ?? null],
  );
  return claim.id;
}

function reannounce(): Promise<void> {
  const { db, messaging } = service;
  return reannounceUndecided({ db, messaging, log: silentLog });
}

async function announcementsOf(id: string): Promise<EventOf<'claim.submitted'>[]> {
  const sql = 'select body from outbox where aggregate_id = $1 order by seq';
  const rows = await service.db.query<{ body: string }>(sql, [id]);
  return eventsOf(
    rows.map(({ body }) => decodeEvent(body)),
    'claim.submitted',
  );
}

describe('a claim without a decision', () => {
  it('is published again with its first and latest submission, marked as one whose decision is missing', async () => {
    const id = await aClaim({ submitted: '5 minutes', resubmitted: '61 seconds' });

    await reannounce();
    await reannounce();

    const [first, ...again] = await announcementsOf(id);
    const [row] = await service.db.query<Record<'submitted_at' | 'resubmitted_at', Date>>(
      'select submitted_at, resubmitted_at from claims where id = $1',
      [id],
    );
    expect(new Set([first, ...again].map((event) => event?.id)).size).toBe(3);
    expect(again.map(({ sequence }) => sequence)).toEqual([2, 3]);
    expect(again.map(({ data }) => data)).toEqual(
      [
        { submittedAt: row?.submitted_at.toISOString(), submissionNumbers: { first: 1, last: 2 } },
        { submittedAt: row?.resubmitted_at.toISOString(), submissionNumbers: { first: 3, last: 3 } },
      ].map((submission) => ({ ...first?.data, ...submission, decisionMissing: true })),
    );
  });

  it.each<Times & { isDue: boolean }>([
    { submitted: '50 seconds', isDue: false },
    { submitted: '70 seconds', isDue: true },
    { submitted: '1 hour', resubmitted: '50 seconds', isDue: false },
    { submitted: '1 hour', reannounced: '50 minutes', resubmitted: '70 seconds', isDue: true },
    { submitted: '10 minutes', reannounced: '4 minutes', isDue: false },
    { submitted: '10 minutes', reannounced: '6 minutes', isDue: true },
    { submitted: '30 days', reannounced: '23 hours', isDue: false },
    { submitted: '30 days', reannounced: '25 hours', isDue: true },
  ])('%j', async ({ isDue, ...times }) => {
    const id = await aClaim(times);

    await reannounce();

    expect(new Set((await announcementsOf(id)).map(({ data }) => data.decisionMissing)).size).toBe(isDue ? 2 : 1);
  });

  it('is published again by the worker of the service', async () => {
    const id = await aClaim({ submitted: '1 hour' });

    await eventually(async () => (await announcementsOf(id)).length === 2, 'the worker announces it again');
  });

  it('is shown in the metric by the age of the oldest, and 0 if there is none', async () => {
    await aClaim({ submitted: '1 hour', reannounced: '1 minute' });
    const ages = async () => {
      const metric = await service.metrics.registry.getSingleMetric('claims_undecided_oldest_seconds')?.get();
      const values = metric?.values ?? [];
      return Object.fromEntries(values.map(({ labels, value }) => [labels['environment'], Math.floor(value / 100)]));
    };

    expect(await ages()).toEqual({ LIVE: 36, SANDBOX: 0 });
  });

  it('does not delay expiry after it was abandoned with the documented command', async () => {
    const id = await aClaim({ submitted: '1 hour' });
    const command = /`(update claims set [^`]+)`/.exec(recovery)?.[1];
    expect((await listUndecided(service))?.undecided).toHaveLength(1);

    expect(await service.db.execute(command?.replace('ID', id) ?? '')).toBe(1);

    expect((await listUndecided(service))?.undecided).toEqual([]);
    await reannounce();
    expect(await announcementsOf(id)).toHaveLength(1);
  });
});
