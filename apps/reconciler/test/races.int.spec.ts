import { randomUUID } from 'node:crypto';
import { eventsOf } from '@pay/contracts';
import { eventually, failOnLeaks } from '@pay/testing';
import type { Arrival } from '../src/domain/arrivals';
import { decideBatch } from '../src/matching/decide-batch';
import {
  after,
  anIntent,
  claimArrives,
  expires,
  intentArrives,
  NAGAD_WALLET,
  SHOP,
  smsArrives,
  someEvidence,
} from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';

const ROUNDS = 20;

let session: SessionUnderTest;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.close());
failOnLeaks();

/** Runs all concurrently, each in a separate transaction. */
async function atOnce(...arrivals: readonly Arrival[]): Promise<void> {
  await Promise.all(arrivals.map((arrival) => session.deliver(arrival)));
}

async function claimsOn(trxId: string): Promise<Record<string, unknown>[]> {
  return session.db.query('select * from claims where trx_id = $1', [trxId]);
}

function aPair() {
  const reference = aName();
  return { intent: anIntent({ reference }), sms: someEvidence({ reference, trxId: aName() }) };
}

describe('twenty customers who claim one TrxID for twenty intents concurrently', () => {
  it.each(['the SMS is there', 'the SMS comes at the same moment'])(
    'give one PAID and nineteen duplicates when %s, unless it is decided when several claims are open',
    async (when) => {
      const sms = someEvidence({ trxId: aName() });
      const intents = Array.from({ length: 20 }, () => anIntent({ reference: aName() }));
      const claims = intents.map(({ id }) => claimArrives(id, sms.trxId));
      await session.deliver(...intents.map(intentArrives));
      if (when === 'the SMS is there') await session.deliver(smsArrives(sms));

      await atOnce(...claims, ...(when === 'the SMS is there' ? [] : [smsArrives(sms)]));

      const statuses = await Promise.all(intents.map(({ id }) => session.statusOf(id)));
      if (when !== 'the SMS is there' && !statuses.includes('PAID')) {
        expect(new Set(statuses)).toEqual(new Set(['REVIEW_REQUIRED']));
        return;
      }
      expect(statuses.filter((status) => status === 'PAID')).toHaveLength(1);
      const outcomes = (await claimsOn(sms.trxId)).map(({ outcome }) => outcome).sort();
      expect(outcomes).toEqual([...Array.from({ length: 19 }, () => 'duplicate_trx_id'), 'matched']);
    },
  );
});

