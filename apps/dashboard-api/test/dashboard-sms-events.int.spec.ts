import { ServiceCallFailed } from '@pay/http';
import { failOnLeaks } from '@pay/testing';
import { openShop, type Shop } from './dashboard-under-test';
import { KnownExceptions } from './known-exceptions';
import { KnownSms } from './known-sms';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('SMS at the dashboard', () => {
  const smsIngest = new KnownSms();
  const reconciler = new KnownExceptions();
  const decisions = { isAway: false };
  let service: ServiceUnderTest;
  let shop: Shop;
  beforeAll(async () => {
    service = await startService({
      smsIngest,
      reconciler: {
        request: (method, path, request) =>
          decisions.isAway
            ? Promise.reject(new ServiceCallFailed('unavailable', 'reconciler', 'no answer'))
            : reconciler.request(method, path, request),
      },
    });
    shop = await openShop(service);
  });
  afterAll(() => service.stop());

  const at = (id: string, part = '') => `/v1/dashboard/sms/${id}${part}`;

  it('an SMS is shown without its decision while the reconciler does not answer', async () => {
    const id = smsIngest.add(shop.merchantId);

    const known = await shop.people.VIEWER.get(at(id));
    decisions.isAway = true;
    const unknown = await shop.people.VIEWER.get(at(id));
    decisions.isAway = false;

    expect(known).toMatchObject({ status: 200, body: { id, match: null, missing: [] } });
    expect(unknown).toMatchObject({ status: 200, body: { id, match: null, missing: ['match'] } });
  });

  it('the values that the parser read begin with `parsed` in every answer', async () => {
    const { people, merchantId } = await openShop(service);
    const id = smsIngest.add(merchantId, { amount: '500', trxId: 'DKL4TEA001', balance: '10500' });
    const inList = { parsedAmount: '500', parsedTrxId: 'DKL4TEA001', parsedReference: null, parsedSenderMsisdn: null };
    const all = { ...inList, parsedBalance: '10500', parsedFee: null, parsedCommission: null };

    const answers = {
      list: await people.VIEWER.get('/v1/dashboard/sms'),
      one: await people.VIEWER.get(at(id)),
      reported: await people.ADMIN.post(at(id, '/report')),
      reparsed: await people.ADMIN.post(at(id, '/reparse'), {}),
    };

    expect(answers).toMatchObject({
      list: { status: 200, body: { data: [{ id, ...inList }] } },
      one: { status: 200, body: { id, ...all } },
      reported: { status: 200, body: { id, ...all } },
      reparsed: { status: 200, body: { before: all, after: null } },
    });
    expect(JSON.stringify(answers)).not.toMatch(/"(amount|fee|commission|balance|trxId|reference|senderMsisdn)":/);
  });

  it('the audit log contains who parsed an SMS again and who reported it, without values of the SMS; a dry run leaves no entry', async () => {
    const id = smsIngest.add(shop.merchantId, { trxId: 'DKL4TEA001', senderMsisdn: '01711000999' });

    await shop.people.ADMIN.post(at(id, '/reparse'), {});
    expect(await service.audited(id)).toEqual([]);
    await shop.people.ADMIN.post(at(id, '/reparse'), { dryRun: false });
    await shop.people.REVIEWER.post(at(id, '/report'));

    const entries = await service.audited(id);
    expect(entries).toMatchObject([
      {
        action: 'sms_event.reparsed',
        environment: 'SANDBOX',
        before: { status: 'UNPARSED' },
        after: { dryRun: false },
      },
      { action: 'sms_event.reported', actor: `user:${shop.people.REVIEWER.userId}`, before: { reportedAt: null } },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/DKL4TEA001|01711000999/);
  });
});
