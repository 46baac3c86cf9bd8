import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from '@pay/testing';
import type { ControlPlane } from '../control-plane';
import { PublicDoors } from '../merchant-client';
import { RawDoors } from '../raw-doors';
import type { Merchant, RunningSystem } from '../system';
import { bkashSendMoney, newTrxId } from '../wallet-texts';
import { complaintsOf } from './check-page';

export interface PageIntent {
  readonly id: string;
  readonly customerReference: string;
  readonly receiverMsisdn: string | null;
}

/**
 * What the stories of the page are told with: intents, texts, and what people at the shop do. By hand, in the database, comes about only what
 * would take too long: the end of a payment's time (a minute at least), the moment in which it is over and nobody has said so yet (too
 * short to be looked at), and a phone that falls silent (minutes).
 */
export class CheckoutStories {
  readonly doors: PublicDoors;
  private readonly database: pg.Client;

  constructor(
    private readonly system: RunningSystem,
    private readonly browser: Browser,
    private readonly merchant: Merchant,
  ) {
    this.doors = new PublicDoors(system.baseUrl);
    this.database = new pg.Client({ connectionString: system.postgresUrl });
  }

  connect(): Promise<unknown> {
    return this.database.connect();
  }

  async close(): Promise<void> {
    await this.database.end();
    await this.doors.close();
  }

  /** A payment of Tk 1,250.50 by bKash Send Money, unless the fields say otherwise. */
  async intent(fields: Record<string, unknown> = {}): Promise<PageIntent> {
    const { status, body } = await this.doors.createIntent(this.merchant.sandbox, {
      ...{ amount: 1250.5, merchantReference: 'ORDER-10442', idempotencyKey: randomUUID() },
      paymentMethod: 'BKASH_SEND_MONEY',
      ...fields,
    });
    if (status !== 201) throw new Error(`the intent was answered with ${status}`);
    return body;
  }

  address({ id }: PageIntent, query = ''): string {
    return `${this.system.baseUrl}/checkout/${id}${query}`;
  }

  /** The shop's phone forwards that money has come; null is a text without a reference. Answers when the text is taken in. */
  async pay(
    { customerReference }: PageIntent,
    { reference = customerReference, amount = '1250.5', trxId = newTrxId(new Date()) }: Partial<Payment> = {},
  ): Promise<void> {
    const msisdn = this.merchant.sandbox.receivers.find(
      ({ paymentMethod }) => paymentMethod === 'BKASH_SEND_MONEY',
    )?.msisdn;
    const message = bkashSendMoney({ amount, reference, trxId });
    const { status } = await this.doors.forwardSms(this.merchant.sandbox, {
      ...{ sender: 'bKash', message },
      receiverMsisdn: msisdn ?? null,
    });
    if (status !== 202) throw new Error(`the text was answered with ${status}`);
  }

  /** Resolves when the customer is told this status. */
  async says({ id }: PageIntent, status: string): Promise<void> {
    const view = () => this.doors.call<{ status: string }>('GET', `/v1/checkout/${id}`, {});
    await eventually(async () => (await view()).body.status === status, `the customer is told ${status}`, {
      timeoutMs: 20_000,
    });
  }

  /** Money with another amount than asked for: somebody has to look at it. */
  async payWrongly(intent: PageIntent): Promise<void> {
    await this.pay(intent, { amount: '5' });
    await this.says(intent, 'REVIEW_REQUIRED');
  }

  /** The same, and a reviewer of the shop looks and does not take it. */
  async payInVain(intent: PageIntent, controlPlane: ControlPlane): Promise<void> {
    await this.payWrongly(intent);
    const email = `${randomUUID()}@shop.example`;
    const user = { merchant: this.merchant.id, email, role: 'REVIEWER' };
    const { password } = await controlPlane.run<{ password: string }>('create-user', user);
    const headers = await this.signedIn({ email, password });
    const path = '/v1/dashboard/exceptions';
    const item = await eventually(async () => {
      const { body } = await this.doors.call<{ data: { id: string; paymentIntentId: string | null }[] }>(
        ...(['GET', `${path}?environment=SANDBOX&limit=100`, headers] as const),
      );
      return body.data.find(({ paymentIntentId }) => paymentIntentId === intent.id);
    }, 'it waits for a decision');
    await this.doors.call('POST', `${path}/${item.id}/reject`, headers, { reason: 'Not ours' });
    await this.says(intent, 'REJECTED');
  }

  /** Has the page believe in another end than the intent's. Its copy is as old as before: what really happens still replaces it. */
  async seemsToEnd({ id }: PageIntent, at: Date): Promise<void> {
    await this.doors.call('GET', `/v1/checkout/${id}`, {});
    const sql = 'update checkout_api.intent_copies set intent = intent || $2 where id = $1';
    await this.database.query(sql, [id, JSON.stringify({ expiresAt: at.toISOString() })]);
  }

  /** Ends the time of an intent for the reconciler, which alone says that it has expired. */
  async end({ id }: PageIntent): Promise<void> {
    const sql = `update reconciler.intents set expires_at = now() - interval '1 second' where id = $1`;
    // It may not have heard of an intent that is so young.
    await eventually(
      async () => (await this.database.query(sql, [id])).rowCount === 1,
      'the reconciler has the intent',
    );
  }

  /** Gives the shop a logo and a colour, as its owner does at the dashboard; undone by what is answered. */
  async brand(
    branding: { readonly logo: string; readonly colour: string },
    owner: Person,
  ): Promise<() => Promise<void>> {
    const headers = await this.signedIn(owner);
    const put = async (looks: Readonly<Record<string, string | null>>) => {
      const { status } = await this.doors.call('PATCH', '/v1/dashboard/merchant', headers, { branding: looks });
      if (status !== 200) throw new Error(`the looks were answered with ${status}`);
    };
    await put(branding);
    return () => put({ logo: null, colour: null });
  }

  /** Has the shop's phone fall silent that has told of itself before; undone by what is answered. */
  async silencePhone(): Promise<() => Promise<unknown>> {
    const { deviceId } = this.merchant.sandbox;
    const sightings = 'checkout_api.device_sightings';
    await this.database.query(
      `insert into ${sightings} values ($1, now() - interval '1 hour', true)
       on conflict (device_id) do update set seen_at = excluded.seen_at, sends_heartbeat = true`,
      [deviceId],
    );
    return () => this.database.query(`delete from ${sightings} where device_id = $1`, [deviceId]);
  }

  private async signedIn({ email, password }: Person): Promise<Record<string, string>> {
    const raw = new RawDoors(this.system.baseUrl);
    const token = await raw.signIn(email, password);
    await raw.close();
    return { authorization: `Bearer ${token}` };
  }

  /** A page in a browser of its own. Ended by its context. */
  async open(url: string, options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
    const context = await this.browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(url);
    return { page, complaints };
  }
}

interface Person {
  readonly email: string;
  readonly password: string;
}

interface Payment {
  readonly reference: string | null;
  readonly amount: string;
  readonly trxId: string;
}
