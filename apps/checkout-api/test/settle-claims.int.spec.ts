import { randomUUID } from 'node:crypto';
import type { ClaimOutcome, EventOf } from '@pay/contracts';
import { draft } from '@pay/messaging';
import { migrate, openDatabase, type Database } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { failOnLeaks, testDatabase } from '@pay/testing';
import { storeSubmissions, undecidedClaims, type Claim } from '../src/claims/claim-repository';
import { settleClaims } from '../src/claims/settle-claims';
import { migrations } from '../src/db/migrations';

const service = 'checkout-api';
const silent = createLogger({ service, level: 'silent' });
const FIRST = new Date('2026-11-21T10:00:00Z');
const SECOND = new Date('2026-11-21T10:05:00Z');

failOnLeaks();

describe('decisions about a claim', () => {
  let db: Database;
  let drop: () => Promise<void>;
  let claim: Claim;
  const notify = jest.fn();

  beforeAll(async () => {
    const database = await testDatabase({ service, migrate: (url) => migrate({ url, migrations, log: silent }) });
    db = await openDatabase({ url: database.url, poolSize: 2, applicationName: service, log: silent, migrations });
    drop = () => database.drop();
  });
  afterAll(async () => {
    await db.close();
    await drop();
  });
  beforeEach(async () => {
    claim = {
      id: randomUUID(),
      merchantId: randomUUID(),
      environment: 'LIVE',
      intentId: randomUUID(),
      trxId: 'DKL4A1B2C3',
      submittedAt: FIRST,
      payerDigits: undefined,
    };
    await submit(FIRST);
    notify.mockClear();
  });

  const submit = (submittedAt: Date) => db.transaction((tx) => storeSubmissions(tx, [{ ...claim, submittedAt }], []));
  const settle = (...events: EventOf[]) =>
    db.transaction((tx) => settleClaims({ notifications: { notify } }, tx, events));
  const stored = async () => {
    const [row] = await db.query<{ state: string; outcome: string }>(
      'select state, outcome from claims where id = $1',
      [claim.id],
    );
    return row;
  };
  function decided(
    epoch: number | undefined,
    sequence: number,
    outcome: ClaimOutcome,
    submittedAt = FIRST,
    submissions?: number,
  ): EventOf {
    const event = draft(outcome === 'waiting' ? 'claim.waiting' : 'claim.settled', {
      environment: claim.environment,
      merchantId: claim.merchantId,
      aggregateId: claim.id,
      sequence,
      occurredAt: submittedAt,
      data: {
        claimId: claim.id,
        paymentIntentId: claim.intentId,
        outcome,
        smsEventId: null,
        submittedAt: submittedAt.toISOString(),
        submissions,
      },
    });
    return { ...event, epoch } as EventOf;
  }

  type Decided = readonly [epoch: number | undefined, sequence: number, outcome: ClaimOutcome];
  it.each<readonly [string, Decided, Decided]>([
    ['with the greater sequence', [1, 1, 'not_found'], [1, 2, 'duplicate_trx_id']],
    ['of the greater epoch, whatever its sequence', [1, 5, 'not_found'], [2, 2, 'duplicate_trx_id']],
    ['with the greater sequence if one has no epoch', [undefined, 1, 'not_found'], [2, 2, 'duplicate_trx_id']],
    ['that waits again', [1, 1, 'amount_mismatch'], [1, 2, 'waiting']],
  ])('about one submission: the one %s is kept, in any order and in one batch', async (_, old, later) => {
    const [earlier, newer] = [decided(...old), decided(...later)];
    const kept = { state: later[2] === 'waiting' ? 'waiting' : 'settled', outcome: later[2] };

    for (const batches of [[[earlier], [newer]], [[newer], [earlier]], [[earlier, newer]], [[newer, earlier]]]) {
      await db.execute('delete from claims');
      await submit(FIRST);
      for (const batch of batches) await settle(...batch);

      expect(await stored()).toEqual(kept);
    }
  });

  it('about an earlier submission are ignored, and the first about the latest one is stored, whatever its sequence', async () => {
    await settle(decided(1, 5, 'not_found'));
    await submit(SECOND);

    await settle(decided(1, 6, 'duplicate_trx_id'));
    expect(await stored()).toEqual({ state: 'undecided', outcome: null });
    await settle(decided(1, 2, 'waiting', SECOND));

    expect(await stored()).toEqual({ state: 'waiting', outcome: 'waiting' });
  });

  it('about the latest submission are ignored until they include an earlier one that was stored later', async () => {
    await db.execute('delete from claims');
    await submit(SECOND);
    await submit(FIRST);

    await settle(decided(1, 1, 'waiting', SECOND, 1));
    expect(await undecidedClaims(db)).toMatchObject([{ oldest: FIRST }]);
    await settle(...[1, 2, 1].map((submissions) => decided(1, 1, 'waiting', SECOND, submissions)));

    expect(await stored()).toEqual({ state: 'waiting', outcome: 'waiting' });
  });

  it('about the latest submission are stored if they state no number of submissions, also beside one with a number', async () => {
    const [unnumbered, incomplete] = [decided(1, 1, 'waiting', SECOND), decided(1, 1, 'waiting', SECOND, 1)];

    for (const batch of [[unnumbered], [unnumbered, incomplete], [incomplete, unnumbered]]) {
      await db.execute('delete from claims');
      await submit(FIRST);
      await submit(SECOND);
      await settle(...batch);

      expect(await stored()).toEqual({ state: 'waiting', outcome: 'waiting' });
    }
  });

  it('are ignored if they are older than one that did not include every submission', async () => {
    await submit(SECOND);

    await settle(decided(1, 3, 'not_found', SECOND, 1));
    await settle(decided(1, 2, 'waiting', SECOND));
    expect(await stored()).toEqual({ state: 'undecided', outcome: null });
    await settle(decided(1, 3, 'not_found', SECOND, 2));

    expect(await stored()).toEqual({ state: 'settled', outcome: 'not_found' });
  });

  it('replace one of the previous version although they include fewer submissions', async () => {
    await submit(SECOND);
    await settle(decided(1, 1, 'waiting', SECOND));

    await settle(decided(1, 2, 'duplicate_trx_id', SECOND, 1));

    expect(await stored()).toEqual({ state: 'settled', outcome: 'duplicate_trx_id' });
  });

  it('replace one that was stored without a sequence', async () => {
    await db.execute(`update claims set state = 'settled', outcome = 'not_found', judged_at = now() where id = $1`, [
      claim.id,
    ]);

    await settle(decided(1, 1, 'duplicate_trx_id'));

    expect(await stored()).toEqual({ state: 'settled', outcome: 'duplicate_trx_id' });
  });

  it('are shown by open streams if they settle the claim or replace another decision', async () => {
    await settle(decided(1, 1, 'waiting'));
    expect(notify.mock.calls.flat(2)).toEqual([]);

    await settle(decided(1, 2, 'amount_mismatch'));
    await settle(decided(1, 3, 'waiting'));

    expect(notify.mock.calls.flat(2)).toEqual([claim.intentId, claim.intentId]);
  });
});
