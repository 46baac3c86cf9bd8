import {
  eventsOf,
  expireIntentResponseSchema,
  decideClaimResponseSchema,
  type DecideClaimResponse,
  type ReceiverAccountFact,
} from '@pay/contracts';
import { ServiceCallFailed } from '@pay/http';
import { eventually, failOnLeaks, promptly } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import {
  aShop,
  aSnapshot,
  aText,
  nothingUndecided,
  startService,
  publishShop,
  type ServiceUnderTest,
  type ShopUnderTest,
} from './service-under-test';

let service: ServiceUnderTest;
let shop: ShopUnderTest;
beforeAll(async () => {
  service = await startService();
  shop = await aShop(service);
});
afterAll(() => service.stop());
failOnLeaks();

type Snapshot = ReturnType<typeof aSnapshot>;

async function statusOf(intentId: string): Promise<unknown> {
  return (await service.db.query('select status from intents where id = $1', [intentId]))[0]?.['status'];
}

function becomes(intentId: string, status: string): Promise<unknown> {
  return eventually(async () => (await statusOf(intentId)) === status, `the intent becomes ${status}`);
}

function confirm(intent: Pick<Snapshot, 'id'>, trxId: string, more: object = {}): Promise<DecideClaimResponse> {
  const { merchantId, environment } = shop;
  return service.asCheckout.request('POST', '/internal/v1/claims', {
    body: {
      claimId: uuidv7(),
      merchantId,
      environment,
      paymentIntentId: intent.id,
      trxId,
      intentSequence: 1,
      submittedAt: new Date().toISOString(),
      ...more,
    },
    schema: decideClaimResponseSchema,
  });
}

function knows(intent: Snapshot): void {
  service.peerServices['intent-api'].respondWith(() => ({
    status: 200,
    body: JSON.stringify({ merchantId: shop.merchantId, environment: shop.environment, sequence: 1, intent }),
  }));
}

describe('events over the broker', () => {
  it('publishes match.confirmed for an intent and the SMS that names it', async () => {
    const intent = aSnapshot(shop, { customerReference: 'Inv 20-41' });
    const text = aText(shop, { reference: 'inv2041' });

    await service.publish('intent.created', shop, { intent });
    await service.publish('sms.parsed', shop, text);

    await becomes(intent.id, 'PAID');
    const [confirmed] = eventsOf(await service.announced(), 'match.confirmed').filter(
      ({ data }) => data.paymentIntentId === intent.id,
    );
    expect(confirmed?.data).toMatchObject({
      evidence: { trxId: text.trxId, receiverMsisdn: '01700000900' },
      sms: { id: text.smsEventId },
    });
  });

  it('accepts money by a method that was chosen after creation', async () => {
    const chosen = aSnapshot(shop);
    const created = { ...chosen, shownReceivers: [{ ...chosen.shownReceivers[0]!, receiverAccountId: uuidv7() }] };
    const text = aText(shop, { reference: created.customerReference });
    await service.publish('intent.created', shop, { intent: created });
    await service.publish('sms.parsed', shop, text);

    await service.publish('intent.method_selected', shop, { intent: chosen }, 2);

    await becomes(chosen.id, 'PAID');
  });

  it('stores an unparsed text as UNPARSED', async () => {
    const { smsEventId, deviceId, receivedAt, ingestedAt } = aText(shop);
    await service.publish('sms.unparsed', shop, {
      smsEventId,
      deviceId,
      receivedAt,
      ingestedAt,
      reason: 'outgoing',
      provider: 'BKASH',
      parserVersion: '1',
      receiverAccountId: null,
      receiverMsisdn: null,
      simSlot: null,
      sender: 'bKash',
    });

    const match = await eventually(
      async () =>
        (await service.db.query('select status, reason from matches where sms_event_id = $1', [smsEventId]))[0],
      'a match is recorded',
    );
    expect(match).toEqual({ status: 'UNPARSED', reason: 'outgoing' });
  });

  it('decides a claim and publishes the result for checkout-api', async () => {
    const intent = aSnapshot(shop);
    const claimId = uuidv7();
    const text = aText(shop);
    await service.publish('intent.created', shop, { intent });
    await service.publish('claim.submitted', shop, {
      claimId,
      paymentIntentId: intent.id,
      trxId: text.trxId,
      submittedAt: new Date().toISOString(),
    });
    await service.publish('sms.parsed', shop, text);

    await becomes(intent.id, 'PAID');
    const published = eventsOf(await service.announced(), 'claim.waiting', 'claim.settled').filter(
      ({ data }) => data.claimId === claimId,
    );
    expect(published.at(-1)).toMatchObject({
      type: 'claim.settled',
      data: { outcome: 'matched', smsEventId: text.smsEventId },
    });
  });

  it('decides events of an unknown merchant when the facts of the merchant arrive', async () => {
    const unrelated = await aShop(service, { isKnown: false });
    const intent = aSnapshot(unrelated);
    await service.publish('intent.created', unrelated, { intent });
    await service.publish('sms.parsed', unrelated, aText(unrelated, { reference: intent.customerReference }));
    await eventually(
      async () => /outcome="not_yet"[^\n]* [1-9]/.test(await service.metrics.registry.metrics()),
      'an event is put off',
    );

    await publishShop(service, unrelated);

    await becomes(intent.id, 'PAID');
  });
});

