import type { ReceiverAccountFact, Tenant, TenantFacts } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { sameTenant } from '../src/domain/facts';
import { failUnpayable, type FailUnpayableDeps } from '../src/expiry/fail-unpayable';
import { decideBatch } from '../src/matching/decide-batch';
import { intentArrives, smsArrives } from './builders';
import { money, showing, type Shop } from './shop-with-wallets';
import { changed, closed, event, openSwitchOffs, reopened, type SwitchOffsUnderTest } from './switch-offs-under-test';

const never = new AbortController().signal;

let session: SwitchOffsUnderTest['session'];
let deps: SwitchOffsUnderTest['deps'];
let deliver: SwitchOffsUnderTest['deliver'];
let decideArrivals: SwitchOffsUnderTest['decideArrivals'];
let later: SwitchOffsUnderTest['later'];
let aShop: SwitchOffsUnderTest['aShop'];
let statuses: SwitchOffsUnderTest['statuses'];
let failuresOf: SwitchOffsUnderTest['failuresOf'];
beforeAll(async () => {
  ({ session, deps, deliver, decideArrivals, later, aShop, statuses, failuresOf } = await openSwitchOffs());
});
afterAll(() => session.close());
failOnLeaks();

describe('a receiver account that is switched off', () => {
  it('fails exactly the intents that can no longer be paid, and publishes the decisions', async () => {
    const shop = await aShop();
    const lost = showing(shop, shop.bkash);
    const spared = [showing(shop, shop.nagad), showing(shop, shop.bkash, shop.nagad), showing(shop)];
    const paid = showing(shop, shop.bkash);
    const other = await aShop();
    const theirs = showing(other, other.bkash);
    await decideArrivals(...[lost, ...spared, paid, theirs].map(intentArrives));
    await decideArrivals(smsArrives(money(shop, paid.referenceKey, shop.bkash)));

    await deliver(closed(shop.bkash));
    await failUnpayable(deps, never);

    expect(await statuses(lost, ...spared, paid, theirs)).toEqual([
      ...['FAILED', 'PENDING', 'PENDING', 'PENDING', 'PAID', 'PENDING'],
    ]);
    const [published, ...more] = await failuresOf(lost, ...spared, paid, theirs);
    expect(more).toEqual([]);
    expect(published).toMatchObject({ ...shop.tenant, sequence: 1, aggregateId: published?.data.matchId });
    expect(published?.data).toEqual({
      matchId: published?.data.matchId,
      matchStatus: 'FAILED',
      path: null,
      reason: 'receiver_switched_off',
      checks: null,
      decidedBy: 'system',
      paymentIntentId: lost.id,
      sms: null,
      evidence: null,
      intent: { id: lost.id, status: 'FAILED', sequence: 1 },
    });
  });

  it('fails an intent without a chosen method when it was the last', async () => {
    const shop = await aShop();
    const open = showing(shop);
    await decideArrivals(intentArrives(open));

    await deliver(closed(shop.bkash));
    await failUnpayable(deps, never);
    expect(await statuses(open)).toEqual(['PENDING']);

    await deliver(event('receiver_account.changed', changed(shop.nagad, { deleted: true })));
    await failUnpayable(deps, never);
    expect(await statuses(open)).toEqual(['FAILED']);
  });

  it('fails each of many intents once when several processes work on it', async () => {
    const shop = await aShop();
    const intents = Array.from({ length: 330 }, () => showing(shop, shop.bkash));
    await decideArrivals(...intents.map(intentArrives));

    await deliver(closed(shop.bkash));
    await Promise.all(Array.from({ length: 4 }, () => failUnpayable(deps, never)));
    await later();
    await failUnpayable(deps, never);

    expect(new Set(await statuses(...intents))).toEqual(new Set(['FAILED']));
    expect(await failuresOf(...intents)).toHaveLength(330);
    expect(await session.db.query('select 1 from switch_offs')).toEqual([]);
  });

  it('is continued after the last page of a process that died', async () => {
    const shop = await aShop();
    const intents = Array.from({ length: 180 }, () => showing(shop, shop.bkash));
    await decideArrivals(...intents.map(intentArrives));
    await deliver(closed(shop.bkash));
    const failed = async () => (await statuses(...intents)).filter((status) => status === 'FAILED').length;
    const dying: FailUnpayableDeps = {
      ...deps,
      messaging: {
        ...deps.messaging,
        async publish(tx, drafts) {
          await session.deps.messaging.publish(tx, drafts);
          if ((await failed()) === 100) throw Object.assign(new Error('the process ends here'), { code: 'ECONNRESET' });
        },
      },
    };

    await expect(failUnpayable(dying, never)).rejects.toThrow('the process ends here');
    expect(await failed()).toBe(100);
    await later();
    await failUnpayable(deps, never);

    expect(await failed()).toBe(180);
    expect(await failuresOf(...intents)).toHaveLength(180);
  });

  it('fails the others when the decision about one of them fails, which is tried again later', async () => {
    const shop = await aShop();
    const intents = Array.from({ length: 9 }, () => showing(shop, shop.bkash));
    await decideArrivals(...intents.map(intentArrives));
    await deliver(closed(shop.bkash));
    const [failing, ...others] = intents;
    if (failing === undefined) throw new Error('an intent is needed');
    const refusing: FailUnpayableDeps = {
      ...deps,
      messaging: {
        ...deps.messaging,
        publish: (tx, drafts) =>
          JSON.stringify(drafts).includes(failing.id)
            ? Promise.reject(new Error('refused by the test'))
            : session.deps.messaging.publish(tx, drafts),
      },
    };

    await failUnpayable(refusing, never);

    expect(await statuses(failing)).toEqual(['PENDING']);
    expect(new Set(await statuses(...others))).toEqual(new Set(['FAILED']));
    const logged = session.lines.filter(({ msg }) => msg === 'switch_off.failed');
    expect(new Set(logged.map(({ intentId }) => intentId))).toEqual(new Set([failing.id]));

    await session.db.execute('delete from switch_offs where payment_intent_id is null');
    await later();
    await failUnpayable(refusing, never);
    expect(await statuses(failing)).toEqual(['PENDING']);
    await later();
    await failUnpayable(deps, never);

    expect(await statuses(failing)).toEqual(['FAILED']);
  });

  it('fails no intent when it is switched on again before the first look', async () => {
    const shop = await aShop();
    const intent = showing(shop, shop.bkash);
    await decideArrivals(intentArrives(intent));

    await deliver(closed(shop.bkash));
    await deliver(reopened(shop.bkash));
    await failUnpayable(deps, never);

    expect(await statuses(intent)).toEqual(['PENDING']);
  });

  it('fails no intent when it is switched on again while its intents are being locked', async () => {
    const shop = await aShop();
    const intent = showing(shop, shop.bkash);
    await decideArrivals(intentArrives(intent));
    await deliver(closed(shop.bkash));
    let looks = 0;

    await failUnpayable(
      {
        ...deps,
        directory: {
          ...deps.directory,
          async tenantCopy(tx, tenant) {
            const copy = await deps.directory.tenantCopy(tx, tenant);
            if (sameTenant(tenant, shop.tenant) && ++looks === 1) await deliver(reopened(shop.bkash));
            return copy;
          },
        },
      },
      never,
    );

    expect(looks).toBeGreaterThanOrEqual(2);
    expect(await statuses(intent)).toEqual(['PENDING']);
  });

  it('and money for its intent have exactly one outcome', async () => {
    const shop = await aShop();
    for (let round = 0; round < 30; round += 1) {
      const intent = showing(shop, shop.bkash);
      const sms = money(shop, intent.referenceKey, shop.bkash);
      await deliver(reopened(shop.bkash, 2 * round + 2));
      await failUnpayable(deps, never);
      await decideArrivals(intentArrives(intent));
      await deliver(closed(shop.bkash, 2 * round + 3));

      const both = [() => failUnpayable(deps, never), () => decideArrivals(smsArrives(sms))];
      await Promise.all((round % 2 === 0 ? both : both.reverse()).map((start) => start()));

      const [status] = await statuses(intent);
      const match = await session.matchOf(sms.smsEventId);
      expect([status, match?.['status'], match?.['reason']]).toEqual(
        status === 'PAID' ? ['PAID', 'MATCHED', 'reference_match'] : ['FAILED', 'REVIEW_REQUIRED', 'intent_closed'],
      );
      const published = (await session.announced()).filter(
        ({ data }) => 'intent' in data && data.intent !== null && data.intent.id === intent.id,
      );
      expect(published).toHaveLength(1);
    }
  });

  it('fails an intent whose event arrives after the switch-off', async () => {
    const shop = await aShop();
    const late = showing(shop, shop.bkash);
    await deliver(closed(shop.bkash));
    await failUnpayable(deps, never);
    await later();
    await failUnpayable(deps, never);

    await decideArrivals(intentArrives(late));
    await failUnpayable(deps, never);
    expect(await statuses(late)).toEqual(['PENDING']);
    await later();
    await failUnpayable(deps, never);

    expect(await statuses(late)).toEqual(['FAILED']);
  });

  it('fails an intent that was recorded with older facts during the first look', async () => {
    const shop = await aShop();
    const intent = showing(shop, shop.bkash);
    await session.db.transaction(async (tx) => {
      await decideBatch(deps, tx, [intentArrives(intent)]);
      await deliver(closed(shop.bkash));
      await failUnpayable(deps, never);
    });
    expect(await statuses(intent)).toEqual(['PENDING']);

    await later();
    await failUnpayable(deps, never);

    expect(await statuses(intent)).toEqual(['FAILED']);
  });

  it('fails no intent while the directory copy is not complete', async () => {
    const shop = await aShop();
    const intent = showing(shop, shop.bkash);
    await decideArrivals(intentArrives(intent));
    await deliver(closed(shop.bkash));
    await session.db.execute('update directory_resends set completed_at = null');

    await failUnpayable(deps, never);
    expect(await statuses(intent)).toEqual(['PENDING']);

    await session.db.execute('update directory_resends set completed_at = now()');
    await later();
    await failUnpayable(deps, never);
    expect(await statuses(intent)).toEqual(['FAILED']);
  });
});

