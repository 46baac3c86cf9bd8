import { randomUUID } from 'node:crypto';
import { BusinessError, eventsOf, formatAmount, type InternalIntent, type Undecided } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { closeMatchWindows } from '../src/expiry/close-match-windows';
import { expireIntent, expireIntents, type ExpireIntentsDeps } from '../src/expiry/expire-intents';
import type { Intent } from '../src/domain/facts';
import type { DecideDeps } from '../src/matching/decide-batch';
import {
  anIntent,
  claimArrives,
  HOUR,
  intentArrives,
  MINUTE,
  NAGAD_WALLET,
  OTHER_WALLET,
  SHOP,
  smsArrives,
  someEvidence,
} from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';

const OTHER_SHOP = { merchantId: randomUUID(), environment: 'LIVE' } as const;
const never = new AbortController().signal;

let session: SessionUnderTest;
beforeAll(async () => {
  session = await openSession({ merchants: [SHOP.merchantId, OTHER_SHOP.merchantId] });
});
afterAll(() => session.close());
failOnLeaks();

function ago(ms: number): Date {
  return new Date(Date.now() - ms);
}

function ended(msAgo: number, given: Partial<Intent> = {}): Intent {
  return anIntent({ reference: aName(), createdAt: ago(msAgo + 5 * MINUTE), expiresAt: ago(msAgo), ...given });
}

function worker(
  undecided: Undecided['undecided'] | undefined = [],
  more: Partial<ExpireIntentsDeps> = {},
): ExpireIntentsDeps {
  return {
    ...session.deps,
    askUndecided: () => Promise.resolve(undecided),
    fetchIntent: () => Promise.reject(new BusinessError('NOT_FOUND')),
    expiryGraceMs: 2_000,
    expiryBatch: 50,
    expiriesPerSecond: 10_000,
    ...more,
  };
}

/** Refuses the decisions whose event contains this. */
function failingFor(isRefused: (text: string) => boolean): DecideDeps['messaging'] {
  return {
    ...session.deps.messaging,
    publish: (tx, drafts, options) =>
      isRefused(JSON.stringify(drafts))
        ? Promise.reject(new Error('refused by the test'))
        : session.deps.messaging.publish(tx, drafts, options),
  };
}

async function expiriesOf(intentId: string) {
  return eventsOf(await session.announced(), 'match.expired').filter(({ data }) => data.paymentIntentId === intentId);
}

