import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from '@pay/testing';
import type { ControlPlane } from '../control-plane';
import { PublicApi } from '../merchant-client';
import { RawApi } from '../raw-api';
import { publishLastSeen } from '../phone/seen-events';
import type { Merchant, MerchantAccess, RunningSystem } from '../system';
import { bkashSendMoney, newTrxId } from '../wallet-texts';
import { complaintsOf } from './check-page';

export interface PageIntent {
  readonly id: string;
  readonly customerReference: string;
  readonly receiverMsisdn: string | null;
  readonly expiresAt: string;
}

/** Set-up for tests of the page: intents, SMS of the shop's phone, and actions of the shop's users. */
export class CheckoutStories {
  readonly api: PublicApi;

  constructor(
    private readonly system: RunningSystem,
    private readonly browser: Browser,
    private readonly merchant: Merchant,
  ) {
    this.api = new PublicApi(system.baseUrl);
  }

  close(): Promise<void> {
    return this.api.close();
  }

  /** Default: a payment of Tk 1,250.50 by bKash Send Money. */
  async intent(
    fields: Record<string, unknown> = {},
    access: MerchantAccess = this.merchant.sandbox,
  ): Promise<PageIntent> {
    const { status, body } = await this.api.createIntent(access, {
      amount: 1250.5,
      merchantReference: 'ORDER-10442',
      idempotencyKey: randomUUID(),
      paymentMethod: 'BKASH_SEND_MONEY',
      ...fields,
    });
    if (status !== 201) throw new Error(`creating the intent returned ${status}`);
    return body;
  }

  address({ id }: PageIntent, query = ''): string {
    return `${this.system.baseUrl}/checkout/${id}${query}`;
  }

  /** Resolves when the SMS is stored. `null` sends one without a reference. */
  async pay(
    { customerReference }: PageIntent,
    {
      reference = customerReference,
      amount = '1250.5',
      trxId = newTrxId(new Date()),
      at = new Date(),
    }: Partial<Payment> = {},
  ): Promise<void> {
    const msisdn = this.merchant.sandbox.receivers.find(
      ({ paymentMethod }) => paymentMethod === 'BKASH_SEND_MONEY',
    )?.msisdn;
    const message = bkashSendMoney({ amount, reference, trxId, at });
    const { status } = await this.api.forwardSms(this.merchant.sandbox, {
      sender: 'bKash',
      message,
      receiverMsisdn: msisdn ?? null,
    });
    if (status !== 202) throw new Error(`forwarding the text returned ${status}`);
  }

  async view({ id }: PageIntent): Promise<CheckoutView> {
    return (await this.api.call<CheckoutView>('GET', `/v1/checkout/${id}`, {})).body;
  }

  /** Resolves when the customer sees this status. */
  async says(intent: PageIntent, status: string): Promise<void> {
    await eventually(async () => (await this.view(intent)).status === status, `the customer is shown ${status}`);
  }

  /** Whole seconds, by the clock of the server. */
  async secondsLeft(intent: PageIntent): Promise<number> {
    const { expiresAt, serverTime } = await this.view(intent);
    return Math.floor((Date.parse(expiresAt) - Date.parse(serverTime)) / 1_000);
  }

  /** Sends another amount, which needs a review. */
  async payWrongly(intent: PageIntent): Promise<void> {
    await this.pay(intent, { amount: '5' });
    await this.says(intent, 'REVIEW_REQUIRED');
  }

  /** Like payWrongly; then a reviewer rejects it. */
  async payInVain(intent: PageIntent, controlPlane: ControlPlane): Promise<void> {
    await this.payWrongly(intent);
    const email = `${randomUUID()}@shop.example`;
    const user = { merchant: this.merchant.id, email, role: 'REVIEWER' };
    const { password } = await controlPlane.run<{ password: string }>('create-user', user);
    const headers = await this.signedIn({ email, password });
    const path = '/v1/dashboard/exceptions';
    const item = await eventually(async () => {
      const { body } = await this.api.call<{ data: { id: string; paymentIntentId: string | null }[] }>(
        ...(['GET', `${path}?environment=SANDBOX&limit=100`, headers] as const),
      );
      return body.data.find(({ paymentIntentId }) => paymentIntentId === intent.id);
    }, 'it waits for a decision');
    await this.api.call('POST', `${path}/${item.id}/reject`, headers, { reason: 'Not ours' });
    await this.says(intent, 'REJECTED');
  }

  /** Sets a logo and a colour, like the owner in the dashboard. Returns the function that removes them. */
  async brand(
    branding: { readonly logo: string; readonly colour: string },
    owner: Person,
  ): Promise<() => Promise<void>> {
    const headers = await this.signedIn(owner);
    const put = async (values: Readonly<Record<string, string | null>>) => {
      const { status } = await this.api.call('PATCH', '/v1/dashboard/merchant', headers, { branding: values });
      if (status !== 200) throw new Error(`changing the branding returned ${status}`);
    };
    await put(branding);
    return () => put({ logo: null, colour: null });
  }

  /** Moves the deadlines of all pending SANDBOX payments of the shop forward by this number of seconds. */
  async hurry(owner: Person, seconds: number): Promise<void> {
    const headers = await this.signedIn(owner);
    const body = { seconds, requestId: randomUUID() };
    const isReady = async () => {
      const answer = await this.api.call<{ status: string }>('POST', '/v1/sandbox/test-clock/advance', headers, body);
      if (answer.status !== 200) throw new Error(`advancing the clock returned ${answer.status}`);
      return answer.body.status === 'ready';
    };
    await eventually(isReady, 'the test clock has been advanced', { timeoutMs: 60_000 });
  }

  /** Makes the last heartbeat of the shop's phone an hour old. */
  fallSilent(): Promise<void> {
    return publishLastSeen(this.system, this.merchant, new Date(Date.now() - 3_600_000));
  }

  async beat(): Promise<void> {
    const headers = { 'x-device-key': this.merchant.sandbox.deviceKey };
    const { status } = await this.api.call('POST', '/v1/devices/heartbeat', headers, {});
    if (status !== 200) throw new Error(`the heartbeat returned ${status}`);
  }

  private async signedIn({ email, password }: Person): Promise<Record<string, string>> {
    const raw = new RawApi(this.system.baseUrl);
    const token = await raw.signIn(email, password);
    await raw.close();
    return { authorization: `Bearer ${token}` };
  }

  /** A page in a separate browser context, which the caller closes with it. */
  async open(url: string, options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
    const context = await this.browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(url);
    return { page, complaints };
  }
}

interface CheckoutView {
  readonly status: string;
  readonly claim: string;
  readonly expiresAt: string;
  readonly serverTime: string;
}

interface Person {
  readonly email: string;
  readonly password: string;
}

interface Payment {
  readonly reference: string | null;
  readonly amount: string;
  readonly trxId: string;
  /** Time in the provider's SMS. */
  readonly at: Date;
}