describe('POST /internal/v1/claims', () => {
  it('pays an intent whose SMS has arrived', async () => {
    const intent = aSnapshot(shop);
    const text = aText(shop);
    await service.publish('intent.created', shop, { intent });
    await service.publish('sms.parsed', shop, text);
    await eventually(
      async () =>
        (await service.db.query('select 1 from evidence where sms_event_id = $1', [text.smsEventId])).length > 0,
      'the SMS is decided',
    );
    await eventually(() => statusOf(intent.id), 'the intent is known');

    const answer = await confirm(intent, text.trxId);

    expect(answer).toEqual({ outcome: 'matched', smsEventId: text.smsEventId, intentStatus: 'PAID' });
    expect(await confirm(intent, text.trxId)).toEqual(answer);
  });

  it('stores a claim that arrives before its SMS, and is idempotent by its id', async () => {
    const intent = aSnapshot(shop);
    knows(intent);
    const claim = { claimId: uuidv7() };
    const text = aText(shop);

    const waiting = { outcome: 'waiting', smsEventId: null, intentStatus: 'PENDING' };
    expect(await confirm(intent, text.trxId, claim)).toEqual(waiting);
    expect(await confirm(intent, text.trxId, claim)).toEqual(waiting);
    await service.publish('sms.parsed', shop, text);

    await becomes(intent.id, 'PAID');
    expect(await confirm(intent, text.trxId, claim)).toMatchObject({ outcome: 'matched' });
    const rows = await service.db.query('select 1 from claims where trx_id = $1', [text.trxId]);
    expect(rows).toHaveLength(1);
  });

  it('requests an unknown intent from intent-api and stores it like its event', async () => {
    const intent = aSnapshot(shop);
    knows(intent);

    await confirm(intent, 'NOTSEEN001');
    await service.publish('intent.created', shop, { intent });

    expect(await statusOf(intent.id)).toBe('PENDING');
  });

  it('requests the intent from intent-api when the caller knows a newer state', async () => {
    const chosen = aSnapshot(shop);
    const text = aText(shop);
    await service.publish('sms.parsed', shop, text);
    await service.publish('intent.created', shop, {
      intent: { ...chosen, shownReceivers: [{ ...chosen.shownReceivers[0]!, receiverAccountId: uuidv7() }] },
    });
    await eventually(() => statusOf(chosen.id), 'the intent is known');
    expect(await confirm(chosen, text.trxId)).toMatchObject({ outcome: 'not_found', smsEventId: null });
    service.peerServices['intent-api'].respondWith(() => ({
      status: 200,
      body: JSON.stringify({ merchantId: shop.merchantId, environment: shop.environment, sequence: 2, intent: chosen }),
    }));

    expect(await confirm(chosen, text.trxId, { intentSequence: 2 })).toMatchObject({
      outcome: 'matched',
      intentStatus: 'PAID',
    });
  });

  it('returns 503 while the intent is unknown and intent-api is unavailable, 404 when intent-api does not know it', async () => {
    service.peerServices['intent-api'].respondWith(() => ({ status: 503 }));
    await expect(confirm({ id: uuidv7() }, 'NOTSEEN002')).rejects.toMatchObject({ kind: 'unavailable', status: 503 });

    service.peerServices['intent-api'].respondWith(() => ({ status: 404, body: '{"code":"NOT_FOUND","message":""}' }));
    await expect(confirm({ id: uuidv7() }, 'NOTSEEN002')).rejects.toMatchObject({ kind: 'rejected', status: 404 });
  });

  it('returns 404 for an intent of another merchant', async () => {
    const intent = aSnapshot(shop);
    knows(intent);

    const asked = confirm(intent, 'NOTSEEN003', { merchantId: uuidv7() });

    await expect(asked).rejects.toMatchObject({ status: 404 });
  });

  it('returns matched to one of twenty concurrent customers and duplicate_trx_id to nineteen', async () => {
    const text = aText(shop);
    const intents = Array.from({ length: 20 }, () => aSnapshot(shop));
    await service.publish('sms.parsed', shop, text);
    for (const intent of intents) await service.publish('intent.created', shop, { intent });
    await eventually(
      async () => (await Promise.all(intents.map(({ id }) => statusOf(id)))).every((status) => status === 'PENDING'),
      'all intents are known',
    );
    await eventually(
      async () =>
        (await service.db.query('select 1 from evidence where sms_event_id = $1', [text.smsEventId])).length > 0,
      'the SMS is decided',
    );

    const answers = await Promise.all(intents.map((intent) => confirm(intent, text.trxId)));

    expect(answers.filter(({ outcome }) => outcome === 'matched')).toHaveLength(1);
    expect(answers.filter(({ outcome }) => outcome === 'duplicate_trx_id')).toHaveLength(19);
  });

  it('returns 401 without a service credential', async () => {
    const response = await fetch(`${service.internalUrl}/internal/v1/claims`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });

    expect(response.status).toBe(401);
  });

  it('returns 400 for a body that is not a claim', async () => {
    const asked = service.asCheckout.request('POST', '/internal/v1/claims', {
      body: { claimId: 1 },
      schema: decideClaimResponseSchema,
    });

    await expect(asked).rejects.toBeInstanceOf(ServiceCallFailed);
    await expect(asked).rejects.toMatchObject({ status: 400 });
  });
});