describe('the expiry worker', () => {
  it('expires an intent whose time is over and publishes the decision', async () => {
    const intent = ended(MINUTE);
    await session.deliver(intentArrives(intent));

    await expireIntents(worker(), never);

    expect(await session.statusOf(intent.id)).toBe('EXPIRED');
    expect(await expiriesOf(intent.id)).toMatchObject([
      {
        data: {
          matchStatus: 'EXPIRED',
          reason: 'intent_expired',
          intent: { status: 'EXPIRED', sequence: 1 },
          sms: null,
          evidence: null,
        },
      },
    ]);
  });

  it('does not expire an intent before its end and the grace time', async () => {
    const [running, justEnded] = [ended(-MINUTE), ended(MINUTE)];
    await session.deliver(intentArrives(running), intentArrives(justEnded));

    await expireIntents(worker([], { expiryGraceMs: 5 * MINUTE }), never);

    expect(await session.statusOf(running.id)).toBe('PENDING');
    expect(await session.statusOf(justEnded.id)).toBe('PENDING');
  });

  it('expires only what is PENDING', async () => {
    const reference = aName();
    const intent = ended(MINUTE, { referenceKey: reference });
    const short = someEvidence({
      reference,
      trxId: aName(),
      amount: 1n as Intent['amount'],
      providerTime: ago(3 * MINUTE),
      ingestedAt: ago(2 * MINUTE),
    });
    await session.deliver(intentArrives(intent), smsArrives(short));

    await expireIntents(worker(), never);

    expect(await session.statusOf(intent.id)).toBe('REVIEW_REQUIRED');
  });

  it('expires each intent once when several workers run concurrently', async () => {
    const intents = Array.from({ length: 300 }, () => ended(MINUTE));
    await session.deliver(...intents.map(intentArrives));

    await Promise.all(Array.from({ length: 4 }, () => expireIntents(worker(), never)));
    await expireIntents(worker(), never);

    const ids = new Set(intents.map(({ id }) => id));
    const published = eventsOf(await session.announced(), 'match.expired').filter(({ data }) =>
      ids.has(data.paymentIntentId ?? ''),
    );
    expect(published).toHaveLength(300);
    expect(new Set(published.map(({ data }) => data.paymentIntentId)).size).toBe(300);
  });

  it('continues after a restart and expires each intent once', async () => {
    const intents = Array.from({ length: 120 }, () => ended(MINUTE));
    await session.deliver(...intents.map(intentArrives));
    let batches = 0;
    const dying: DecideDeps['messaging'] = {
      ...session.deps.messaging,
      publish: (tx, drafts) => {
        batches += 1;
        return batches === 2
          ? Promise.reject(Object.assign(new Error('the process ends'), { code: 'ECONNRESET' }))
          : session.deps.messaging.publish(tx, drafts);
      },
    };

    await expect(expireIntents(worker([], { messaging: dying }), never)).rejects.toThrow('the process ends');
    await expireIntents(worker(), never);

    const ids = new Set(intents.map(({ id }) => id));
    const all = eventsOf(await session.announced(), 'match.expired');
    const published = all.flatMap(({ data }) => (ids.has(data.paymentIntentId ?? '') ? [data.paymentIntentId] : []));
    expect(published).toHaveLength(120);
    expect(new Set(published).size).toBe(120);
  });

  it('expires the others when the decision about one of them fails, which is tried again in the next round', async () => {
    const intents = Array.from({ length: 9 }, (_, n) => ended(MINUTE + n));
    await session.deliver(...intents.map(intentArrives));
    const [failing, ...others] = intents.map(({ id }) => id);
    const statuses = (ids: readonly string[]) => Promise.all(ids.map((id) => session.statusOf(id)));
    const broken = failingFor((text) => text.includes(String(failing)));

    await expireIntents(worker([], { messaging: broken, expiryBatch: 4 }), never);

    expect(await session.statusOf(String(failing))).toBe('PENDING');
    expect(new Set(await statuses(others))).toEqual(new Set(['EXPIRED']));
    expect(session.lines.filter(({ msg }) => msg === 'expiry.failed')).toMatchObject([{ intentId: failing }]);

    await expireIntents(worker(), never);

    expect(await session.statusOf(String(failing))).toBe('EXPIRED');
  });

  it.each([10, -10])(
    'goes by the clock of the database when that of the process is %s minutes off',
    async (minutes) => {
      const [running, over] = [ended(-MINUTE), ended(MINUTE)];
      await session.deliver(intentArrives(running), intentArrives(over));

      await expireIntents(worker([], { now: () => new Date(Date.now() + minutes * MINUTE) }), never);

      expect([await session.statusOf(running.id), await session.statusOf(over.id)]).toEqual(['PENDING', 'EXPIRED']);
    },
  );

  it('is limited in its rate, so that payments do not wait behind expiries', async () => {
    await session.deliver(...Array.from({ length: 20 }, () => intentArrives(ended(MINUTE))));
    const begun = performance.now();

    await expireIntents(worker([], { expiryBatch: 10, expiriesPerSecond: 50 }), never);

    expect(performance.now() - begun).toBeGreaterThan(350);
  });

  it('waits while sms-ingest or checkout-api does not answer, and counts only its own waits', async () => {
    const intent = ended(MINUTE);
    await session.deliver(intentArrives(intent));
    const inc = jest.fn();
    const deps = worker([], {
      metrics: { ...session.deps.metrics, expiryWaits: { inc } as never },
      askUndecided: (onSilence) => {
        onSilence?.('sms-ingest');
        return Promise.resolve(undefined);
      },
    });

    expect(await expireIntent(deps, SHOP, intent.id, { epoch: undefined, sequence: 1 })).toBe('PENDING');
    await expireIntents(deps, never);
    expect(await session.statusOf(intent.id)).toBe('PENDING');
    expect(inc.mock.calls).toEqual([[{ cause: 'sms-ingest' }]]);

    await expireIntents(worker(), never);
    expect(await session.statusOf(intent.id)).toBe('EXPIRED');
  });

  it('waits for undecided SMS and claims of the same merchant from before the end', async () => {
    const mine = ended(MINUTE);
    const later = ended(4 * MINUTE);
    const theirs = ended(MINUTE, { tenant: OTHER_SHOP });
    await session.deliver(intentArrives(mine), intentArrives(later), intentArrives(theirs));
    const oldest = ago(2 * MINUTE).toISOString();

    await expireIntents(worker([{ ...SHOP, oldest }]), never);

    expect(await session.statusOf(mine.id)).toBe('PENDING');
    expect(await session.statusOf(later.id)).toBe('EXPIRED');
    expect(await session.statusOf(theirs.id)).toBe('EXPIRED');
  });

  it('waits for the earlier of an undecided SMS and an undecided claim of a merchant', async () => {
    const intent = ended(MINUTE);
    await session.deliver(intentArrives(intent));
    const [earlier, later] = [2 * MINUTE, 10_000].map((ms) => ({ ...SHOP, oldest: ago(ms).toISOString() }));
    if (earlier === undefined || later === undefined) throw new Error('two items are needed');

    await expireIntents(worker([earlier, later]), never);
    await expireIntents(worker([later, earlier]), never);
    expect(await session.statusOf(intent.id)).toBe('PENDING');

    await expireIntents(worker([later]), never);
    expect(await session.statusOf(intent.id)).toBe('EXPIRED');
  });

  it('requests the undecided SMS and claims after the last intent has ended', async () => {
    const intent = ended(MINUTE);
    await session.deliver(intentArrives(intent));
    const slipsIn = ended(10_000);

    await expireIntents(
      {
        ...worker(),
        expiryGraceMs: 20_000,
        // During the request another intent passes its grace period; it must wait for the next round.
        askUndecided: async () => {
          await session.deliver(intentArrives(slipsIn));
          return [];
        },
      },
      never,
    );

    expect(await session.statusOf(intent.id)).toBe('EXPIRED');
    expect(await session.statusOf(slipsIn.id)).toBe('PENDING');
  });

  describe('of an intent whose money went to a method that was not shown', () => {
    /** The customer has chosen Nagad since, and intent-api has not published it yet. */
    async function paidByAnotherMethod({ byTrxId = false, endedMsAgo = MINUTE } = {}) {
      const reference = aName();
      const intent = ended(endedMsAgo, { referenceKey: reference });
      const sms = someEvidence({
        reference: byTrxId ? undefined : reference,
        trxId: aName(),
        provider: 'NAGAD',
        method: 'NAGAD_SEND_MONEY',
        receiverAccountId: NAGAD_WALLET,
        providerTime: ago(3 * MINUTE),
        ingestedAt: ago(2 * MINUTE),
      });
      const claim = claimArrives(intent.id, sms.trxId, ago(2 * MINUTE));
      await session.deliver(intentArrives(intent), smsArrives(sms), ...(byTrxId ? [claim] : []));
      const chosen = { receiverAccountId: NAGAD_WALLET, paymentMethod: 'NAGAD_SEND_MONEY' as const };
      const snapshot = {
        id: intent.id,
        status: 'PENDING',
        amount: formatAmount(intent.amount),
        customerReference: reference,
        createdAt: intent.createdAt.toISOString(),
        expiresAt: intent.expiresAt.toISOString(),
        shownReceivers: [...intent.shownReceivers, chosen],
      };
      const owned = { ...SHOP, sequence: 2, intent: snapshot } as unknown as InternalIntent;
      return { intent, owned, claimId: claim.claim.id };
    }

    it('pays it by the choice that intent-api has stored', async () => {
      const { intent, owned } = await paidByAnotherMethod();

      await expireIntents(worker([], { fetchIntent: () => Promise.resolve(owned) }), never);

      expect(await session.statusOf(intent.id)).toBe('PAID');
      expect(await expiriesOf(intent.id)).toEqual([]);
    });

    it('pays it by the choice that intent-api has stored when only its TrxID was entered', async () => {
      const { intent, owned, claimId } = await paidByAnotherMethod({ byTrxId: true });
      expect(await session.claimOf(claimId)).toMatchObject({ outcome: 'not_found', reason: 'wrong_method' });

      await expireIntents(worker([], { fetchIntent: () => Promise.resolve(owned) }), never);

      expect(await session.statusOf(intent.id)).toBe('PAID');
      expect(await session.claimOf(claimId)).toMatchObject({ outcome: 'matched', state: 'SETTLED' });
    });

    it('holds it while intent-api does not answer, and expires the others', async () => {
      const { intent } = await paidByAnotherMethod();
      const other = ended(MINUTE);
      await session.deliver(intentArrives(other));
      const fetchIntent = () => Promise.reject(new BusinessError('SERVICE_UNAVAILABLE'));

      await expireIntents(worker([], { fetchIntent }), never);

      expect([await session.statusOf(intent.id), await session.statusOf(other.id)]).toEqual(['PENDING', 'EXPIRED']);

      await expireIntents(worker(), never);

      expect(await session.statusOf(intent.id)).toBe('EXPIRED');
    });

    it('reads the next ones when intent-api fails for one', async () => {
      const failing = await paidByAnotherMethod();
      const others = [await paidByAnotherMethod(), await paidByAnotherMethod()];
      const fetchIntent = (id: string) => {
        const found = others.find(({ intent }) => intent.id === id);
        return found === undefined
          ? Promise.reject(new BusinessError('SERVICE_UNAVAILABLE'))
          : Promise.resolve(found.owned);
      };

      await expireIntents(worker([], { fetchIntent }), never);

      expect(await session.statusOf(failing.intent.id)).toBe('PENDING');
      for (const { intent } of others) expect(await session.statusOf(intent.id)).toBe('PAID');
      await expireIntents(worker(), never);
    });

    it('holds all of them after intent-api has failed for three in a row', async () => {
      const intents = [];
      for (let n = 0; n < 5; n += 1) intents.push((await paidByAnotherMethod()).intent);
      const fetchIntent = jest.fn(() => Promise.reject(new BusinessError('SERVICE_UNAVAILABLE')));

      await expireIntents(worker([], { fetchIntent }), never);

      expect(fetchIntent).toHaveBeenCalledTimes(3);
      for (const { id } of intents) expect(await session.statusOf(id)).toBe('PENDING');
      await expireIntents(worker(), never);
    });

    it('holds also those behind the first batch while intent-api does not answer', async () => {
      const [first, second] = [
        await paidByAnotherMethod({ endedMsAgo: 90_000 }),
        await paidByAnotherMethod({ endedMsAgo: MINUTE }),
      ];
      const fetchIntent = () => Promise.reject(new BusinessError('SERVICE_UNAVAILABLE'));

      await expireIntents(worker([], { fetchIntent, expiryBatch: 1 }), never);

      for (const { intent } of [first, second]) expect(await session.statusOf(intent.id)).toBe('PENDING');
      await expireIntents(worker(), never);
    });

    it('does not expire an intent behind a locked one before its choice was read', async () => {
      const locked = ended(90_000);
      await session.deliver(intentArrives(locked));
      const { intent, owned } = await paidByAnotherMethod();
      const deps = worker([], { fetchIntent: () => Promise.resolve(owned), expiryBatch: 1 });

      await session.db.transaction(async (tx) => {
        await tx.execute('select from intents where id = $1 for update', [locked.id]);
        await expireIntents(deps, never);
      });
      expect(await session.statusOf(intent.id)).toBe('PENDING');
      await expireIntents(deps, never);

      expect([await session.statusOf(locked.id), await session.statusOf(intent.id)]).toEqual(['EXPIRED', 'PAID']);
    });

    describe('on request', () => {
      const known = { epoch: undefined, sequence: 1 };

      it('pays it by the choice that intent-api has stored', async () => {
        const { intent, owned } = await paidByAnotherMethod();
        const deps = worker([], { fetchIntent: () => Promise.resolve(owned) });

        expect(await expireIntent(deps, SHOP, intent.id, known)).toBe('PAID');
        expect(await expiriesOf(intent.id)).toEqual([]);
      });

      it('does not expire it while intent-api does not answer, and expires it when intent-api has deleted it', async () => {
        const { intent } = await paidByAnotherMethod();
        const fetchIntent = () => Promise.reject(new BusinessError('SERVICE_UNAVAILABLE'));

        await expect(expireIntent(worker([], { fetchIntent }), SHOP, intent.id, known)).rejects.toMatchObject({
          code: 'SERVICE_UNAVAILABLE',
        });
        expect(await session.statusOf(intent.id)).toBe('PENDING');

        expect(await expireIntent(worker(), SHOP, intent.id, known)).toBe('EXPIRED');
      });

      it('expires another one without reading it from intent-api', async () => {
        const intent = ended(MINUTE);
        await session.deliver(intentArrives(intent));
        const fetchIntent = jest.fn(() => Promise.reject(new BusinessError('SERVICE_UNAVAILABLE')));

        expect(await expireIntent(worker([], { fetchIntent }), SHOP, intent.id, known)).toBe('EXPIRED');
        expect(fetchIntent).not.toHaveBeenCalled();
      });
    });
  });

  it('makes money that named the expired intent available to a claim', async () => {
    const reference = aName();
    const old = ended(MINUTE, { referenceKey: reference });
    const fresh = anIntent({
      reference: aName(),
      createdAt: ago(3 * MINUTE),
      expiresAt: ago(-2 * MINUTE),
      shownReceivers: [{ receiverAccountId: OTHER_WALLET, paymentMethod: 'BKASH_SEND_MONEY' }],
    });
    const sms = someEvidence({
      reference,
      trxId: aName(),
      receiverAccountId: OTHER_WALLET,
      providerTime: ago(2 * MINUTE),
      ingestedAt: ago(MINUTE),
    });
    await session.deliver(
      intentArrives(old),
      intentArrives(fresh),
      smsArrives(sms),
      claimArrives(fresh.id, sms.trxId, ago(MINUTE)),
    );
    expect(await session.statusOf(fresh.id)).toBe('PENDING');

    await expireIntents(worker(), never);

    expect(await session.statusOf(old.id)).toBe('EXPIRED');
    expect(await session.statusOf(fresh.id)).toBe('PAID');
  });
});