describe('a switch-off that the copy knows and dashboard-api has undone', () => {
  const ownerOf =
    (shop: Shop, ...receiverAccounts: ReceiverAccountFact[]) =>
    (tenant: Tenant): Promise<TenantFacts | undefined> =>
      sameTenant(tenant, shop.tenant)
        ? Promise.resolve({ merchant: shop.merchant, receiverAccounts })
        : deps.askTenantFacts(tenant);

  it('fails no intent, although the fact that undoes it has not reached the copy', async () => {
    const shop = await aShop();
    const intent = showing(shop, shop.bkash);
    await deliver(closed(shop.bkash));
    await decideArrivals(intentArrives(intent));

    await later();
    await failUnpayable({ ...deps, askTenantFacts: ownerOf(shop, changed(shop.bkash, {}, 3), shop.nagad) }, never);

    expect(await statuses(intent)).toEqual(['PENDING']);
  });

  it('fails no intent while dashboard-api does not answer, and fails it when dashboard-api confirms', async () => {
    const shop = await aShop();
    const intent = showing(shop, shop.bkash);
    await decideArrivals(intentArrives(intent));
    await deliver(closed(shop.bkash));

    await failUnpayable({ ...deps, askTenantFacts: () => Promise.resolve(undefined) }, never);
    expect(await statuses(intent)).toEqual(['PENDING']);
    await failUnpayable(deps, never);
    await later();
    await failUnpayable(deps, never);

    expect(await statuses(intent)).toEqual(['FAILED']);
  });

  it('fails no intent when the newer fact reaches the copy after dashboard-api has answered', async () => {
    const shop = await aShop();
    const intent = showing(shop, shop.bkash);
    await decideArrivals(intentArrives(intent));
    await deliver(closed(shop.bkash));
    const before = ownerOf(shop, changed(shop.bkash, { isActive: false }), shop.nagad);

    await failUnpayable(
      {
        ...deps,
        async askTenantFacts(tenant) {
          const answer = await before(tenant);
          if (sameTenant(tenant, shop.tenant)) await deliver(reopened(shop.bkash));
          return answer;
        },
      },
      never,
    );

    expect(await statuses(intent)).toEqual(['PENDING']);
  });

  it('is processed by one process; another continues when its lease is over', async () => {
    const shop = await aShop();
    const intent = showing(shop, shop.bkash);
    await decideArrivals(intentArrives(intent));
    await deliver(closed(shop.bkash));

    await failUnpayable(
      {
        ...deps,
        async askTenantFacts(tenant) {
          const answer = await deps.askTenantFacts(tenant);
          if (!sameTenant(tenant, shop.tenant)) return answer;
          await later();
          await failUnpayable(deps, never);
          return answer;
        },
      },
      never,
    );

    expect(await statuses(intent)).toEqual(['FAILED']);
    expect(await failuresOf(intent)).toHaveLength(1);
  });
});

