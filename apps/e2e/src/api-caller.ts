import { eventually } from '@pay/testing';
import fc from 'fast-check';
import type { ApiDocument, DescribedOperation } from './api-document';
import type { ControlPlane } from './control-plane';
import { valueOf } from './generate-requests';
import { PublicApi } from './merchant-client';
import { ownMerchant, type OwnMerchant } from './own-merchant';
import { RawApi, type RawAnswer } from './raw-api';
import type { RunningSystem } from './system';
import { bkashSendMoney, newTrxId } from './wallet-texts';

/** Number of ids that are created per collection, with at most `MOST_TRIES` requests. */
const MOST_IDS = 4;
const MOST_TRIES = 12;

type Headers = Readonly<Record<string, string>>;

/**
 * A separate merchant that may call every operation of the document. Has its credentials, and ids of objects that
 * requests may change or end.
 */
export class ApiCaller {
  readonly api: RawApi;
  private readonly ids = new Map<string, readonly string[]>();
  private round = 0;

  private constructor(
    readonly system: RunningSystem,
    private readonly controlPlane: ControlPlane,
    private readonly document: ApiDocument,
    private readonly seed: number,
    readonly merchant: OwnMerchant,
  ) {
    this.api = new RawApi(system.baseUrl);
  }

  private owner = '';

  static async create(
    system: RunningSystem,
    controlPlane: ControlPlane,
    document: ApiDocument,
    seed: number,
  ): Promise<ApiCaller> {
    const merchant = await ownMerchant(system, controlPlane);
    const caller = new ApiCaller(system, controlPlane, document, seed, merchant);
    caller.owner = await caller.api.signIn(merchant.owner.email, merchant.owner.password);
    caller.ids.set('/v1/dashboard/users', [(await caller.addPerson('DEVELOPER')).userId]);
    return caller;
  }

  close(): Promise<void> {
    return this.api.close();
  }

  async addPerson(role: string): Promise<{ userId: string; email: string; password: string }> {
    const email = `${crypto.randomUUID()}@shop.example`;
    const options = { merchant: this.merchant.id, email, role };
    return { email, ...(await this.controlPlane.run<{ userId: string; password: string }>('create-user', options)) };
  }

  /** Headers of an owner, or of a SANDBOX key with every scope. */
  credentialOf({ credential }: DescribedOperation): Headers {
    if (credential === 'apiKey') return { 'x-api-key': this.merchant.sandbox.apiKey };
    if (credential === 'deviceKey') return { 'x-device-key': this.merchant.sandbox.deviceKey };
    return credential === 'session' ? { authorization: `Bearer ${this.owner}` } : {};
  }

  idsOf(collection: string): readonly string[] {
    return this.ids.get(collection) ?? [];
  }

  /**
   * Keys come first, because checkouts need intents. Sessions come last, because requests of users change the responses
   * to API keys.
   */
  operationsInOrder(): DescribedOperation[] {
    const order = ['apiKey', 'deviceKey', 'none', 'session'];
    // Suites reach the limit of open runs, so single runs are refused afterwards.
    const rank = ({ id, credential }: DescribedOperation) =>
      id === 'createTestSuite' ? order.length : order.indexOf(credential);
    return [...this.document.operations].sort((a, b) => rank(a) - rank(b));
  }

  /** Creates objects that requests may change or end, through the API if possible. */
  async makeIds({ path }: DescribedOperation): Promise<void> {
    const collection = path.slice(0, Math.max(path.indexOf('/{'), 0));
    if (['/v1/webhooks/deliveries', '/v1/dashboard/webhook-deliveries'].includes(collection)) {
      this.ids.set(collection, [await this.makeDelivery()]);
    }
    if (collection === '/v1/dashboard/exceptions') this.ids.set(collection, await this.makeExceptions());
    if (collection === '/v1/auth/sessions') this.ids.set(collection, [await this.makeOtherSession()]);
    if (collection === '/v1/dashboard/sms') this.ids.set(collection, [await this.forwardUnreadable()]);
    if (collection === '/v1/sandbox/test-cases/runs') this.ids.set(collection, await this.testRuns());
    if (path.startsWith('/v1/sandbox/test-endpoint')) await this.makeTestEndpoint();
    const made = await this.create(collection, MOST_IDS);
    if (made === undefined) return;
    this.ids.set(collection, made);
    if (collection !== '/v1/payments/intents') return;
    for (const other of ['/v1/checkout', '/v1/dashboard/payments']) this.ids.set(other, made);
  }