describe('the end of match windows', () => {
  it('is 72 hours after the ingestion of an SMS that led to no intent', async () => {
    const [old, young] = [
      someEvidence({ trxId: aName(), ingestedAt: ago(72 * HOUR + MINUTE) }),
      someEvidence({ trxId: aName(), ingestedAt: ago(71 * HOUR) }),
    ];
    await session.deliver(smsArrives(old), smsArrives(young));

    await closeMatchWindows(session.deps, never);
    await closeMatchWindows(session.deps, never);

    expect(await session.matchOf(old.smsEventId)).toMatchObject({
      status: 'EXPIRED',
      reason: 'match_window_over',
      sms_sequence: 2,
    });
    expect(await session.matchOf(young.smsEventId)).toMatchObject({ status: 'PENDING', sms_sequence: 1 });
    const published = eventsOf(await session.announced(), 'match.expired').filter(
      ({ data }) => data.sms?.id === old.smsEventId,
    );
    expect(published).toMatchObject([{ data: { intent: null, sms: { status: 'MATCH_PENDING' } } }]);
  });

  it('reaches the others when the decision about one of them fails', async () => {
    const old = Array.from({ length: 5 }, () => someEvidence({ trxId: aName(), ingestedAt: ago(72 * HOUR + MINUTE) }));
    await session.deliver(...old.map(smsArrives));
    const [failing, ...others] = old.map(({ smsEventId }) => smsEventId);
    const messaging = failingFor((text) => text.includes(String(failing)));
    const statuses = (ids: readonly string[]) =>
      Promise.all(ids.map(async (id) => (await session.matchOf(id))?.['status']));

    await closeMatchWindows({ ...session.deps, messaging }, never);

    expect(await statuses([String(failing)])).toEqual(['PENDING']);
    expect(new Set(await statuses(others))).toEqual(new Set(['EXPIRED']));
    expect(session.lines.filter(({ msg }) => msg === 'match_window.failed')).toMatchObject([{ smsEventId: failing }]);

    await closeMatchWindows(session.deps, never);

    expect(await statuses([String(failing)])).toEqual(['EXPIRED']);
  });

  it('leaves the SMS to a person when its intent arrives later', async () => {
    const reference = aName();
    const sms = someEvidence({ reference, trxId: aName(), providerTime: ago(73 * HOUR), ingestedAt: ago(73 * HOUR) });
    await session.deliver(smsArrives(sms));
    await closeMatchWindows(session.deps, never);
    const intent = anIntent({ reference, createdAt: ago(MINUTE), expiresAt: ago(-MINUTE) });

    await session.deliver(intentArrives(intent));
    await session.deliver(intentArrives({ ...intent, sourceSequence: 2 }));

    expect(await session.statusOf(intent.id)).toBe('REVIEW_REQUIRED');
    expect(await session.matchOf(sms.smsEventId)).toMatchObject({
      status: 'REVIEW_REQUIRED',
      reason: 'match_window_over',
    });
  });

  it('settles the unused claims of ended intents, without another answer', async () => {
    const [over, young, open] = [ended(MINUTE), ended(MINUTE), ended(-HOUR)];
    const oldTime = ago(72 * HOUR + MINUTE);
    const claims = [
      claimArrives(over.id, aName(), oldTime),
      claimArrives(young.id, aName(), ago(71 * HOUR)),
      claimArrives(open.id, aName(), oldTime),
    ];
    await session.deliver(...[over, young, open].map(intentArrives), ...claims);
    await expireIntents(worker(), never);
    const answers = async () => (await session.announced()).filter(({ type }) => type.startsWith('claim.')).length;
    const before = await answers();

    await closeMatchWindows(session.deps, never);

    const states = await Promise.all(claims.map(async ({ claim }) => (await session.claimOf(claim.id))?.['state']));
    expect(states).toEqual(['SETTLED', 'OPEN', 'OPEN']);
    expect(await answers()).toBe(before);
  });

  it('keeps the claim that an SMS in review names, so that a later claim does not take its place', async () => {
    const [payer, other] = [ended(73 * HOUR), ended(-HOUR)];
    const times = { providerTime: ago(73 * HOUR + 2 * MINUTE), ingestedAt: ago(73 * HOUR + MINUTE) };
    const sms = someEvidence({ trxId: aName(), ...times });
    await session.deliver(intentArrives(payer), intentArrives(other), smsArrives(sms));
    await expireIntents(worker(), never);
    const claim = claimArrives(payer.id, sms.trxId, ago(72 * HOUR + MINUTE));
    await session.deliver(claim);
    const named = { status: 'REVIEW_REQUIRED', reason: 'late_payment', payment_intent_id: payer.id };
    expect(await session.matchOf(sms.smsEventId)).toMatchObject(named);

    await closeMatchWindows(session.deps, never);
    await session.deliver(claimArrives(other.id, sms.trxId, ago(MINUTE)));

    expect(await session.claimOf(claim.claim.id)).toMatchObject({ state: 'OPEN', sms_event_id: sms.smsEventId });
    expect(await session.matchOf(sms.smsEventId)).toMatchObject(named);
  });
});
