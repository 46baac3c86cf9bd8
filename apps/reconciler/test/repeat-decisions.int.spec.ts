import { decideClaimResponseSchema, type EventOf, type IntentSnapshot, type SmsParsed } from '@pay/contracts';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { aShop, aSnapshot, aText, startService, type ServiceUnderTest, type ShopUnderTest } from './service-under-test';

let service: ServiceUnderTest;
let shop: ShopUnderTest;
beforeAll(async () => {
  service = await startService();
  shop = await aShop(service);
});
afterAll(() => service.stop());
failOnLeaks();

/** Events for one queue only. */
async function sentTo(queue: string): Promise<EventOf[]> {
  const sql = 'select body from outbox where target_queue = $1 order by seq';
  const rows = await service.db.query<{ body: string }>(sql, [queue]);
  return rows.map(({ body }) => JSON.parse(body) as EventOf);
}

async function handledBehind(text: SmsParsed): Promise<void> {
  await service.publish('sms.parsed', shop, text);
  await eventually(
    async () =>
      (await service.db.query('select 1 from matches where sms_event_id = $1', [text.smsEventId])).length === 1,
    'everything before this text is decided',
  );
}

describe('a text that sms-ingest announces again because it has no decision', () => {
  let intent: IntentSnapshot;
  let text: SmsParsed;
  beforeEach(async () => {
    intent = aSnapshot(shop);
    text = aText(shop, { reference: intent.customerReference });
    await service.publish('intent.created', shop, { intent });
    await service.publish('sms.parsed', shop, text);
    await eventually(
      async () =>
        (await service.db.query('select 1 from intents where id = $1 and status = $2', [intent.id, 'PAID'])).length ===
        1,
      'the intent is paid',
    );
  });

  it('gets the decision again, for sms-ingest alone, and nothing is decided twice', async () => {
    const decisions = await service.db.query('select id from decisions');
    const sql = 'select sms_sequence from matches where sms_event_id = $1';
    const [match] = await service.db.query<{ sms_sequence: number }>(sql, [text.smsEventId]);

    await service.publish('sms.parsed', shop, { ...text, decisionMissing: true });

    const repeated = await eventually(
      async () =>
        (await sentTo('sms-ingest.events')).find(({ data }) => 'sms' in data && data.sms?.id === text.smsEventId),
      'the decision is repeated',
    );
    expect(repeated).toMatchObject({
      type: 'match.confirmed',
      data: {
        paymentIntentId: intent.id,
        sms: { id: text.smsEventId, status: 'MATCHED', sequence: match?.sms_sequence },
        intent: null,
      },
    });
    expect(await service.db.query('select id from decisions')).toEqual(decisions);
  });

  it('that waits for its intent gets the decision again, also with a later sequence, and is not decided again', async () => {
    const waiting = aText(shop);
    await handledBehind(waiting);

    await service.publish('sms.parsed', shop, { ...waiting, decisionMissing: true }, 2);

    await eventually(
      async () =>
        (await sentTo('sms-ingest.events')).some(({ data }) => 'sms' in data && data.sms?.id === waiting.smsEventId),
      'the decision is repeated',
    );
    const sql = 'select status, sms_sequence, revision from matches where sms_event_id = $1';
    const [match] = await service.db.query(sql, [waiting.smsEventId]);
    expect(match).toEqual({ status: 'PENDING', sms_sequence: 1, revision: 1 });
  });

  it('gets nothing without the flag decisionMissing', async () => {
    const before = await sentTo('sms-ingest.events');

    await service.publish('sms.parsed', shop, text);
    await handledBehind(aText(shop));

    expect(await sentTo('sms-ingest.events')).toEqual(before);
  });

  it('is decided and published once when the reconciler does not know it', async () => {
    const unknown = aText(shop);

    await service.publish('sms.parsed', shop, { ...unknown, decisionMissing: true });

    const published = await eventually(async () => {
      const all = (await service.announced()).filter(
        ({ type, data }) => type.startsWith('match.') && 'sms' in data && data.sms?.id === unknown.smsEventId,
      );
      return all.length > 0 && all;
    }, 'the text is decided');
    expect(published).toMatchObject([{ type: 'match.pending' }]);
  });
});

