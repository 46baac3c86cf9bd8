import { randomUUID } from 'node:crypto';
import { eventsOf, type Poisha } from '@pay/contracts';
import { isUniqueViolation } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import type { Arrival } from '../src/domain/arrivals';
import { decideBatch, openBatch } from '../src/matching/decide-batch';
import {
  after,
  anIntent,
  claimArrives,
  intentArrives,
  SHOP,
  smsArrives,
  someEvidence,
  submittedAgain,
  TEN,
  WALLET,
} from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';

let session: SessionUnderTest;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.close());
failOnLeaks();

describe('a decision in the database', () => {
  it('is stored with every check and published in the same transaction', async () => {
    const reference = aName();
    const intent = anIntent({ reference });
    const sms = someEvidence({ reference, trxId: aName() });
    await session.deliver(intentArrives(intent));

    await session.deliver(smsArrives(sms));

    expect(await session.statusOf(intent.id)).toBe('PAID');
    expect(await session.matchOf(sms.smsEventId)).toMatchObject({
      status: 'MATCHED',
      path: 'REFERENCE',
      pays_intent_id: intent.id,
      pays_sms_event_id: sms.smsEventId,
      expected_amount: '50000',
      received_amount: '50000',
      checks: { reference: 'pass', amount: 'pass', receiver: 'pass', expiry: 'pass', reuse: 'pass' },
      candidates: [{ paymentIntentId: intent.id, reason: 'pays', failedRules: [] }],
    });
    const [confirmed] = eventsOf(await session.announced(), 'match.confirmed').filter(
      ({ data }) => data.paymentIntentId === intent.id,
    );
    expect(confirmed).toMatchObject({
      merchantId: SHOP.merchantId,
      environment: 'LIVE',
      data: {
        matchStatus: 'MATCHED',
        decidedBy: 'system',
        intent: { id: intent.id, status: 'PAID', sequence: 1 },
        sms: { id: sms.smsEventId, status: 'MATCHED', sequence: 1 },
        evidence: { trxId: sms.trxId, amount: '500', providerTime: after(2).toISOString() },
      },
    });
    expect(confirmed?.aggregateId).not.toBe(confirmed?.data.matchId);
  });

  it('uses facts whose sequence was used before by a promoted intent-api that lost a commit', async () => {
    const reference = aName();
    const shown = { receiverAccountId: WALLET, paymentMethod: 'BKASH_PAYMENT' as const };
    const lost = { ...anIntent({ reference }), shownReceivers: [], sourceSequence: 2, sourceEpoch: 1 };
    await session.deliver(intentArrives(lost));

    await session.deliver(intentArrives({ ...lost, shownReceivers: [shown], sourceEpoch: 2 }));
    await session.deliver(intentArrives({ ...lost, shownReceivers: [], sourceSequence: 9, sourceEpoch: 1 }));

    const [stored] = await session.db.query(
      'select shown_receivers, source_sequence, source_epoch from intents where id = $1',
      [lost.id],
    );
    expect(stored).toEqual({ shown_receivers: [shown], source_sequence: 2, source_epoch: 2 });
  });

  it('reports intents and texts that differ under the same epoch and sequence, and keeps the stored ones', async () => {
    const reference = aName();
    const intent = { ...anIntent({ reference }), sourceSequence: 1, sourceEpoch: 3 };
    const sms = { ...someEvidence({ reference: aName(), trxId: aName() }), factsEpoch: 3 };
    const conflicts: unknown[] = [];
    const messaging = {
      ...session.deps.messaging,
      reportConflict: (conflict: unknown) => void conflicts.push(conflict),
    };
    const deliver = (...arrivals: readonly Arrival[]) =>
      session.db.transaction((tx) => decideBatch({ ...session.deps, messaging }, tx, arrivals));

    await deliver(intentArrives(intent), smsArrives(sms));
    await deliver(intentArrives(intent), smsArrives(sms));
    expect(conflicts).toEqual([]);
    const receiver = { receiverAccountId: randomUUID(), paymentMethod: 'BKASH_PAYMENT' as const };
    await deliver(
      intentArrives({ ...intent, shownReceivers: [receiver] }),
      smsArrives({ ...sms, amount: 99_900n as Poisha }),
    );

    expect(conflicts).toEqual([
      { subject: 'intent', id: intent.id, epoch: 3, sequence: 1 },
      { subject: 'sms', id: sms.smsEventId, epoch: 3, sequence: sms.factsSequence },
    ]);
  });

  it('can be followed by another one about the same intent in one transaction: a wrong amount, then the right one', async () => {
    const reference = aName();
    const intent = anIntent({ reference });
    const short = someEvidence({ reference, trxId: aName(), amount: 49_900n as Poisha, ingestedAt: after(2) });
    const exact = someEvidence({ reference, trxId: aName(), ingestedAt: after(3) });
    await session.deliver(intentArrives(intent));

    await session.deliver(smsArrives(short), smsArrives(exact));

    expect(await session.statusOf(intent.id)).toBe('PAID');
    const published = eventsOf(await session.announced(), 'match.review_required', 'match.confirmed')
      .map(({ data }) => data.intent)
      .filter((part) => part?.id === intent.id);
    expect(published).toEqual([
      { id: intent.id, status: 'REVIEW_REQUIRED', sequence: 1 },
      { id: intent.id, status: 'PAID', sequence: 2 },
    ]);
  });

  it('leaves no rows when its transaction is rolled back', async () => {
    const reference = aName();
    const intent = anIntent({ reference });
    const sms = someEvidence({ reference, trxId: aName() });

    const failing = session.db.transaction(async (tx) => {
      await decideBatch(session.deps, tx, [intentArrives(intent), smsArrives(sms)]);
      throw new Error('the process ends here');
    });

    await expect(failing).rejects.toThrow('the process ends here');
    expect(await session.statusOf(intent.id)).toBeUndefined();
    expect(await session.matchOf(sms.smsEventId)).toBeUndefined();
  });

  it('states whether late money was paid in time', async () => {
    const reference = aName();
    const sms = someEvidence({ reference, trxId: aName(), providerTime: after(4), ingestedAt: after(9) });

    await session.deliver(intentArrives(anIntent({ reference })), smsArrives(sms));

    const [late] = eventsOf(await session.announced(), 'match.review_required').filter(
      ({ data }) => data.sms?.id === sms.smsEventId,
    );
    expect(late?.data).toMatchObject({ reason: 'late_payment', paidInTime: true, intent: null });
  });

  it('changes nothing when the same facts are decided again', async () => {
    const reference = aName();
    const intent = anIntent({ reference });
    const sms = someEvidence({ reference, trxId: aName(), amount: 1n as typeof intent.amount });
    const claim = claimArrives(intent.id, sms.trxId);
    await session.deliver(intentArrives(intent), smsArrives(sms), claim);
    const before = (await session.announced()).length;

    await session.deliver(intentArrives({ ...intent, sourceSequence: 2 }), smsArrives(sms), claim);

    expect((await session.announced()).length).toBe(before);
    expect(await session.matchOf(sms.smsEventId)).toMatchObject({ status: 'REVIEW_REQUIRED', sms_sequence: 1 });
  });

  it('decides a hundred payments in one transaction', async () => {
    const pairs = Array.from({ length: 100 }, () => {
      const reference = aName();
      return { intent: anIntent({ reference }), sms: someEvidence({ reference, trxId: aName() }) };
    });

    await session.deliver(...pairs.map(({ intent }) => intentArrives(intent)));
    await session.deliver(...pairs.map(({ sms }) => smsArrives(sms)));

    const rows = await session.db.query('select 1 from intents where status = $1 and id = any($2::uuid[])', [
      'PAID',
      pairs.map(({ intent }) => intent.id),
    ]);
    expect(rows).toHaveLength(100);
  });

  it('writes one log line without TrxID, phone number or text', async () => {
    const reference = aName();
    const sms = someEvidence({ reference, trxId: aName() });
    const intent = anIntent({ reference });

    await session.deliver(intentArrives(intent), smsArrives(sms), claimArrives(intent.id, sms.trxId));

    const lines = session.lines.filter((line) => line['smsEventId'] === sms.smsEventId);
    expect(lines.filter(({ msg }) => msg === 'match.decided')).toMatchObject([
      { status: 'MATCHED', reason: 'reference_match', failedRules: [], intentId: intent.id, intentStatus: 'PAID' },
    ]);
    const text = JSON.stringify(session.lines);
    for (const secret of [sms.trxId, sms.receiverMsisdn, reference]) expect(text).not.toContain(secret);
  });

  it('counts decisions with a closed set of labels and measures an SMS from its ingestion', async () => {
    const text = await session.metrics.registry.metrics();

    expect(text).toMatch(
      /reconciler_decisions_total\{.*status="MATCHED",path="REFERENCE",reason="reference_match".*\} \d+/,
    );
    expect(text).toMatch(/reconciler_decision_seconds_count\{.*environment="LIVE".*\} \d+/);
  });

  it('is postponed while the facts of its merchant have not arrived', async () => {
    const tenant = { merchantId: randomUUID(), environment: 'LIVE' } as const;
    const sms = smsArrives(someEvidence({ tenant, trxId: aName() }));

    const { postponed } = await session.db.transaction((tx) => decideBatch(session.deps, tx, [sms]));

    expect(postponed).toEqual([sms]);
  });
});