describe('a merchant', () => {
  it('that is switched off loses all pending intents; later money opens an exception', async () => {
    const shop = await aShop('SANDBOX');
    const intents = [showing(shop, shop.bkash), showing(shop, shop.bkash, shop.nagad), showing(shop)];
    await decideArrivals(...intents.map(intentArrives));

    await deliver(event('merchant.changed', changed(shop.merchant, { isActive: false })));
    await failUnpayable(deps, never);
    const sms = money(shop, intents[0]?.referenceKey ?? '', shop.bkash);
    await decideArrivals(smsArrives(sms));

    expect(await statuses(...intents)).toEqual(['FAILED', 'FAILED', 'FAILED']);
    expect((await failuresOf(...intents)).map(({ data }) => data.reason)).toEqual(
      intents.map(() => 'merchant_switched_off'),
    );
    expect(await session.matchOf(sms.smsEventId)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'intent_closed' });
  });

  it('that disables a method loses the intents that show no other method', async () => {
    const shop = await aShop();
    const [bkash, both, open] = [showing(shop, shop.bkash), showing(shop, shop.bkash, shop.nagad), showing(shop)];
    await decideArrivals(...[bkash, both, open].map(intentArrives));

    await deliver(event('merchant.changed', changed(shop.merchant, { enabledMethods: ['NAGAD_SEND_MONEY'] })));
    await failUnpayable(deps, never);

    expect(await statuses(bkash, both, open)).toEqual(['FAILED', 'PENDING', 'PENDING']);
    expect(await failuresOf(bkash, both, open)).toMatchObject([{ data: { reason: 'method_disabled' } }]);
  });
});