describe('a claim that checkout-api announces again because it has no decision', () => {
  const claimOf = (intent: IntentSnapshot) => ({
    claimId: uuidv7(),
    paymentIntentId: intent.id,
    trxId: aText(shop).trxId,
    submittedAt: new Date().toISOString(),
  });
  const answers = async (claimId: string) =>
    (await service.announced()).filter(
      ({ type, aggregateId }) => /^claim[.](waiting|settled)$/.test(type) && aggregateId === claimId,
    );

  it('gets its decision again', async () => {
    const intent = aSnapshot(shop);
    const claim = claimOf(intent);
    await service.publish('intent.created', shop, { intent });
    await service.publish('claim.submitted', shop, claim);
    const [first] = await eventually(async () => {
      const all = await answers(claim.claimId);
      return all.length === 1 && all;
    }, 'the claim is decided');

    await service.publish('claim.submitted', shop, claim);
    await service.publish('claim.submitted', shop, { ...claim, decisionMissing: true });
    await eventually(async () => (await answers(claim.claimId)).length > 1, 'the decision is repeated');
    await handledBehind(aText(shop));

    const all = await answers(claim.claimId);
    expect(all).toHaveLength(2);
    expect(all[1]).toMatchObject({ type: 'claim.waiting', sequence: first?.sequence, data: first?.data });
  });

  it('gets a decision about all submissions only after the earlier one of a decided submission has arrived', async () => {
    const intent = aSnapshot(shop);
    const claim = claimOf(intent);
    const [first, second] = [1, 2].map((number) => ({
      ...claim,
      submittedAt: new Date(Date.now() + number * 60_000).toISOString(),
      submissionNumbers: { first: number, last: number },
    }));
    if (first === undefined || second === undefined) throw new Error('two submissions were made');
    const numbers = async () =>
      (await answers(claim.claimId)).map(({ data }) => ('submissions' in data ? data.submissions : undefined));
    await service.publish('intent.created', shop, { intent });
    await eventually(
      async () => (await service.db.query('select 1 from intents where id = $1', [intent.id])).length === 1,
      'the intent has arrived',
    );

    const asked = { merchantId: shop.merchantId, environment: shop.environment, intentSequence: 1 };
    await service.asCheckout.request('POST', '/internal/v1/claims', {
      body: { ...second, ...asked },
      tenant: { merchantId: shop.merchantId, environment: shop.environment },
      schema: decideClaimResponseSchema,
      idempotent: true,
    });
    expect(await numbers()).toEqual([0]);
    await service.publish('claim.submitted', shop, first);
    await service.publish('claim.submitted', shop, second);
    await service.publish('claim.submitted', shop, second);
    await eventually(async () => (await numbers()).includes(2), 'the decision includes both submissions');
    await handledBehind(aText(shop));

    expect((await numbers()).filter((number) => number === 2)).toHaveLength(1);
  });

  it('gets a decision about all its submissions if the previous version has stored it without their number', async () => {
    const intent = aSnapshot(shop);
    const claim = claimOf(intent);
    await service.publish('intent.created', shop, { intent });
    await service.publish('claim.submitted', shop, claim);
    await eventually(async () => (await answers(claim.claimId)).length === 1, 'the claim is decided');
    await service.db.execute('update claims set submissions = null where id = $1', [claim.claimId]);

    await service.publish('claim.submitted', shop, {
      ...claim,
      submittedAt: new Date(Date.now() + 60_000).toISOString(),
      submissionNumbers: { first: 4, last: 4 },
    });

    await eventually(async () => (await answers(claim.claimId)).length === 2, 'the claim is decided again');
    expect((await answers(claim.claimId))[1]).toMatchObject({ data: { submissions: 4 } });
  });
});
