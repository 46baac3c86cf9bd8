import { eventually } from '@pay/testing';
import type { Browser, Page } from 'playwright-core';
import { findings, scrollsSideways, smallTargets } from '../src/browser/check-page';
import { CheckoutStories, type PageIntent } from '../src/browser/checkout-stories';
import { openBrowser, pictureOf } from '../src/browser/open-browser';
import { ControlPlane } from '../src/control-plane';
import { ownMerchant, type OwnMerchant } from '../src/own-merchant';
import { readSystem } from '../src/system';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const WIDTHS = [320, 390, 768, 1280];
const LANGUAGES = ['en', 'bn'];
/** Two by two pixels. */
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEklEQVR4nGM4IRd1Qi6KAUIBACTGBQFVr/vpAAAAAElFTkSuQmCC';
const UNCHOSEN = { paymentMethod: undefined };

/** How each state comes about, and a sentence of it in both languages. */
interface State {
  readonly name: string;
  readonly says: readonly [english: string, bangla: string];
  readonly fields?: Record<string, unknown>;
  readonly query?: string;
  readonly bring?: (scene: Scene, intent: PageIntent) => Promise<unknown>;
}
interface Scene {
  readonly stories: CheckoutStories;
  readonly controlPlane: ControlPlane;
  readonly merchant: OwnMerchant;
}

const STATES: readonly State[] = [
  { name: 'choose', says: ['How do you want to pay?', 'কীভাবে টাকা দিতে চান?'], fields: UNCHOSEN },
  { name: 'send-money', says: ['Waiting for your payment', 'আপনার পেমেন্টের অপেক্ষায় আছি'] },
  { name: 'payment', says: ['Merchant number', 'মার্চেন্ট নম্বর'], fields: { paymentMethod: 'NAGAD_PAYMENT' } },
  {
    name: 'cash-out',
    says: ['After paying, enter the TrxID', 'টাকা দেওয়ার পর TrxID লিখুন'],
    fields: { paymentMethod: 'BKASH_CASHOUT' },
  },
  { name: 'trx-used', says: ['already been used', 'আগেই অন্য পেমেন্টে'], query: '&step=trx&notice=used' },
  {
    name: 'waiting',
    says: ['Waiting for the SMS', 'এসএমএসের অপেক্ষায়'],
    bring: ({ stories }, { id }) => stories.doors.confirm(id, 'DKL4A1B2C3'),
  },
  { name: 'cancelled', says: ['You cancelled', 'আপনি বাতিল করেছেন'], query: '&step=cancelled' },
  {
    name: 'paid',
    says: ['Your payment has arrived', 'আপনার টাকা পৌঁছে গেছে'],
    bring: async ({ stories }, intent) => {
      await stories.pay(intent);
      await stories.says(intent, 'PAID');
    },
  },
  {
    name: 'review',
    says: ['Being checked by the shop', 'দোকান যাচাই করছে'],
    bring: ({ stories }, intent) => stories.payWrongly(intent),
  },
  {
    name: 'expired',
    says: ['The time is over', 'সময় শেষ'],
    bring: async ({ stories }, intent) => {
      await stories.end(intent);
      await stories.says(intent, 'EXPIRED');
    },
  },
  {
    name: 'failed',
    says: ['This payment cannot go on', 'এই পেমেন্ট আর সম্ভব নয়'],
    fields: { paymentMethod: 'NAGAD_CASHOUT' },
    bring: async ({ stories, controlPlane, merchant }, intent) => {
      const wallet = merchant.sandbox.receivers.find(({ paymentMethod }) => paymentMethod === 'NAGAD_CASHOUT');
      await controlPlane.run('set-receiver-account', { receiver: wallet?.id ?? '', active: 'false' });
      await stories.says(intent, 'FAILED');
    },
  },
  {
    name: 'rejected',
    says: ['Payment not accepted', 'পেমেন্ট গ্রহণ করা হয়নি'],
    bring: ({ stories, controlPlane }, intent) => stories.payInVain(intent, controlPlane),
  },
  {
    name: 'checking',
    says: ['Time is over, checking', 'সময় শেষ, যাচাই চলছে'],
    bring: ({ stories }, intent) => stories.seemsToEnd(intent, new Date(0)),
  },
];

