import { randomUUID } from 'node:crypto';
import { ControlPlane } from '../src/control-plane';
import { PublicApi } from '../src/merchant-client';
import { ownMerchant, type OwnAccess } from '../src/own-merchant';
import { readSystem } from '../src/system';
import { bkashSendMoney, newTrxId } from '../src/wallet-texts';
import { WebhookReceiver } from '../src/webhook-receiver';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const SECRET = 'fresh-reads-endpoint-secret';
const PAYMENTS = 2_000;
const WORKERS = 40;
/** Every tenth customer pays a taka too little. */
const DOUBTFUL_EVERY = 10;
/** The progress of an intent. Nothing is reviewed here, so no other status is reached. */
const STAGES = ['PENDING', 'REVIEW_REQUIRED', 'PAID'];

describe('2,000 payments, read at every webhook', () => {
  const system = readSystem(RUN_DIRECTORY);
  const api = new PublicApi(system.baseUrl, 2 * WORKERS);
  const reads: Promise<{ received: string; read: string }>[] = [];
  const paid = new Set<string>();
  const doubtful = new Set<string>();
  let access: OwnAccess;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    access = (await ownMerchant(system, new ControlPlane(RUN_DIRECTORY))).sandbox;
    receiver = await WebhookReceiver.listen(SECRET, ({ intentId, status }) => {
      reads.push(api.getIntent(access, intentId).then(({ body }) => ({ received: status, read: body.status })));
    });
    expect((await api.registerEndpoint(access, receiver.url, SECRET)).status).toBe(201);
  });

  afterAll(async () => {
    await api.close();
    await receiver.close();
  });

  async function pay(isDoubtful: boolean): Promise<void> {
    const fields = { amount: 500, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY', ttlSeconds: 3_600 };
    const created = await api.createIntent(access, fields);
    expect(created).toMatchObject({ status: 201 });
    const intent = created.body;
    const message = bkashSendMoney({
      amount: isDoubtful ? '499' : '500',
      reference: intent.customerReference,
      trxId: newTrxId(new Date()),
    });
    const sms = { sender: 'bKash', message, receiverMsisdn: intent.receiverMsisdn };
    expect((await api.forwardSms(access, sms)).status).toBe(202);
    const event = isDoubtful ? 'payment.review_required' : 'payment.paid';
    await receiver.next(event, intent.id, 60_000).catch(async (error: unknown) => {
      throw new Error(`the intent is ${(await api.getIntent(access, intent.id)).body.status}`, { cause: error });
    });
    (isDoubtful ? doubtful : paid).add(intent.id);
  }

  async function listed(status: string): Promise<{ total: number; ids: Set<string> }> {
    const ids = new Set<string>();
    for (let page = 1; ; page += 1) {
      const { body } = await api.call<{ data: { id: string }[]; total: number }>(
        'GET',
        `/v1/payments/intents?status=${status}&limit=100&page=${page}`,
        { 'x-api-key': access.apiKey },
      );
      for (const { id } of body.data) ids.add(id);
      if (body.data.length < 100) return { total: body.total, ids };
    }
  }

  test('a merchant who receives a webhook never reads an older state', async () => {
    let begun = 0;
    const workers = Array.from({ length: WORKERS }, async () => {
      while (begun < PAYMENTS) {
        begun += 1;
        await pay(begun % DOUBTFUL_EVERY === 0);
      }
    });
    await Promise.all(workers);

    const seen = await Promise.all(reads);
    expect(seen.length).toBeGreaterThanOrEqual(PAYMENTS);
    expect(seen.filter(({ received, read }) => STAGES.indexOf(read) < STAGES.indexOf(received))).toEqual([]);
  }, 240_000);

  test('the list by status has every one of them, and its total is right', async () => {
    expect(await listed('PAID')).toEqual({ total: PAYMENTS - PAYMENTS / DOUBTFUL_EVERY, ids: paid });
    expect(await listed('REVIEW_REQUIRED')).toEqual({ total: PAYMENTS / DOUBTFUL_EVERY, ids: doubtful });
    expect(await listed('PENDING')).toEqual({ total: 0, ids: new Set() });
  });
});