describe('facts that arrive in separate transactions', () => {
  it('pays an intent that arrives last with the SMS that waits for it', async () => {
    const reference = aName();
    const intent = anIntent({ reference });
    const sms = someEvidence({ reference, trxId: aName() });
    await session.deliver(smsArrives(sms));
    expect(await session.matchOf(sms.smsEventId)).toMatchObject({ status: 'PENDING', sms_sequence: 1 });

    await session.deliver(intentArrives(intent));

    expect(await session.statusOf(intent.id)).toBe('PAID');
    expect(await session.matchOf(sms.smsEventId)).toMatchObject({ status: 'MATCHED', sms_sequence: 2 });
  });

  it.each([
    'intent, SMS, claim',
    'SMS, claim, intent',
    'claim, intent, SMS',
    'claim, SMS, intent',
    'SMS, intent, claim',
  ])('decides a claim in the order %s', async (order) => {
    const intent = anIntent({ reference: aName() });
    const sms = someEvidence({ trxId: aName() });
    const claim = claimArrives(intent.id, sms.trxId);
    const facts = { intent: intentArrives(intent), SMS: smsArrives(sms), claim };

    for (const name of order.split(', ')) await session.deliver(facts[name as keyof typeof facts]);

    expect(await session.statusOf(intent.id)).toBe('PAID');
    expect(await session.claimOf(claim.claim.id)).toMatchObject({ state: 'SETTLED', outcome: 'matched' });
  });

  it('pays by an expected TrxID, whether the intent or the SMS arrives last', async () => {
    for (const smsFirst of [true, false]) {
      const trxId = aName();
      const intent = anIntent({ reference: aName(), expectedTrxId: trxId });
      const facts = [smsArrives(someEvidence({ trxId, providerTime: intent.createdAt })), intentArrives(intent)];
      for (const fact of smsFirst ? facts : facts.reverse()) await session.deliver(fact);

      expect(await session.statusOf(intent.id)).toBe('PAID');
    }
  });

  it('reports a TrxID that another SMS has used as a duplicate', async () => {
    const trxId = aName();
    const [first, second] = [someEvidence({ trxId }), someEvidence({ trxId })];
    await session.deliver(smsArrives(first));

    await session.deliver(smsArrives(second));

    expect(await session.matchOf(second.smsEventId)).toMatchObject({ status: 'DUPLICATE', reason: 'duplicate_trx_id' });
  });
});