describe('the checkout page, in every state', () => {
  const system = readSystem(RUN_DIRECTORY);
  const controlPlane = new ControlPlane(RUN_DIRECTORY);
  let merchant: OwnMerchant;
  let browser: Browser;
  let stories: CheckoutStories;
  /** One per language: they are looked at side by side, which takes half the time. */
  let opened: { readonly page: Page; readonly complaints: string[] }[];
  let page: Page;

  beforeAll(async () => {
    [browser, merchant] = await Promise.all([openBrowser(), ownMerchant(system, controlPlane)]);
    stories = new CheckoutStories(system, browser, merchant);
    await stories.connect();
    opened = await Promise.all(LANGUAGES.map(() => stories.open('about:blank')));
    page = (opened[0] as { page: Page }).page;
  });
  beforeEach(() => opened.forEach(({ complaints }) => complaints.splice(0)));
  afterAll(async () => {
    await stories.close();
    await browser.close();
  });

  /** Reads well at every width, with letters of double size, for a screen reader and for thumbs; a picture of each is kept. */
  async function expectReadable(name: string, { page, complaints } = opened[0] as (typeof opened)[number]) {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect([name, width, await scrollsSideways(page)]).toEqual([name, width, false]);
      await page.screenshot({ path: pictureOf(`${name}-${width}`), fullPage: true });
    }
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await findings(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    await page.setViewportSize({ width: 640, height: 800 });
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    expect([name, 'double size', await scrollsSideways(page)]).toEqual([name, 'double size', false]);
    expect(complaints).toEqual([]);
  }

  test.each(STATES)(
    '$name is said in both languages and read by everybody',
    async ({ name, says, fields, query, bring }) => {
      const intent = await stories.intent(fields);
      await bring?.({ stories, controlPlane, merchant }, intent);
      const look = async (tab: (typeof opened)[number], index: number) => {
        const language = LANGUAGES[index] ?? 'en';
        await tab.page.goto(stories.address(intent, `?language=${language}${query ?? ''}`));
        const sentence = tab.page.locator('main').getByText(says[index] ?? '', { exact: false });
        await sentence.first().waitFor();
        expect(await tab.page.locator('html').getAttribute('lang')).toBe(language);
        await expectReadable(`${name}-${language}`, tab);
      };
      await Promise.all(opened.map(look));
    },
  );

  test('a phone of the shop that is offline is told of before paying', async () => {
    const undo = await stories.silencePhone();
    const intent = await stories.intent();
    const warning = page.getByText('The shop’s phone is offline right now.');
    // Which phones are there is asked once a second.
    await eventually(async () => {
      await page.goto(stories.address(intent));
      return warning.isVisible();
    }, 'the page warns');
    await expectReadable('phone-offline-en');
    await undo();
  });

  test('the shop’s logo and colour are on its page, and what is written on them can be read', async () => {
    const undo = await stories.brand({ logo: LOGO, colour: '#ffd400' }, merchant.owner);
    const intent = await stories.intent();
    const logo = page.locator('.shop img');
    // The fact is kept for a moment.
    await eventually(async () => {
      await page.goto(stories.address(intent));
      return (await logo.count()) === 1;
    }, 'the page has the logo');
    expect(await page.evaluate('document.querySelector(".shop img").naturalWidth')).toBe(2);
    const colours = await page.evaluate(
      '(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.querySelector(".top")))',
    );
    expect(colours).toEqual(['rgb(255, 212, 0)', 'rgb(0, 0, 0)']);
    await expectReadable('branded-en');
    await undo();
  });

  test('an address of no payment is a page that says so', async () => {
    await page.goto(`${system.baseUrl}/checkout/00000000-0000-7000-8000-000000000000?language=bn`);
    await page.getByText('পেমেন্ট পেজ পাওয়া যায়নি').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.screenshot({ path: pictureOf('unknown-bn-390') });
  });

  test('the intent’s language is the page’s, until the customer switches', async () => {
    const intent = await stories.intent({ language: 'bn' });
    await page.goto(stories.address(intent));
    await page.getByText('৳১,২৫০.৫০').waitFor();
    // What is typed elsewhere is written as it has to be typed.
    await page.locator('.value', { hasText: '1250.50' }).waitFor();
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByText('Tk 1,250.50').waitFor();
    await page.getByRole('link', { name: 'বাংলা' }).click();
    await page.getByText('৳১,২৫০.৫০').waitFor();
  });
});
