import type { SmsParsed, Tenant } from '@pay/contracts';
import { draft } from '@pay/messaging';
import { depthOf, sendRaw } from '@pay/messaging/testing';
import { amqpUrl, eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { aShop, aSnapshot, aText, startService, type ServiceUnderTest } from './service-under-test';

const FLOOD = 10_000;
const PAYMENTS = 8;
/**
 * Asserts a share instead of a time, because a busy machine delays all merchants. Without overflow queues a payment
 * waits for the whole backlog.
 */
const LARGEST_SHARE = 0.3;
/** The overflow queue gets a batch of this size every second, which is a larger share on a slow machine. */
const OVERFLOW_BATCH = 250;
jest.setTimeout(90_000);

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
failOnLeaks();

function messageOf({ merchantId, environment }: Tenant, data: SmsParsed) {
  const common = { merchantId, environment, sequence: 1, occurredAt: new Date() };
  return { body: JSON.stringify(draft('sms.parsed', { ...common, aggregateId: uuidv7(), data })) };
}

async function decidedOf({ merchantId }: Tenant): Promise<number> {
  const sql = 'select count(*)::int as count from matches where merchant_id = $1';
  const [row] = await service.db.query<{ count: number }>(sql, [merchantId]);
  return row?.count ?? 0;
}

describe('a backlog of one merchant in the queue', () => {
  it('delays payments of another merchant by at most three tenths of the backlog, and is decided completely and once', async () => {
    const [flooding, patient] = [await aShop(service), await aShop(service)];
    const intents = Array.from({ length: PAYMENTS }, () => aSnapshot(patient));
    for (const intent of intents) await service.publish('intent.created', patient, { intent });
    const known = 'select 1 from intents where merchant_id = $1';
    const areKnown = async () => (await service.db.query(known, [patient.merchantId])).length === PAYMENTS;
    await eventually(areKnown, 'the intents are known');
    const send = (messages: ReturnType<typeof messageOf>[]) =>
      sendRaw(amqpUrl(), service.namespace, 'reconciler.events', messages);

    await send(Array.from({ length: FLOOD }, () => messageOf(flooding, aText(flooding))));
    const sentAt: Date[] = [];
    for (const [n, { customerReference: reference }] of intents.entries()) {
      await send([messageOf(patient, aText(patient, { reference }))]);
      // After the confirm: on a busy machine much is decided while the connection of the test is opened.
      sentAt.push(new Date());
      const isDecided = async () => (await decidedOf(patient)) === n + 1;
      await eventually(isDecided, 'the payment is decided', { timeoutMs: 30_000 });
    }
    // The backlog must outlast the last payment.
    expect(await decidedOf(flooding)).toBeLessThan(FLOOD);
    const isDone = async () => (await decidedOf(flooding)) === FLOOD;
    await eventually(isDone, 'the flood is decided', { timeoutMs: 60_000 });

    const waited = await service.db.query<{ behind: number; seconds: number }>(
      `select (select count(*)::integer from matches f where f.merchant_id = $1 and f.created_at > sent.at and f.created_at <= paid.created_at) as behind,
         extract(epoch from paid.created_at - sent.at)::float8 as seconds
       from (select created_at, row_number() over (order by created_at) as n from matches where merchant_id = $2) paid
       join unnest($3::timestamptz[]) with ordinality as sent (at, n) using (n)`,
      [flooding.merchantId, patient.merchantId, sentAt],
    );
    expect(waited).toHaveLength(PAYMENTS);
    const ofWorkQueue = waited.map(({ behind, seconds }) => behind - OVERFLOW_BATCH * Math.max(0, seconds));
    expect(Math.max(...ofWorkQueue)).toBeLessThan(LARGEST_SHARE * FLOOD);
    const published = (await service.announced()).filter(({ merchantId }) => merchantId === flooding.merchantId);
    expect(published.filter(({ type }) => type === 'match.pending')).toHaveLength(FLOOD);
    const left = () => depthOf(amqpUrl(), service.namespace, 'reconciler.events.crowd');
    await eventually(async () => (await left()) === 0, 'the overflow queue is empty');
  });
});