describe('the open claims of an intent', () => {
  const names = (length: number) => Array.from({ length }, aName);

  it('keep a claim that competes after further TrxIDs were claimed for the intent', async () => {
    const [payer, rival] = [anIntent({ reference: aName() }), anIntent({ reference: aName() })];
    const sms = someEvidence({ trxId: aName() });
    const [own, other] = [payer, rival].map(({ id }, n) => claimArrives(id, sms.trxId, after(2, 20 + n)));
    if (own === undefined || other === undefined) throw new Error('two claims are needed');
    await session.deliver(...[payer, rival].map(intentArrives), own, other);
    await session.deliver(smsArrives(sms));

    for (const [n, trxId] of names(4).entries()) await session.deliver(claimArrives(payer.id, trxId, after(3, n)));
    await session.deliver(submittedAgain(other, after(4)));

    expect(await session.claimOf(own.claim.id)).toMatchObject({ state: 'OPEN', sms_event_id: sms.smsEventId });
    expect(await session.statusOf(rival.id)).toBe('REVIEW_REQUIRED');
    expect(await session.matchOf(sms.smsEventId)).toMatchObject({ reason: 'competing_claims' });
  });

  it('include three without a text, whatever the number of those with one', async () => {
    const intent = anIntent({ reference: aName() });
    const seen = names(60).map((trxId) => someEvidence({ trxId, amount: 100n as Poisha }));
    await session.deliver(intentArrives(intent), ...seen.map(smsArrives));
    await session.deliver(...seen.map(({ trxId }) => claimArrives(intent.id, trxId, after(2, 20))));
    const unseen = names(5).map((trxId, n) => claimArrives(intent.id, trxId, after(3, n)));

    for (const claim of unseen) await session.deliver(claim);

    const open = await session.db.query<{ id: string; has_text: boolean }>(
      `select id, sms_event_id is not null as has_text from claims
       where payment_intent_id = $1 and state = 'OPEN' order by submitted_at`,
      [intent.id],
    );
    expect(open.filter(({ has_text: hasText }) => hasText)).toHaveLength(seen.length);
    expect(open.filter(({ has_text: hasText }) => !hasText).map(({ id }) => id)).toEqual(
      unseen.slice(2).map(({ claim }) => claim.id),
    );
  });
});

