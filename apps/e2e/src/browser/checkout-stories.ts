import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { PublicDoors } from '../merchant-client';
import type { Merchant, RunningSystem } from '../system';
import { bkashSendMoney, newTrxId } from '../wallet-texts';
import { complaintsOf } from './check-page';

export interface PageIntent {
  readonly id: string;
  readonly customerReference: string;
  readonly receiverMsisdn: string | null;
}

/** What the stories of the page are told with: intents, texts, and states that take a person or an hour to come about. */
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

  /** Puts what checkout-api knows of an intent into a state that only a person, or much time, would bring about. */
  async become({ id }: PageIntent, change: Record<string, unknown>): Promise<void> {
    const sql = 'update checkout_api.intent_copies set intent = intent || $2, sequence = sequence + 1 where id = $1';
    // Its view makes sure that there is a copy.
    await this.doors.call('GET', `/v1/checkout/${id}`, {});
    const { rowCount } = await this.database.query(sql, [id, JSON.stringify(change)]);
    if (rowCount !== 1) throw new Error('checkout-api has no copy of this intent');
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
    await this.database.query(sql, [id]);
  }

  /** Gives the shop a logo and a colour, as its owner does at the dashboard; undone by what is answered. */
  async brand(branding: { readonly logo: string; readonly colour: string }): Promise<() => Promise<unknown>> {
    const facts = `update checkout_api.directory_facts set data = data || $2 where kind = 'merchant' and id = $1`;
    const put = (value: unknown) => this.database.query(facts, [this.merchant.id, JSON.stringify({ branding: value })]);
    await put(branding);
    return () => put(null);
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

interface Payment {
  readonly reference: string | null;
  readonly amount: string;
  readonly trxId: string;
}