describe('a receiver account that is switched off', () => {
  const walletOff = ({ merchantId, environment, walletId }: ShopUnderTest): ReceiverAccountFact => ({
    id: walletId,
    version: 2,
    deleted: false,
    isActive: false,
    merchantId,
    environment,
    paymentMethod: 'BKASH_SEND_MONEY',
    msisdn: '01700000900',
  });
  const ownerAnswers = (fact: ReceiverAccountFact) =>
    service.peerServices['dashboard-api'].respondWith(() => ({
      status: 200,
      body: JSON.stringify({ merchant: null, receiverAccounts: [fact] }),
    }));

  it('fails intents that have no other receiver in less than two seconds; later money opens an exception', async () => {
    let closing = shop;
    let intent = aSnapshot(shop);
    await promptly(2_000, async () => {
      closing = await aShop(service);
      intent = aSnapshot(closing);
      const open = aSnapshot(closing, {
        paymentMethod: null,
        receiverMsisdn: null,
        shownReceivers: [],
        methodFixed: false,
      });
      await service.publish('directory.resend_completed', closing, {
        service: 'reconciler',
        kinds: ['merchant', 'receiver_account'],
        requestId: uuidv7(),
      });
      await service.publish('intent.created', closing, { intent });
      await service.publish('intent.created', closing, { intent: open });
      await eventually(async () => (await statusOf(intent.id)) && (await statusOf(open.id)), 'the intents are known');

      const fact = walletOff(closing);
      ownerAnswers(fact);
      const begun = performance.now();
      await service.publish('receiver_account.changed', closing, fact);
      await becomes(intent.id, 'FAILED');
      await becomes(open.id, 'FAILED');
      return performance.now() - begun;
    });

    const text = aText(closing, { reference: intent.customerReference });
    await service.publish('sms.parsed', closing, text);
    const match = await eventually(
      async () =>
        (await service.db.query('select status, reason from matches where sms_event_id = $1', [text.smsEventId]))[0],
      'the money is decided',
    );
    expect(match).toEqual({ status: 'REVIEW_REQUIRED', reason: 'intent_closed' });
    expect(await statusOf(intent.id)).toBe('FAILED');
  });

  it('fails an intent when dashboard-api confirms it, and not while dashboard-api does not answer', async () => {
    const other = await aShop(service);
    const fact = walletOff(other);
    service.peerServices['dashboard-api'].respondWith(() => ({ status: 503 }));
    const intent = aSnapshot(other);
    const { requests } = service.peerServices['dashboard-api'];
    const asked = requests.length;

    await service.publish('intent.created', other, { intent });
    await becomes(intent.id, 'PENDING');
    await service.publish('receiver_account.changed', other, fact);
    await eventually(() => requests.length > asked, 'dashboard-api has been asked');
    expect(await statusOf(intent.id)).toBe('PENDING');

    ownerAnswers(fact);
    await service.db.execute('update switch_offs set due_at = now()');

    await becomes(intent.id, 'FAILED');
    const request = requests.at(-1);
    expect(request?.path).toBe(`/internal/v1/tenant-facts/${other.merchantId}/LIVE`);
    expect(request?.headers.authorization).toMatch(/^Bearer /);
    expect(service.lines.filter(({ msg }) => msg === 'switch_off.owner_not_reached')).toHaveLength(1);
  });
});

