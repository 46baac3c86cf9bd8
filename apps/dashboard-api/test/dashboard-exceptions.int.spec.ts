import { randomUUID } from 'node:crypto';
import { failOnLeaks } from '@pay/testing';
import { aUser, openShop, type Shop } from './dashboard-under-test';
import { KnownExceptions } from './known-exceptions';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('exceptions at the dashboard', () => {
  const reconciler = new KnownExceptions();
  let service: ServiceUnderTest;
  let shop: Shop;
  beforeAll(async () => {
    service = await startService({ reconciler });
    shop = await openShop(service);
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    reconciler.answer = (item) => ({ refusal: null, item: { ...item, status: 'CLOSED', kind: null } });
  });

  const at = (id: string, action: string) => `/v1/dashboard/exceptions/${id}/${action}`;
  const reason = 'The customer has shown us the receipt';
  const log = async (id: string) => (await service.audited(id)).map(({ action }) => action);

  it('the reconciler receives the actor, and the audit log contains the request and its result, with before and after', async () => {
    const id = reconciler.add(shop.merchantId);
    const { REVIEWER } = shop.people;

    const { status, body } = await REVIEWER.post(at(id, 'resolve'), { reason });

    expect({ status, body }).toMatchObject({ status: 200, body: { id, status: 'CLOSED' } });
    const { actor, action } = reconciler.asked.at(-1) ?? {};
    expect(actor).toBe(`${REVIEWER.userId}:REVIEWER`);
    expect(action).toMatchObject({ action: 'resolve', reason });
    const [asked, done] = await service.audited(id);
    expect(asked).toMatchObject({
      actor: `user:${REVIEWER.userId}`,
      action: 'exception.resolve_asked',
      environment: 'SANDBOX',
      before: { status: 'OPEN', receivedAmount: '450' },
      after: { requestId: action?.requestId, reason },
    });
    expect(done).toMatchObject({
      action: 'exception.resolved',
      before: { status: 'OPEN' },
      after: { status: 'CLOSED' },
    });
    expect(JSON.stringify([asked, done])).not.toMatch(/DKL4A1B2C3|01812345678/);
  });

  it('the item and the audit log contain the doubts about the text, and whether money was paid in time', async () => {
    const doubts = ['forgery_signals', 'balance_break'];
    const given = { reason: 'late_payment', kind: 'late_payment', doubts, paidInTime: true } as const;
    const id = reconciler.add(shop.merchantId, given);

    expect((await shop.people.VIEWER.get(`/v1/dashboard/exceptions/${id}`)).body).toMatchObject(given);
    await shop.people.REVIEWER.post(at(id, 'resolve'), { reason });

    for (const { before } of await service.audited(id)) {
      expect(before).toMatchObject({ matchReason: 'late_payment', doubts, paidInTime: true });
    }
  });

  it('an action whose response was lost is in the audit log, with instructions to repeat it', async () => {
    const id = reconciler.add(shop.merchantId);
    reconciler.answer = () => 'lost';

    const { status, body } = await shop.people.REVIEWER.post(at(id, 'refunded'), { reason });

    const { requestId } = reconciler.asked.at(-1)?.action ?? {};
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    expect(body.message).toContain(requestId);
    expect(await service.audited(id)).toMatchObject([{ action: 'exception.refunded_asked', after: { requestId } }]);

    reconciler.answer = (item) => ({ refusal: null, item });
    await shop.people.REVIEWER.post(at(id, 'refunded'), { reason, requestId });
    expect(reconciler.asked.at(-1)?.action.requestId).toBe(requestId);
    expect((await log(id)).at(-1)).toBe('exception.refunded');
  });

  it('a refusal is passed on unchanged, and the audit log records that nothing was done', async () => {
    const id = reconciler.add(shop.merchantId);
    const message = 'The exception has already been decided. By user 7.';
    reconciler.answer = (item) => ({ refusal: { code: 'EXCEPTION_DECIDED', message }, item });

    const answer = await shop.people.ADMIN.post(at(id, 'reject'), { reason });

    expect(answer).toEqual({ status: 409, body: { code: 'EXCEPTION_DECIDED', message } });
    expect(await log(id)).toEqual(['exception.reject_asked', 'exception.reject_refused']);
  });

  it('only a person with permission to decide can be assigned', async () => {
    const id = reconciler.add(shop.merchantId);
    const { REVIEWER, VIEWER } = shop.people;
    const elsewhere = await openShop(service);
    const assign = (assigneeId: string) => REVIEWER.post(at(id, 'assign'), { reason, assigneeId });

    for (const userId of [VIEWER.userId, elsewhere.people.REVIEWER.userId, randomUUID()]) {
      expect(await assign(userId)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', message: 'assigneeId: must be a person of the merchant who may decide' },
      });
    }
    expect(await log(id)).toEqual([]);
    expect((await assign(await aUser(service, shop.merchantId, 'REVIEWER'))).status).toBe(200);
  });

  it('an action needs a reason, and half an acknowledgement is a question', async () => {
    const id = reconciler.add(shop.merchantId);

    const { body } = await shop.people.OWNER.post(at(id, 'link'), { reason: ' ', acknowledgeAmountDifference: false });

    expect(body.message).toEqual([
      'reason must not be empty',
      'acknowledgeAmountDifference must be true or absent',
      'paymentIntentId is required and must be a UUID',
    ]);
  });
});

it('while the reconciler is down, exceptions are answered 503 and nothing is noted', async () => {
  const service = await startService();
  const { people, merchantId } = await openShop(service);
  const id = randomUUID();

  const answers = [
    await people.VIEWER.get('/v1/dashboard/exceptions'),
    await people.VIEWER.get(`/v1/dashboard/exceptions/${id}`),
    await people.OWNER.post(`/v1/dashboard/exceptions/${id}/not-ours`, { reason: 'No order of ours' }),
  ];

  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
    [1, 2, 3].map(() => [503, 'SERVICE_UNAVAILABLE']),
  );
  const noted = 'select 1 from audit_log where merchant_id = $1 and subject_kind = $2';
  expect(await service.db.query(noted, [merchantId, 'exception'])).toEqual([]);
  await service.stop();
});