describe('money for a receiver that was closed before', () => {
  it('pays an open intent that has shown this receiver and another one', async () => {
    const shop = await aShop();
    const intent = showing(shop, shop.bkash, shop.nagad);
    await decideArrivals(intentArrives(intent));
    await deliver(closed(shop.bkash));
    await failUnpayable(deps, never);

    await decideArrivals(smsArrives(money(shop, intent.referenceKey, shop.bkash)));

    expect(await statuses(intent)).toEqual(['PAID']);
  });

  it('opens an exception when the intent has shown no other receiver and has failed', async () => {
    const shop = await aShop();
    const intent = showing(shop, shop.bkash);
    const sms = money(shop, intent.referenceKey, shop.bkash);
    await decideArrivals(intentArrives(intent));
    await deliver(closed(shop.bkash));
    await failUnpayable(deps, never);

    await decideArrivals(smsArrives(sms));

    expect(await statuses(intent)).toEqual(['FAILED']);
    expect(await session.matchOf(sms.smsEventId)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'intent_closed' });
  });

  it('does not pay an intent for which no method was chosen', async () => {
    const shop = await aShop();
    const intent = showing(shop);
    const sms = money(shop, intent.referenceKey, shop.bkash);
    await decideArrivals(intentArrives(intent));

    await deliver(closed(shop.bkash));
    await decideArrivals(smsArrives(sms));

    expect(await statuses(intent)).toEqual(['PENDING']);
    expect(await session.matchOf(sms.smsEventId)).toMatchObject({
      status: 'REVIEW_REQUIRED',
      reason: 'wrong_receiver',
    });
  });

  it('does not pay an intent without a chosen method of a merchant that is switched off', async () => {
    const shop = await aShop();
    const intent = showing(shop);
    await decideArrivals(intentArrives(intent));

    await deliver(event('merchant.changed', changed(shop.merchant, { isActive: false })));
    await decideArrivals(smsArrives(money(shop, intent.referenceKey, shop.bkash)));
    expect(await statuses(intent)).toEqual(['PENDING']);
    await failUnpayable(deps, never);

    expect(await statuses(intent)).toEqual(['FAILED']);
  });
});