describe('the constraints of the database', () => {
  async function paid() {
    const reference = aName();
    const intent = anIntent({ reference });
    const sms = someEvidence({ reference, trxId: aName() });
    await session.deliver(intentArrives(intent), smsArrives(sms));
    return { intent, sms };
  }
  const copyOf = (
    columns: string,
  ) => `insert into matches (id, merchant_id, environment, status, reason, sms_sequence, created_at,
      sms_event_id, payment_intent_id, pays_sms_event_id, pays_intent_id)
    select gen_random_uuid(), merchant_id, environment, status, reason, 1, now(), ${columns} from matches where sms_event_id = $1`;

  it('refuse a second match that pays the same intent, whatever its status', async () => {
    const { sms, intent } = await paid();
    const other = someEvidence({ trxId: aName() });
    await session.deliver(smsArrives(other));
    await session.db.execute('delete from matches where sms_event_id = $1', [other.smsEventId]);

    for (const status of ['MATCHED', 'MANUALLY_RESOLVED']) {
      const insert = copyOf('$2::uuid, payment_intent_id, $2::uuid, pays_intent_id').replace(
        ' status,',
        ` '${status}',`,
      );
      const second = session.db.execute(
        insert.replace(`environment, '${status}', reason, sms_sequence`, 'environment, status, reason, sms_sequence'),
        [sms.smsEventId, other.smsEventId],
      );

      await expect(second).rejects.toMatchObject({ constraint: 'matches_one_pays_an_intent' });
    }
    expect(await session.statusOf(intent.id)).toBe('PAID');
  });

  it('refuse a second match of the same SMS', async () => {
    const { sms } = await paid();

    const second = session.db.execute(
      copyOf('sms_event_id, payment_intent_id, null, null').replace(
        'select gen_random_uuid(), merchant_id, environment, status',
        "select gen_random_uuid(), merchant_id, environment, 'PENDING'",
      ),
      [sms.smsEventId],
    );

    await expect(second).rejects.toMatchObject({ constraint: 'matches_one_per_sms' });
  });

  it('refuse the same TrxID as evidence twice', async () => {
    const { sms } = await paid();

    const again = session.db
      .execute(
        `insert into evidence select gen_random_uuid(), merchant_id, environment, provider, method, trx_id, reference_key, amount,
           receiver_account_id, receiver_msisdn, provider_time, ingested_at, 'WAITING' from evidence where sms_event_id = $1`,
        [sms.smsEventId],
      )
      .catch((error: unknown) => error);

    expect(isUniqueViolation(await again, 'evidence_one_per_trx_id')).toBe(true);
  });

  it('refuse a second live claim of one TrxID for one intent', async () => {
    const claim = claimArrives(anIntent().id, aName());
    await session.deliver(claim);

    const again = session.db
      .execute(
        `insert into claims select gen_random_uuid(), merchant_id, environment, payment_intent_id, trx_id, submitted_at, source, state,
           outcome, reason, sms_event_id, sequence from claims where id = $1`,
        [claim.claim.id],
      )
      .catch((error: unknown) => error);

    expect(isUniqueViolation(await again, 'claims_one_live_per_intent')).toBe(true);
  });

  it('refuse a MATCHED match that pays nothing', async () => {
    const sms = someEvidence({ trxId: aName() });
    await session.deliver(smsArrives(sms));

    const update = session.db.execute(`update matches set status = 'MATCHED' where sms_event_id = $1`, [
      sms.smsEventId,
    ]);

    await expect(update).rejects.toMatchObject({ constraint: 'matches_pay_when_matched' });
  });

  it('refuse a match that pays another intent than the one it is about', async () => {
    const { sms } = await paid();
    const other = anIntent({ reference: aName() });
    await session.deliver(intentArrives(other));

    const update = session.db.execute('update matches set pays_intent_id = $2 where sms_event_id = $1', [
      sms.smsEventId,
      other.id,
    ]);

    await expect(update).rejects.toMatchObject({ constraint: 'matches_pay_what_they_are_about' });
  });

  it('refuse a decision with a wrong sequence', async () => {
    const intent = anIntent({ reference: aName(), createdAt: TEN });
    await session.deliver(intentArrives(intent));

    const update = session.db.execute(`update intents set status = 'PAID' where id = $1`, [intent.id]);

    await expect(update).rejects.toMatchObject({ constraint: 'intents_decisions_in_sequence' });
  });
});

