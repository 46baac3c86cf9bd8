import type { Tenant } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { addUpDeliveryCounts } from '../src/delivery/delivery-count-repository';
import { findWebhookStatistics } from '../src/statistics/webhook-statistics-repository';
import { aMerchant, anEvent } from './service-under-test';
import { stage } from './stage';

failOnLeaks();

describe('statistics of webhooks', () => {
  const on = stage(0.001);

  it('count endpoints by health and deliveries without success, of one tenant', async () => {
    const statisticsOf = (tenant: Tenant) => findWebhookStatistics(on.service.db, tenant);
    const { id: merchantId, environment } = on.merchant;
    const other = await aMerchant(on.service.db);
    await on.register();
    await on.service.announce(anEvent('intent.paid', on.merchant));
    await on.settled('DELIVERED');
    const [failing, off] = [
      await on.register({ url: `${on.shop.url}/b` }),
      await on.register({ url: `${on.shop.url}/c` }),
    ];
    const change = (assignment: string, id: string) =>
      on.service.db.execute(`update endpoints set ${assignment} where id = $1`, [id]);
    await change('failing_since = now(), is_verified = false', failing);
    await change("is_active = false, disabled_reason = 'NO_SUCCESS'", off);
    for (const [endpoint, status] of [
      [failing, 'PENDING'],
      [failing, 'RETRYING'],
      [off, 'FAILED'],
    ] as const) {
      await on.service.db.execute(
        `insert into deliveries (id, endpoint_id, merchant_id, environment, event_id, event_type, occurred_at, idempotency_key, body, status)
         values (gen_random_uuid(), $1, $2, $3, gen_random_uuid(), 'payment.paid', now(), gen_random_uuid(), '{}', $4)`,
        [endpoint, merchantId, environment, status],
      );
    }

    expect(await statisticsOf({ merchantId, environment })).toEqual({
      endpoints: 3,
      unverified: 1,
      failing: 1,
      disabled: 1,
      waiting: 2,
      failed: 1,
    });
    await addUpDeliveryCounts(on.service.db);
    await on.service.db.execute(
      `update deliveries set status = 'FAILED', next_attempt_at = null where endpoint_id = $1 and status = 'RETRYING'`,
      [failing],
    );
    expect(await statisticsOf({ merchantId, environment })).toMatchObject({ waiting: 1, failed: 2 });
    const none = { endpoints: 0, waiting: 0, failed: 0 };
    expect(await statisticsOf({ merchantId: other.id, environment })).toMatchObject(none);
    expect(await statisticsOf({ merchantId, environment: 'LIVE' })).toMatchObject(none);
  });
});
