import { randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import pg from 'pg';
import { ControlPlane } from '../src/control-plane';
import { PublicApi, type Intent } from '../src/merchant-client';
import { ownMerchant, type OwnMerchant } from '../src/own-merchant';
import { RawApi } from '../src/raw-api';
import { databaseOf, readSystem } from '../src/system';
import { bkashSendMoney, newTrxId } from '../src/wallet-texts';
import { WebhookReceiver } from '../src/webhook-receiver';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const SECRET = 'review-endpoint-secret';
const MINUTE = 60_000;

interface Item {
  readonly id: string;
  readonly kind: string;
  readonly reason: string;
  readonly paidInTime: boolean | null;
  readonly paymentIntentId: string | null;
}

interface Suggestions {
  readonly suggestions: readonly { readonly kind: string; readonly paymentIntentIds: readonly string[] }[];
}

describe('doubtful payments, settled by a reviewer', () => {
  const system = readSystem(RUN_DIRECTORY);
  const controlPlane = new ControlPlane(RUN_DIRECTORY);
  const api = new PublicApi(system.baseUrl);
  const rawApi = new RawApi(system.baseUrl);
  let merchant: OwnMerchant;
  let receiver: WebhookReceiver;
  let reviewer: { readonly id: string; readonly headers: Record<string, string> };

  beforeAll(async () => {
    merchant = await ownMerchant(system, controlPlane);
    receiver = await WebhookReceiver.listen(SECRET);
    expect((await api.registerEndpoint(merchant.sandbox, receiver.url, SECRET)).status).toBe(201);
    const email = `${randomUUID()}@shop.example`;
    const options = { merchant: merchant.id, email, role: 'REVIEWER' };
    const made = await controlPlane.run<{ userId: string; password: string }>('create-user', options);
    reviewer = {
      id: made.userId,
      headers: { authorization: `Bearer ${await rawApi.signIn(email, made.password)}` },
    };
  });

  afterAll(async () => {
    await api.close();
    await rawApi.close();
    await receiver.close();
  });

  async function newIntent(): Promise<Intent> {
    const fields = { amount: 500, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY' };
    const reply = await api.createIntent(merchant.sandbox, fields);
    expect(reply.status).toBe(201);
    return reply.body;
  }

  async function moneyFor(intent: Intent, { amount = '500', at = new Date() } = {}): Promise<void> {
    const message = bkashSendMoney({ amount, reference: intent.customerReference, trxId: newTrxId(at), at });
    const sent = await api.forwardSms(merchant.sandbox, {
      sender: 'bKash',
      message,
      receiverMsisdn: intent.receiverMsisdn,
    });
    expect(sent.status).toBe(202);
  }

  const dashboard = <Body>(method: string, path: string, body?: unknown) =>
    api.call<Body>(method, `/v1/dashboard${path}`, reviewer.headers, body);

  function exceptionAbout({ id }: Intent): Promise<Item> {
    return eventually(async () => {
      const { body } = await dashboard<{ data: Item[] }>('GET', '/exceptions?environment=SANDBOX&limit=100');
      return body.data.find(({ paymentIntentId }) => paymentIntentId === id);
    }, 'the exception is in the queue');
  }

  const decide = (item: Item, action: string, body: object = {}) =>
    dashboard<{ code?: string; intentStatus?: string; message: string }>('POST', `/exceptions/${item.id}/${action}`, {
      reason: 'The customer called',
      ...body,
    });
  const statusOf = async ({ id }: Intent) => (await api.getIntent(merchant.sandbox, id)).body.status;

  /** The clock of one intent, put forward where it is watched. */
  async function letExpire({ id }: Intent): Promise<void> {
    const client = new pg.Client({ connectionString: databaseOf(system, 'reconciler') });
    await client.connect();
    const sql = `update reconciler.intents set expires_at = now() - interval '10 seconds' where id = $1`;
    await eventually(async () => (await client.query(sql, [id])).rowCount === 1, 'the intent is watched');
    await client.end();
    await receiver.next('payment.expired', id);
  }

  test('50 taka too little: the merchant receives the review, and the payment once it is approved with both amounts', async () => {
    const intent = await newIntent();
    await moneyFor(intent, { amount: '450' });
    expect(await receiver.next('payment.review_required', intent.id)).toMatchObject({ isGenuine: true });
    const item = await exceptionAbout(intent);
    expect(item).toMatchObject({ kind: 'amount_differs', reason: 'reference_match_amount_mismatch' });

    expect(await decide(item, 'resolve')).toMatchObject({ status: 409, body: { code: 'AMOUNT_DIFFERS' } });
    const amounts = { acknowledgeAmountDifference: true, expectedAmount: '500', receivedAmount: '450' };
    const approved = await decide(item, 'resolve', amounts);

    expect(approved).toMatchObject({ status: 200, body: { status: 'CLOSED', intentStatus: 'PAID' } });
    expect(await statusOf(intent)).toBe('PAID');
    expect(await receiver.next('payment.paid', intent.id)).toMatchObject({ isGenuine: true, status: 'PAID' });
    const again = await decide(item, 'reject');
    expect(again).toMatchObject({ status: 409, body: { code: 'EXCEPTION_DECIDED' } });
    expect(again.body.message).toContain(reviewer.id);
  });

  test('money that was paid in time and reported late is approved by one click', async () => {
    const intent = await newIntent();
    await letExpire(intent);
    await moneyFor(intent, { at: new Date(Date.now() - 2 * MINUTE) });
    const item = await exceptionAbout(intent);
    expect(item).toMatchObject({ kind: 'late_payment', paidInTime: true });
    expect(await statusOf(intent)).toBe('EXPIRED');

    expect((await decide(item, 'resolve')).status).toBe(200);

    expect(await statusOf(intent)).toBe('PAID');
    await receiver.next('payment.paid', intent.id);
  });

  test('a second payment, and parts of one payer that add up, are shown as such, and change nothing without a reviewer', async () => {
    const [paid, inParts] = [await newIntent(), await newIntent()];
    await moneyFor(paid);
    await receiver.next('payment.paid', paid.id);
    await moneyFor(paid);
    const again = await exceptionAbout(paid);
    for (const amount of ['200', '300']) await moneyFor(inParts, { amount });
    const suggestedFor = async ({ id }: Item) =>
      (await dashboard<Suggestions>('GET', `/exceptions/${id}`)).body.suggestions.map(({ kind, paymentIntentIds }) => [
        kind,
        ...paymentIntentIds,
      ]);

    expect(again).toMatchObject({ kind: 'paid_twice', reason: 'intent_already_paid' });
    expect(await suggestedFor(again)).toContainEqual(['already_paid', paid.id]);
    const part = await exceptionAbout(inParts);
    await eventually(async () => {
      const suggested = await suggestedFor(part);
      return suggested.some(([kind, id]) => kind === 'parts_add_up' && id === inParts.id) ? true : undefined;
    }, 'the parts add up');
    await eventually(async () => (await statusOf(inParts)) === 'REVIEW_REQUIRED', 'the intent awaits its review');
    const { body } = await dashboard<{ data: Item[] }>('GET', '/exceptions?environment=SANDBOX&order=oldest&limit=100');
    const order = body.data.map(({ id }) => id);
    expect(order.indexOf(again.id)).toBeLessThan(order.indexOf(part.id));
  });

  test('a rejection is published as rejected, and is in the audit log with its reason', async () => {
    const intent = await newIntent();
    await moneyFor(intent, { amount: '5' });
    const item = await exceptionAbout(intent);

    expect((await decide(item, 'reject')).status).toBe(200);

    expect(await statusOf(intent)).toBe('REJECTED');
    expect(await receiver.next('payment.rejected', intent.id)).toMatchObject({ status: 'REJECTED' });
    const owner = await rawApi.signIn(merchant.owner.email, merchant.owner.password);
    const log = await api.call<{ data: { action: string; actor: string; after: { reason: string } }[] }>(
      ...(['GET', `/v1/dashboard/audit-log?subjectId=${item.id}`, { authorization: `Bearer ${owner}` }] as const),
    );
    expect(log.body.data[0]).toMatchObject({
      action: 'exception.rejected',
      actor: `user:${reviewer.id}`,
      after: { reason: 'The customer called' },
    });
  });
});