describe('facts that arrive at the same moment in separate transactions', () => {
  it('an SMS and its intent always match', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { intent, sms } = aPair();
      await atOnce(smsArrives(sms), intentArrives(intent));

      expect(await session.statusOf(intent.id)).toBe('PAID');
    }
  });

  it('an SMS and its claim always match', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const intent = anIntent({ reference: aName() });
      const sms = someEvidence({ trxId: aName() });
      await session.deliver(intentArrives(intent));
      await atOnce(smsArrives(sms), claimArrives(intent.id, sms.trxId));

      expect(await session.statusOf(intent.id)).toBe('PAID');
    }
  });

  it('an intent, a claim for it and the SMS, none of them known before, always match', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const intent = anIntent({ reference: aName() });
      const sms = someEvidence({ trxId: aName() });
      await atOnce(claimArrives(intent.id, sms.trxId), smsArrives(sms), intentArrives(intent));

      expect(await session.statusOf(intent.id)).toBe('PAID');
    }
  });

  it('a claimed text waits for the transaction that stores its intent', async () => {
    const intent = anIntent({ reference: aName() });
    const sms = someEvidence({ trxId: aName() });
    await session.deliver(claimArrives(intent.id, sms.trxId));

    const { published } = await session.db.transaction(async (tx) => {
      await decideBatch(session.deps, tx, [intentArrives(intent)]);
      const waiting = session.deliver(smsArrives(sms));
      const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await eventually(async () => (await session.db.query(waits)).length > 0, 'the text waits');
      return { published: waiting };
    });
    await published;

    expect(await session.statusOf(intent.id)).toBe('PAID');
  });

  it('a choice of method and money sent by that method always match', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const reference = aName();
      const created = anIntent({ reference });
      const chosen = [{ receiverAccountId: NAGAD_WALLET, paymentMethod: 'NAGAD_SEND_MONEY' as const }];
      const sms = someEvidence({
        reference,
        trxId: aName(),
        provider: 'NAGAD',
        method: 'NAGAD_SEND_MONEY',
        receiverAccountId: NAGAD_WALLET,
      });
      await session.deliver(intentArrives(created));
      await atOnce(smsArrives(sms), intentArrives({ ...created, sourceSequence: 2, shownReceivers: chosen }));

      expect(await session.statusOf(created.id)).toBe('PAID');
    }
  });

  it('two SMS for one intent: one pays, the other opens an exception', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { intent, sms } = aPair();
      const other = { ...someEvidence({ trxId: aName() }), referenceKey: sms.referenceKey };
      await session.deliver(intentArrives(intent));
      await atOnce(smsArrives(sms), smsArrives(other));

      const reasons = [await session.matchOf(sms.smsEventId), await session.matchOf(other.smsEventId)].map(
        (row) => row?.['reason'],
      );
      expect(reasons.sort()).toEqual(['intent_already_paid', 'reference_match']);
    }
  });

  it('two SMS of one TrxID: one is evidence, the other a duplicate', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const trxId = aName();
      const texts = [someEvidence({ trxId }), someEvidence({ trxId })];
      await atOnce(...texts.map(smsArrives));

      const statuses = await Promise.all(
        texts.map(async ({ smsEventId }) => (await session.matchOf(smsEventId))?.['status']),
      );
      expect(statuses.sort()).toEqual(['DUPLICATE', 'PENDING']);
    }
  });

  it('the same unparsed text delivered twice leads to one decision', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const smsEventId = randomUUID();
      const text = {
        kind: 'unparsed',
        tenant: SHOP,
        smsEventId,
        ingestedAt: after(1),
        reason: 'unknown',
        sequence: 1,
      } as const;
      await atOnce(text, text, text);

      expect(await session.matchOf(smsEventId)).toMatchObject({ status: 'UNPARSED', sms_sequence: 1 });
    }
  });

  it('the same claim by event and over HTTP is one claim', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const intent = anIntent({ reference: aName() });
      const claim = claimArrives(intent.id, aName());
      await session.deliver(intentArrives(intent));
      await atOnce(claim, claim);

      const published = eventsOf(await session.announced(), 'claim.waiting').filter(
        ({ data }) => data.claimId === claim.claim.id,
      );
      expect(published).toHaveLength(1);
    }
  });

  it('an expiry and a payment have exactly one outcome', async () => {
    const seen = new Set<string | undefined>();
    for (let round = 0; round < 2 * ROUNDS; round += 1) {
      const { intent, sms } = aPair();
      await session.deliver(intentArrives(intent));
      const both = [expires(intent), smsArrives(sms)];
      await atOnce(...(round % 2 === 0 ? both : both.reverse()));

      const status = await session.statusOf(intent.id);
      const match = await session.matchOf(sms.smsEventId);
      expect([status, match?.['reason']]).toEqual(
        status === 'PAID' ? ['PAID', 'reference_match'] : ['EXPIRED', 'late_payment'],
      );
      const published = (await session.announced()).filter(
        ({ data }) => 'intent' in data && data.intent?.id === intent.id,
      );
      expect(published).toHaveLength(1);
      seen.add(status);
    }
    expect(seen.size).toBeGreaterThan(0);
  });

  it('hundreds of batches that share names in opposite orders all complete', async () => {
    const pairs = Array.from({ length: 60 }, aPair);
    const forth = pairs.map(({ intent }) => intentArrives(intent));
    const back = pairs.map(({ sms }) => smsArrives(sms)).reverse();
    const claims = pairs.map(({ intent, sms }) => claimArrives(intent.id, sms.trxId, after(3)));

    await Promise.all([
      session.deliver(...forth),
      session.deliver(...back),
      session.deliver(...claims),
      session.deliver(...claims.toReversed()),
    ]);

    const statuses = await Promise.all(pairs.map(({ intent }) => session.statusOf(intent.id)));
    expect(new Set(statuses)).toEqual(new Set(['PAID']));
  });
});
