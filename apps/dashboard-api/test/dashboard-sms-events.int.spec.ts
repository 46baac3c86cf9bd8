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
  afterEach(() => (smsIngest.refusal = undefined));

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

  it('the audit log contains who parsed an SMS again or reported it, and the result, without values of the SMS; a dry run leaves no entry', async () => {
    const id = smsIngest.add(shop.merchantId, { trxId: 'DKL4TEA001', senderMsisdn: '01711000999' });

    await shop.people.ADMIN.post(at(id, '/reparse'), {});
    expect(await service.audited(id)).toEqual([]);
    await shop.people.ADMIN.post(at(id, '/reparse'), { dryRun: false });
    await shop.people.REVIEWER.post(at(id, '/report'));

    const entries = await service.audited(id);
    const reparsed = { environment: 'SANDBOX', before: { status: 'UNPARSED' } };
    const reported = { actor: `user:${shop.people.REVIEWER.userId}`, before: { reportedAt: null } };
    expect(entries).toMatchObject([
      { action: 'sms_event.reparsed_asked', ...reparsed, after: { dryRun: false } },
      { action: 'sms_event.reparsed', ...reparsed, after: { outcome: 'unchanged' } },
      { action: 'sms_event.reported_asked', ...reported, after: {} },
      { action: 'sms_event.reported', ...reported, after: { reportedAt: expect.any(String) } },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/DKL4TEA001|01711000999/);
  });

  it('the audit log contains how many SMS were parsed again', async () => {
    const body = { environment: 'SANDBOX', dryRun: false, limit: 100 };

    expect((await shop.people.ADMIN.post('/v1/dashboard/sms-events/reparse', body)).status).toBe(200);

    const entries = (await service.audited(shop.merchantId)).filter(({ action }) => action.startsWith('sms_events.'));
    expect(entries).toMatchObject([
      { action: 'sms_events.reparsed_asked', environment: 'SANDBOX', after: { dryRun: false, limit: 100 } },
      { action: 'sms_events.reparsed', after: { examined: 3, changed: 2, unchanged: 1 } },
    ]);
  });

  describe('the audit log contains no result of a call', () => {
    const entriesOf = async (id: string) =>
      (await service.audited(id)).map(({ action, after }): [string, unknown] => [action, after]);
    const call = async (id: string, status: number) => {
      expect((await shop.people.ADMIN.post(at(id, '/reparse'), { dryRun: false })).status).toBe(status);
      expect((await shop.people.ADMIN.post(at(id, '/report'))).status).toBe(status);
    };

    it('that sms-ingest refuses, but that it was refused', async () => {
      const id = smsIngest.add(shop.merchantId);
      smsIngest.refusal = new ServiceCallFailed('rejected', 'sms-ingest', 'answered 404', 404, 'NOT_FOUND');

      await call(id, 404);

      expect(await entriesOf(id)).toEqual([
        ['sms_event.reparsed_asked', { dryRun: false }],
        ['sms_event.reparsed_refused', { code: 'NOT_FOUND' }],
        ['sms_event.reported_asked', {}],
        ['sms_event.reported_refused', { code: 'NOT_FOUND' }],
      ]);
    });

    it('that sms-ingest does not answer', async () => {
      const { people, merchantId } = await openShop(service);
      const id = smsIngest.add(shop.merchantId);
      smsIngest.refusal = new ServiceCallFailed('unavailable', 'sms-ingest', 'no answer');

      await call(id, 503);
      const many = await people.ADMIN.post('/v1/dashboard/sms-events/reparse', {
        environment: 'SANDBOX',
        dryRun: false,
      });

      expect(many.status).toBe(503);
      const found = [...(await entriesOf(id)), ...(await entriesOf(merchantId))].map(([action]) => action);
      expect(found.filter((action) => action.startsWith('sms_'))).toEqual([
        'sms_event.reparsed_asked',
        'sms_event.reported_asked',
        'sms_events.reparsed_asked',
      ]);
    });
  });
});
