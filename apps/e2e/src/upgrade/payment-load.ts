import { randomInt, randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import { PublicApi, type Reply } from '../merchant-client';
import { readSystem, type MerchantAccess } from '../system';
import { bkashSendMoney, newTrxId } from '../wallet-texts';
import { WebhookReceiver } from '../webhook-receiver';

const SECRET = 'upgrade-endpoint-secret-of-32-bytes';
const WORKERS = 4;
const PATIENCE_MS = 120_000;

/**
 * A few workers play payments one after another until the end, half of them by a TrxID that is submitted before its
 * text. Clients repeat a request until it succeeds, as real ones do.
 */
export class PaymentLoad {
  private readonly paid: string[] = [];
  private readonly workers: Promise<void>[];
  private isEnding = false;
  repeatedRequests = 0;

  private constructor(
    private readonly api: PublicApi,
    private readonly access: MerchantAccess,
    private readonly receiver: WebhookReceiver,
  ) {
    this.workers = Array.from({ length: WORKERS }, () => this.worker());
  }

  static async begin(runFolder: string): Promise<PaymentLoad> {
    const system = readSystem(runFolder);
    const api = new PublicApi(system.baseUrl);
    const access = system.merchants[0]?.sandbox as MerchantAccess;
    const receiver = await WebhookReceiver.listen(SECRET);
    const { status } = await api.registerEndpoint(access, receiver.url, SECRET);
    if (status !== 201) throw new Error(`registering the endpoint returned ${status}`);
    return new PaymentLoad(api, access, receiver);
  }

  get count(): number {
    return this.paid.length;
  }

  /** Resolves after this number of further payments. */
  async played(payments: number): Promise<void> {
    const wanted = this.count + payments;
    await Promise.race([
      eventually(() => Promise.resolve(this.count >= wanted), `${payments} payments`, { timeoutMs: PATIENCE_MS }),
      ...this.workers,
    ]);
  }

  /** Waits for every webhook. Returns problems: lost or duplicated payments. */
  async end(): Promise<string[]> {
    this.isEnding = true;
    await Promise.all(this.workers);
    const problems = (await Promise.all(this.paid.map((id) => this.problemsOf(id)))).flat();
    await this.api.close();
    await this.receiver.close();
    return problems;
  }

  private async worker(): Promise<void> {
    while (!this.isEnding) this.paid.push(await this.pay());
  }

  private async pay(): Promise<string> {
    const idempotencyKey = randomUUID();
    const amount = (10 + Math.random() * 5_000).toFixed(2);
    const fields = { amount, idempotencyKey, paymentMethod: 'BKASH_SEND_MONEY', ttlSeconds: 3_600 };
    const intent = await this.insist(201, () => this.api.createIntent(this.access, fields));
    const isClaimed = randomInt(2) === 1;
    const trxId = newTrxId(new Date());
    const reference = isClaimed ? null : intent.customerReference;
    const text = {
      sender: 'bKash',
      message: bkashSendMoney({ amount, reference, trxId }),
      receiverMsisdn: intent.receiverMsisdn,
    };
    if (isClaimed) await this.insist(200, () => this.api.confirm(intent.id, trxId));
    await this.insist(202, () => this.api.forwardSms(this.access, text));
    return intent.id;
  }

  private async insist<Body>(expected: number, call: () => Promise<Reply<Body>>): Promise<Body> {
    const { body } = await eventually(
      async () => {
        const reply = await call().catch(() => undefined);
        if (reply?.status === expected) return { body: reply.body };
        this.repeatedRequests += 1;
        return undefined;
      },
      `an answer ${expected}`,
      { timeoutMs: PATIENCE_MS },
    );
    return body;
  }

  private async problemsOf(id: string): Promise<string[]> {
    const first = await this.receiver.next('payment.paid', id, PATIENCE_MS).catch(() => undefined);
    if (first === undefined) return [`intent ${id}: no webhook`];
    const deliveries = new Set(this.receiver.of('payment.paid', id).map(({ deliveryId }) => deliveryId));
    const { status } = await this.insist(200, () => this.api.getIntent(this.access, id));
    return [
      ...(deliveries.size === 1 ? [] : [`intent ${id}: ${deliveries.size} webhooks of one payment`]),
      ...(status === 'PAID' ? [] : [`intent ${id}: ${status}`]),
    ];
  }
}