describe('what a text is decided together with', () => {
  /**
   * Number of texts that are read and locked when another text with this name arrives. The transaction is rolled back.
   */
  async function textsReadFor(reference: string): Promise<number> {
    const { db, deps } = session;
    return db.transaction(async (tx) => {
      const arrival = smsArrives(someEvidence({ reference, trxId: aName() }));
      const { workingSet } = await openBatch(deps, tx, [arrival]);
      return workingSet.evidence.all().length;
    });
  }

  it('excludes texts whose reference belongs to no intent of the shop', async () => {
    const rent = aName();
    const texts = Array.from({ length: 20 }, () => smsArrives(someEvidence({ reference: rent, trxId: aName() })));
    await session.deliver(...texts);

    expect(await textsReadFor(rent)).toBe(0);
  });

  it('includes all evidence for an open intent, and none for a paid one', async () => {
    const reference = aName();
    const short = () => smsArrives(someEvidence({ reference, trxId: aName(), amount: 49_900n as Poisha }));
    await session.deliver(short(), short());
    await session.deliver(intentArrives(anIntent({ reference })));
    expect(await textsReadFor(reference)).toBe(2);

    await session.deliver(smsArrives(someEvidence({ reference, trxId: aName() })));
    expect(await textsReadFor(reference)).toBe(0);
  });
});