  /** Undefined if the document has no operation that creates them. */
  async create(collection: string, most: number): Promise<string[] | undefined> {
    const create = this.document.operations.find((one) => one.method === 'POST' && one.path === collection);
    if (create?.body === undefined) return undefined;
    const made: string[] = [];
    const bodies = fc.sample(valueOf(this.document, create.body), {
      numRuns: MOST_TRIES,
      seed: this.seed + (this.round += 1),
    });
    for (const body of bodies) {
      const answer = await this.sendJson('POST', collection, this.credentialOf(create), body);
      const id = answer.status === 201 ? (JSON.parse(answer.text) as { id?: string }).id : undefined;
      if (id !== undefined && made.push(id) === most) break;
    }
    return made;
  }

  private sendJson(method: string, path: string, credential: Headers, body: unknown): Promise<RawAnswer> {
    const headers = { 'content-type': 'application/json', ...credential };
    return this.api.send({ method, path, headers, body: JSON.stringify(body) });
  }

  /** Test runs that an API key has started. */
  private async testRuns(): Promise<string[]> {
    const { text } = await this.sendJson('GET', '/v1/sandbox/test-cases/runs', this.ownersCredential(), undefined);
    return (JSON.parse(text) as { data: { id: string }[] }).data.map(({ id }) => id);
  }

  private async makeTestEndpoint(): Promise<void> {
    const { status } = await this.sendJson('POST', '/v1/sandbox/test-endpoint', this.ownersCredential(), undefined);
    if (status !== 200) throw new Error(`the hosted test endpoint returned ${status}`);
  }

  /** A session that may be ended. The requests use another one. */
  private async makeOtherSession(): Promise<string> {
    const { email, password } = this.merchant.owner;
    const credential = { authorization: `Bearer ${await this.api.signIn(email, password)}` };
    const { text } = await this.sendJson('GET', '/v1/auth/sessions', credential, undefined);
    const { data } = JSON.parse(text) as { data: { id: string; isCurrent: boolean }[] };
    const other = data.find(({ isCurrent }) => isCurrent);
    if (other === undefined) throw new Error('a session is missing in its own list');
    return other.id;
  }

  private ownersCredential(): Headers {
    return { authorization: `Bearer ${this.owner}` };
  }

  /** Deliveries are created by events and test requests. */
  private async makeDelivery(): Promise<string> {
    const credential = { 'x-api-key': this.merchant.sandbox.apiKey };
    const idOf = async (path: string, fields: object): Promise<string> => {
      const { text } = await this.sendJson('POST', path, credential, fields);
      return (JSON.parse(text) as { id: string }).id;
    };
    const fields = { url: `https://${crypto.randomUUID()}.shop.example/hooks`, secret: 'a secret of the shop' };
    return idOf(`/v1/webhooks/endpoints/${await idOf('/v1/webhooks/endpoints', fields)}/test`, {});
  }

  /** An SMS that can be re-parsed and reported. */
  private async forwardUnreadable(): Promise<string> {
    const sms = {
      sender: 'bKash',
      message: `A new wording ${crypto.randomUUID()}`,
      receivedAt: new Date().toISOString(),
    };
    const credential = { 'x-device-key': this.merchant.sandbox.deviceKey };
    const { text } = await this.sendJson('POST', '/v1/sms-events/incoming', credential, sms);
    return (JSON.parse(text) as { id: string }).id;
  }

  /** Each second payment for a paid intent opens an exception. */
  private async makeExceptions(): Promise<string[]> {
    const api = new PublicApi(this.system.baseUrl);
    const { sandbox } = this.merchant;
    const fields = { amount: 60, idempotencyKey: crypto.randomUUID(), paymentMethod: 'BKASH_SEND_MONEY' };
    const { body: intent } = await api.createIntent(sandbox, fields);
    for (let n = 0; n < 4; n += 1) {
      const trxId = newTrxId(new Date());
      const message = bkashSendMoney({ amount: '60', reference: intent.customerReference, trxId });
      const sms = { sender: 'bKash', message, receiverMsisdn: intent.receiverMsisdn };
      const { status } = await api.forwardSms(sandbox, sms);
      if (status !== 202) throw new Error(`forwarding an SMS returned ${status}`);
    }
    const path = '/v1/dashboard/exceptions?kind=paid_twice&limit=100';
    const headers = { authorization: `Bearer ${this.owner}` };
    const made = await eventually(async () => {
      const { data } = (await api.call<{ data: { id: string; paymentIntentId: string }[] }>('GET', path, headers)).body;
      const about = data.filter(({ paymentIntentId }) => paymentIntentId === intent.id);
      return about.length === 3 ? about : undefined;
    }, 'three payments too many are in the queue');
    await api.close();
    return made.map(({ id }) => id);
  }
}
