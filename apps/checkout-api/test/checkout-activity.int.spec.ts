import { internalCheckoutActivitySchema, type CheckoutActivity, type IntentSnapshot } from '@pay/contracts';
import { serviceClient, type ServiceClient } from '@pay/http';
import type { Statement } from '@pay/persistence';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { listActivity, storeActivity } from '../src/activity/activity-repository';
import { checkoutCustomer } from './checkout-customer';
import {
  anIntent,
  given,
  intentEvent,
  MERCHANT,
  PEER_SECRETS,
  send,
  startService,
  type ServiceUnderTest,
} from './service-under-test';

failOnLeaks();

describe('activity at a checkout', () => {
  let service: ServiceUnderTest;
  let dashboardApi: ServiceClient;
  const customer = checkoutCustomer(() => service);
  const tenant = { merchantId: MERCHANT, environment: 'SANDBOX' } as const;

  beforeAll(async () => {
    service = await startService();
    dashboardApi = serviceClient({
      issuer: 'dashboard-api',
      audience: 'checkout-api',
      secret: PEER_SECRETS['dashboard-api'],
      baseUrl: service.internalUrl,
      timeoutMs: 10_000,
    });
  });
  afterAll(async () => {
    await dashboardApi.close();
    await service.stop();
  });

  const activityOf = async (id: string, of = tenant as { merchantId: string; environment: 'SANDBOX' | 'LIVE' }) => {
    const path = `/internal/v1/checkouts/${id}/activity`;
    const options = { schema: internalCheckoutActivitySchema, tenant: of };
    return (await dashboardApi.request('GET', path, options)).activity;
  };
  const actionsOf = async (id: string) => (await activityOf(id)).map(({ action }) => action);
  /** Actions are stored in order, so after a later one is stored an earlier one is stored or lost. */
  const stored = async (): Promise<void> => {
    const marker = await given(service, anIntent());
    await customer.view(marker.id);
    await eventually(async () => (await actionsOf(marker.id)).length > 0, 'the view of a later intent is stored');
  };
  const open = (path: string, method = 'GET') => fetch(service.url + path, { method, redirect: 'manual' });
  const rowsOf = (id: string) => service.db.query('select * from checkout_activity where intent_id = $1', [id]);

  it('stores the first view once when page and view are opened concurrently', async () => {
    const { id } = await given(service, anIntent());

    await Promise.all([
      ...Array.from({ length: 30 }, () => customer.view(id)),
      ...Array.from({ length: 10 }, () => open(`/checkout/${id.toUpperCase()}`)),
    ]);
    await stored();

    const [view, ...others] = await activityOf(id);
    expect(others).toEqual([]);
    expect(view).toMatchObject({ action: 'viewed', paymentMethod: null, outcome: null });
    expect(view?.lastAt).toBe(view?.firstAt);
  });

  it('keeps the time of the first view when another replica serves a later one', async () => {
    const { id } = await given(service, anIntent());
    await customer.view(id);
    await stored();
    const before = await activityOf(id);

    const later = new Date(Date.now() + 60_000);
    await storeActivity(service.db, [{ intentId: id, action: 'viewed', detail: '', at: later }]);

    expect(before).toHaveLength(1);
    expect(await activityOf(id)).toEqual(before);
  });

  it('stores nothing for an unknown id', async () => {
    const id = uuidv7();
    service.intentApi.respondWith(() => ({ status: 404 }));

    expect((await customer.view(id)).status).toBe(404);
    expect((await customer.cancel(id)).status).toBe(404);
    expect((await open(`/checkout/${id}/returned`, 'POST')).status).toBe(404);
    await stored();
    service.intentApi.respondWith(() => ({ status: 503 }));

    expect(await rowsOf(id)).toEqual([]);
  });

  it('keeps one row per action, however often a customer cancels and goes back', async () => {
    const addresses = { cancelUrl: 'https://shop.example/cart', successUrl: 'https://shop.example/ok' };
    const intent = await given(service, anIntent(addresses));
    const often = async () => {
      await Promise.all(Array.from({ length: 20 }, () => customer.cancel(intent.id)));
      await Promise.all(Array.from({ length: 20 }, () => open(`/checkout/${intent.id}/returned`, 'POST')));
    };

    await often();
    await stored();
    await given(service, { ...intent, status: 'PAID', paidAt: intent.createdAt }, 2);
    await often();
    await stored();

    const activity = await activityOf(intent.id);
    expect(activity.map(({ action, outcome }) => [action, outcome])).toEqual([
      ['cancelled', null],
      ['returned', 'CANCELLED'],
      ['returned', 'PAID'],
    ]);
  });

  it('stores no return to a shop without a URL for it', async () => {
    const { id } = await given(service, anIntent());

    expect((await open(`/checkout/${id}/returned`, 'POST')).status).toBe(204);
    await stored();

    expect(await rowsOf(id)).toEqual([]);
  });

  it('keeps the first and the last choice of each method, in any order of events', async () => {
    const intent = await given(service, anIntent({ paymentMethod: null, receiverMsisdn: null }));
    const at = (second: number) => new Date(Date.parse(intent.createdAt) + second * 1_000);
    const choice = (paymentMethod: IntentSnapshot['paymentMethod'], second: number) =>
      intentEvent({ ...intent, paymentMethod }, 2 + second, null, at(second));
    const choices = [choice('NAGAD_SEND_MONEY', 0), choice('BKASH_SEND_MONEY', 1), choice('NAGAD_SEND_MONEY', 2)];

    for (const event of choices.toReversed()) await send(service, event);
    await eventually(async () => (await actionsOf(intent.id)).length === 2, 'both methods are stored');
    const all = await eventually(async () => {
      const activity = await activityOf(intent.id);
      return activity[0]?.firstAt !== activity[0]?.lastAt ? activity : undefined;
    }, 'the first choice is stored');

    expect(all).toEqual([chosen('NAGAD_SEND_MONEY', at(0), at(2)), chosen('BKASH_SEND_MONEY', at(1), at(1))]);
  });

  it('returns activity only for the merchant and environment of the payment', async () => {
    const { id } = await given(service, anIntent());
    await customer.view(id);
    await stored();

    expect(await actionsOf(id)).toEqual(['viewed']);
    expect(await activityOf(id, { ...tenant, merchantId: uuidv7() })).toEqual([]);
    expect(await activityOf(id, { ...tenant, environment: 'LIVE' })).toEqual([]);
  });

  it('reads only by keys', async () => {
    await service.db.execute(
      `insert into checkout_activity select gen_random_uuid(), 'viewed', '', now(), now() from generate_series(1, 5000)`,
    );
    await service.db.execute('analyze checkout_activity');
    const plans: string[] = [];
    const explaining = {
      query: async ({ text }: Statement, values: readonly unknown[]) => {
        plans.push(JSON.stringify(await service.db.query(`explain (analyze, format json) ${text}`, values)));
        return [];
      },
    } as unknown as ServiceUnderTest['db'];

    await listActivity(explaining, tenant, uuidv7());

    expect(plans[0]).toContain('checkout_activity_pkey');
    expect(plans[0]).not.toContain('Seq Scan');
  });
});

function chosen(paymentMethod: CheckoutActivity['paymentMethod'], firstAt: Date, lastAt: Date): CheckoutActivity {
  return {
    action: 'method_chosen',
    paymentMethod,
    outcome: null,
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  };
}
