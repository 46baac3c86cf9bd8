import { randomUUID } from 'node:crypto';
import { failOnLeaks } from '@pay/testing';
import { merchantApi } from './merchant-api';
import { recorder } from './recorded-statements';
import { aMerchant, startService } from './service-under-test';
import type { MerchantUnderTest, ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('statements of a request', () => {
  const { watch, names } = recorder();
  let service: ServiceUnderTest;
  let merchant: MerchantUnderTest;
  const api = merchantApi(() => service);

  beforeAll(async () => {
    service = await startService({ watched: watch });
    merchant = await aMerchant(service.db);
  });
  afterAll(() => service.stop());

  /** Names of the statements of intents and their events, without those of the relay, the directory and retention. */
  async function during(request: () => Promise<{ status: number }>): Promise<string[]> {
    const before = names().length;
    expect((await request()).status).toBeLessThan(300);
    return names()
      .slice(before)
      .filter((name) => /intent/.test(name) && !name.startsWith('delete-old '));
  }

  it('a create inserts intent, counters and event without another read', async () => {
    expect(await during(() => api.create(merchant))).toEqual([
      'insert-absent-intents',
      'outbox-insert intent.created',
      'count-intents',
    ]);
  });

  it('a repeated create reads its intent with one more statement and writes nothing', async () => {
    const fields = { idempotencyKey: randomUUID() };
    await api.create(merchant, fields);
    const found = ['insert-absent-intents', 'find-intent-by-idempotency-key'];

    expect(await during(() => api.create(merchant, fields))).toEqual(found);
  });

  it('a retrieve runs one statement', async () => {
    const { body } = await api.create(merchant);

    expect(await during(() => api.get(merchant, body.id))).toEqual(['find-intents']);
  });

  it('a list runs one statement, including the total', async () => {
    expect(await during(() => api.list(merchant, '?status=PENDING'))).toEqual(['list-intents-status']);
  });
});
