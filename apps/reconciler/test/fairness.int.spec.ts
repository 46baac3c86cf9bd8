import type { SmsParsed, Tenant } from '@pay/contracts';
import { draft } from '@pay/messaging';
import { depthOf, sendRaw } from '@pay/messaging/testing';
import { amqpUrl, eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { aShop, aSnapshot, aText, startService, type ServiceUnderTest } from './service-under-test';

const FLOOD = 5_000;
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

describe('a flood of one merchant in the queue', () => {
  it('lets the payment of another behind it through before most of it is decided, and is decided whole and once', async () => {
    const [flooding, patient] = [await aShop(service), await aShop(service)];
    const intent = aSnapshot(patient);
    await service.publish('intent.created', patient, { intent });
    const isKnown = async () => (await service.db.query('select 1 from intents where id = $1', [intent.id])).length > 0;
    await eventually(isKnown, 'the intent is known');

    const flood = Array.from({ length: FLOOD }, () => messageOf(flooding, aText(flooding)));
    const payment = messageOf(patient, aText(patient, { reference: intent.customerReference }));
    await sendRaw(amqpUrl(), service.namespace, 'reconciler.events', [...flood, payment]);
    await eventually(async () => (await decidedOf(patient)) === 1, 'the payment is decided', { timeoutMs: 30_000 });

    expect(await decidedOf(flooding)).toBeLessThan(FLOOD / 2);
    const isDone = async () => (await decidedOf(flooding)) === FLOOD;
    await eventually(isDone, 'the flood is decided', { timeoutMs: 60_000 });
    const told = (await service.announced()).filter(({ merchantId }) => merchantId === flooding.merchantId);
    expect(told.filter(({ type }) => type === 'match.pending')).toHaveLength(FLOOD);
    const left = () => depthOf(amqpUrl(), service.namespace, 'reconciler.events.crowd');
    await eventually(async () => (await left()) === 0, 'nothing is left in the side lane');
  });
});