describe('the end of an intent', () => {
  const expire = (intent: Pick<Snapshot, 'id'>) =>
    service.asCheckout.request('POST', `/internal/v1/intents/${intent.id}/expire`, {
      body: { intentSequence: 1 },
      tenant: shop,
      schema: expireIntentResponseSchema,
    });
  const ended = (msAgo: number) => aSnapshot(shop, { expiresAt: new Date(Date.now() - msAgo).toISOString() });

  it('is decided once by the expiry worker', async () => {
    const intent = ended(1_000);
    await service.publish('intent.created', shop, { intent });

    await becomes(intent.id, 'EXPIRED');
    await expire(intent);

    const published = eventsOf(await service.announced(), 'match.expired').filter(
      ({ data }) => data.paymentIntentId === intent.id,
    );
    expect(published).toHaveLength(1);
  });

  it('is decided on request, also for an intent that had not arrived', async () => {
    const intent = ended(1_000);
    knows(intent);

    expect(await expire(intent)).toEqual({ intentStatus: 'EXPIRED' });
  });

  it('is not decided before its time', async () => {
    const intent = aSnapshot(shop);
    knows(intent);

    expect(await expire(intent)).toEqual({ intentStatus: 'PENDING' });
  });

  it('waits while sms-ingest or checkout-api does not answer, and logs that once', async () => {
    service.peerServices['sms-ingest'].respondWith(() => ({ status: 503 }));
    const intent = ended(1_000);
    await service.publish('intent.created', shop, { intent });
    await eventually(() => statusOf(intent.id), 'the intent is known');
    const asked = service.peerServices['sms-ingest'].requests.length;
    await eventually(
      () => service.peerServices['sms-ingest'].requests.length > asked + 2,
      'the worker has asked several times',
    );

    expect(await statusOf(intent.id)).toBe('PENDING');
    expect(await expire(intent)).toEqual({ intentStatus: 'PENDING' });
    expect(
      service.lines.filter(({ msg, owner }) => msg === 'expiry.owner_not_reached' && owner === 'sms-ingest'),
    ).toHaveLength(1);

    service.peerServices['sms-ingest'].respondWith(() => nothingUndecided);
    await becomes(intent.id, 'EXPIRED');
  });

  it('requests undecided SMS and claims with a service credential', () => {
    for (const owner of ['sms-ingest', 'checkout-api'] as const) {
      const [request] = service.peerServices[owner].requests;
      expect(request?.path).toBe('/internal/v1/undecided');
      expect(request?.headers.authorization).toMatch(/^Bearer /);
    }
  });
});
