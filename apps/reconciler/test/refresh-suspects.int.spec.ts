import { BusinessError, formatAmount, type InternalIntent, type ReceiverAccountFact } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import type { Intent } from '../src/domain/facts';
import { failUnpayable } from '../src/expiry/fail-unpayable';
import { intentArrives, smsArrives } from './builders';
import { money, showing } from './shop-with-wallets';
import { changed, closed, event, openSwitchOffs, type SwitchOffsUnderTest } from './switch-offs-under-test';

const never = new AbortController().signal;

let session: SwitchOffsUnderTest['session'];
let deps: SwitchOffsUnderTest['deps'];
let deliver: SwitchOffsUnderTest['deliver'];
let decideArrivals: SwitchOffsUnderTest['decideArrivals'];
let later: SwitchOffsUnderTest['later'];
let aShop: SwitchOffsUnderTest['aShop'];
let statuses: SwitchOffsUnderTest['statuses'];
beforeAll(async () => {
  const opened = await openSwitchOffs();
  ({ session, deliver, decideArrivals, later, aShop, statuses } = opened);
  deps = { ...opened.deps, fetchIntent };
});
afterAll(() => session.close());
failOnLeaks();

/** The latest facts of intents in intent-api; it has deleted all others. */
const ownedIntents = new Map<string, InternalIntent>();
function fetchIntent(id: string): Promise<InternalIntent> {
  const owned = ownedIntents.get(id);
  return owned === undefined ? Promise.reject(new BusinessError('NOT_FOUND')) : Promise.resolve(owned);
}

/** The customer has chosen this wallet since, and its event has not arrived. */
function chosen(intent: Intent, { id: receiverAccountId, paymentMethod }: ReceiverAccountFact): void {
  const snapshot = {
    id: intent.id,
    status: 'PENDING',
    amount: formatAmount(intent.amount),
    customerReference: intent.referenceKey,
    createdAt: intent.createdAt.toISOString(),
    expiresAt: intent.expiresAt.toISOString(),
    shownReceivers: [...intent.shownReceivers, { receiverAccountId, paymentMethod }],
  };
  ownedIntents.set(intent.id, { ...intent.tenant, sequence: 2, intent: snapshot } as unknown as InternalIntent);
}

describe('an intent whose shown receivers are closed', () => {
  const down = () => Promise.reject(new BusinessError('SERVICE_UNAVAILABLE'));
  async function closedFor(count: number) {
    const shop = await aShop();
    const intents = Array.from({ length: count }, () => showing(shop, shop.bkash));
    await decideArrivals(...intents.map(intentArrives));
    await deliver(closed(shop.bkash));
    return { shop, intents };
  }

  it('is not failed when intent-api knows another choice of its customer that has not arrived', async () => {
    const { shop, intents } = await closedFor(2);
    const [rescued, lost] = intents;
    if (rescued === undefined || lost === undefined) throw new Error('two intents are needed');
    chosen(rescued, shop.nagad);

    await failUnpayable(deps, never);
    expect(await statuses(rescued, lost)).toEqual(['PENDING', 'FAILED']);

    await decideArrivals(smsArrives(money(shop, rescued.referenceKey, shop.nagad)));
    expect(await statuses(rescued)).toEqual(['PAID']);
  });

  it('is failed when the other choice is closed too, and that is looked at a limited number of times', async () => {
    const { shop, intents } = await closedFor(1);
    await deliver(closed(shop.nagad));
    for (const intent of intents) chosen(intent, shop.nagad);

    await failUnpayable(deps, never);
    for (let n = 0; n < 3; n += 1) {
      await later();
      await failUnpayable(deps, never);
    }

    expect(await statuses(...intents)).toEqual(['FAILED']);
    expect(await session.db.query('select 1 from switch_offs')).toEqual([]);
  });

  it('waits ten seconds when intent-api cannot return it; the others of the page do not', async () => {
    const { intents } = await closedFor(9);
    const [unreadable, ...others] = intents;
    const fails = (id: string) => (id === unreadable?.id ? down() : fetchIntent(id));

    await failUnpayable({ ...deps, fetchIntent: fails }, never);
    expect(await statuses(...intents)).toEqual(['PENDING', ...others.map(() => 'FAILED')]);

    await session.db.execute('delete from switch_offs where payment_intent_id is null');
    await later();
    await failUnpayable({ ...deps, fetchIntent: fails }, never);
    expect(await statuses(...intents)).toEqual(['PENDING', ...others.map(() => 'FAILED')]);

    await later();
    await failUnpayable(deps, never);
    expect(new Set(await statuses(...intents))).toEqual(new Set(['FAILED']));
  });

  it('is not failed while intent-api does not answer, which is not asked for the whole page', async () => {
    const { intents } = await closedFor(30);
    // Of an earlier change of the merchant; only the switch-off is left.
    await session.db.execute('delete from switch_offs where due_at > now()');
    const [ids, rows] = [
      new Set<string>(),
      () => session.db.query(`select id from switch_offs where environment = 'LIVE' order by id`),
    ];
    const before = await rows();

    await failUnpayable({ ...deps, fetchIntent: (id) => (ids.add(id), down()) }, never);
    expect(new Set(await statuses(...intents))).toEqual(new Set(['PENDING']));
    expect(ids.size).toBeLessThan(15);
    expect(await rows()).toEqual(before);

    await later();
    await failUnpayable(deps, never);
    expect(new Set(await statuses(...intents))).toEqual(new Set(['FAILED']));
  });

  it('is failed without a request to intent-api when its merchant is switched off', async () => {
    const shop = await aShop();
    const intent = showing(shop, shop.bkash);
    await decideArrivals(intentArrives(intent));
    await deliver(event('merchant.changed', changed(shop.merchant, { isActive: false })));

    await failUnpayable({ ...deps, fetchIntent: down }, never);

    expect(await statuses(intent)).toEqual(['FAILED']);
  });
});
