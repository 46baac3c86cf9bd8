import type { IntentStatus } from '@pay/contracts';
import { daysBefore } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import { deleteOldRecords } from '../src/retention/delete-old-records';
import { addUpHourlyCounts } from '../src/statistics/hourly-count-repository';
import { apply, decisionOn } from './decisions';
import { merchantApi } from './merchant-api';
import { aMerchant, quietLog, startService } from './service-under-test';
import type { MerchantUnderTest, ServiceUnderTest } from './service-under-test';

describe('retention of intents', () => {
  let service: ServiceUnderTest;
  const api = merchantApi(() => service);
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  failOnLeaks();

  /** Moves the clock forward by this number of days. */
  async function sweepAfter(days: number): Promise<void> {
    await service.db.execute(`update retention_positions set restarted_at = now() - interval '1 day'`);
    const now = () => daysBefore(new Date(), -days);
    const deps = { db: service.db, log: quietLog, now, retention: { recordDays: 400 } };
    await deleteOldRecords(deps, new AbortController().signal);
  }

  async function intents(merchant: MerchantUnderTest, statuses: readonly IntentStatus[]): Promise<string[]> {
    const ids: string[] = [];
    for (const status of statuses) {
      const { id } = (await api.create(merchant)).body;
      if (status === 'REJECTED') await apply(service, decisionOn(merchant, id, 'REVIEW_REQUIRED', 1));
      if (status !== 'PENDING') await apply(service, decisionOn(merchant, id, status, status === 'REJECTED' ? 2 : 1));
      ids.push(id);
    }
    return ids;
  }

  it('deletes ended intents 90 days after the reconciler does, keeps open ones, and leaves totals exact', async () => {
    const merchant = await aMerchant(service.db);
    const ended: readonly IntentStatus[] = ['PAID', 'EXPIRED', 'FAILED', 'REJECTED'];
    await intents(merchant, ended);
    const open = await intents(merchant, ['PENDING', 'REVIEW_REQUIRED']);

    await sweepAfter(489);
    expect((await api.list(merchant)).body).toMatchObject({ total: 6 });

    await sweepAfter(491);
    const { data, total } = (await api.list(merchant)).body;
    expect({ ids: data.map(({ id }: { id: string }) => id).sort(), total }).toEqual({ ids: open.sort(), total: 2 });
    for (const status of ended)
      expect((await api.list(merchant, `?status=${status}`)).body).toMatchObject({ total: 0 });
    const [counted] = await service.db.query(
      `select sum(intents)::int as intents from intent_counters where merchant_id = $1`,
      [merchant.id],
    );
    expect(counted).toEqual({ intents: 2 });
  });

  it('keeps an intent that was created long ago and ended a short time ago', async () => {
    const merchant = await aMerchant(service.db);
    await intents(merchant, ['PAID']);
    await service.db.execute(
      `update payment_intents set paid_at = now() + interval '100 days' where merchant_id = $1`,
      [merchant.id],
    );

    await sweepAfter(491);

    expect((await api.list(merchant)).body).toMatchObject({ total: 1 });
  });

  it('deletes hourly counts after 30 days', async () => {
    const merchant = await aMerchant(service.db);
    await intents(merchant, ['PAID']);
    await addUpHourlyCounts(service.db);
    const hours = () => service.db.query('select from hourly_intent_counts where merchant_id = $1', [merchant.id]);

    await sweepAfter(29);
    expect(await hours()).not.toHaveLength(0);
    await sweepAfter(31);
    expect(await hours()).toHaveLength(0);
  });
});
