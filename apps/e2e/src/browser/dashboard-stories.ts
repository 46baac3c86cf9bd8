import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { eventually } from '@pay/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Intent, PublicApi } from '../merchant-client';
import type { OwnMerchant } from '../own-merchant';
import { bkashSendMoney, newTrxId } from '../wallet-texts';
import { complaintsOf, findings, scrollsSideways } from './check-page';

export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1280, height: 860 };

const REPOSITORY = resolve(__dirname, '..', '..', '..', '..');

/** Path of a picture in docs/. Only with `RENEW_PICTURES=1` the committed picture is replaced. */
export function docsPicture(name: string): string {
  const path = join(
    REPOSITORY,
    process.env['RENEW_PICTURES'] === '1' ? 'docs' : '.run/screenshots/docs',
    `${name}.png`,
  );
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

/** Screenshots for people. Example: .run/screenshots/dashboard/exceptions-en-360.png */
export function dashboardPicture(name: string): string {
  const folder = join(REPOSITORY, '.run', 'screenshots', 'dashboard');
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}.png`);
}

export interface Login {
  readonly email: string;
  readonly password: string;
}

export interface TabOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly language?: string;
  readonly scheme?: 'light' | 'dark';
}

/** A browser context with one logged-in user. */
export class DashboardTab {
  readonly complaints: string[];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly baseUrl: string,
  ) {
    this.complaints = complaintsOf(page);
  }

  static async open(
    browser: Browser,
    baseUrl: string,
    { viewport = DESKTOP, language = 'en', scheme = 'light' }: TabOptions = {},
  ): Promise<DashboardTab> {
    const context = await browser.newContext({
      viewport,
      locale: language === 'bn' ? 'bn-BD' : 'en-GB',
      timezoneId: 'Asia/Dhaka',
      colorScheme: scheme,
      reducedMotion: 'reduce',
    });
    return new DashboardTab(context, await context.newPage(), baseUrl);
  }

  async goto(path = ''): Promise<void> {
    await this.page.goto(`${this.baseUrl}/dashboard${path}`);
  }

  async logIn({ email, password }: Login): Promise<void> {
    await this.page.locator('input[name=email]').fill(email);
    await this.page.locator('input[name=password]').fill(password);
    await this.page.locator('button[type=submit]').click();
  }

  heading(name: string) {
    return this.page.getByRole('heading', { level: 1, name });
  }

  /** Problems that axe-core finds, horizontal scrolling, and errors of the browser. */
  async faults(): Promise<unknown[]> {
    return [...(await findings(this.page)), ...((await scrollsSideways(this.page)) ? ['scrolls sideways'] : [])];
  }

  async picture(name: string): Promise<void> {
    await this.page.screenshot({ path: dashboardPicture(name), fullPage: true });
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

/** Sends 450 instead of 500 for a new intent, which opens an exception. */
export function payTooLittle(api: PublicApi, merchant: OwnMerchant, idempotencyKey: string): Promise<Intent> {
  return payByReference(api, merchant, idempotencyKey, '450');
}

/** A new SANDBOX intent of 500, and an SMS with this amount and the reference of the intent. */
export async function payByReference(
  api: PublicApi,
  merchant: OwnMerchant,
  idempotencyKey: string,
  amount = '500',
): Promise<Intent> {
  const fields = {
    amount: 500,
    idempotencyKey,
    paymentMethod: 'BKASH_SEND_MONEY',
    merchantReference: `INV-${idempotencyKey}`,
  };
  const intent = await eventually(async () => {
    const { status, body } = await api.createIntent(merchant.sandbox, fields);
    return status === 201 ? body : undefined;
  }, 'the intent is created');
  await payIntent(api, merchant, intent, amount);
  return intent;
}

/** Sends an SMS with this amount and the reference of the intent. */
export async function payIntent(
  api: PublicApi,
  merchant: OwnMerchant,
  { customerReference: reference, receiverMsisdn }: Intent,
  amount = '500',
): Promise<void> {
  const at = new Date();
  const message = bkashSendMoney({ amount, reference, trxId: newTrxId(at), at });
  await api.forwardSms(merchant.sandbox, { sender: 'bKash', message, receiverMsisdn });
}
