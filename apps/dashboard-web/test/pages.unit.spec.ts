import { loadPages } from './load-pages';
import { EXAMPLES, exampleWith, pageUnderTest, type Answers } from './page-under-test';

const ONE = '01935002-0000-7000-8000-00000000b001';
const OTHER = '01935002-0000-7000-8000-00000000b002';

/** All pages are bundled: seconds on a loaded machine. */
jest.setTimeout(60_000);

describe('pages', () => {
  let openPage: Awaited<ReturnType<typeof loadPages>>;
  beforeAll(async () => {
    openPage = await loadPages();
  });

  const opened = (place: string, answers?: Answers) => pageUnderTest(openPage, place, answers);

  describe('forms with a number', () => {
    const HOURS = 'Review money that is older than so many hours';
    const STATUS = 'Answers with status';
    const COUNT = 'Payments per day';
    const WRONG = 'Enter a whole number, such as 12.';

    it.each(['12h', '১২ ঘণ্টা', '1.5'])(
      'keep a rule when %j is entered, and show the error at the field',
      async (text) => {
        const page = await opened('/sandbox/settings');

        await page.enter(HOURS, text);
        await page.submit();

        expect(rulesIn(page.bodiesOf('changeMerchant'))).toEqual([]);
        expect(page.html()).toContain(WRONG);
      },
    );

    it.each([
      ['১২', 12],
      ['24', 24],
      ['', null],
    ])('store the rule of %j as %j', async (text, hours) => {
      const page = await opened('/sandbox/settings');

      await page.enter(HOURS, text);
      await page.submit();

      expect(rulesIn(page.bodiesOf('changeMerchant'))).toMatchObject([{ reviewOlderThanHours: hours }]);
      expect(page.html()).not.toContain(WRONG);
    });

    it('keep the limits of an account when the count is not a number', async () => {
      const page = await opened('/sandbox/receivers');
      await page.click('changeReceiverAccount Change');

      await page.enter(COUNT, '40 a day');
      await page.submit();
      expect(page.bodiesOf('changeReceiverAccount')).toEqual([]);
      expect(page.html()).toContain(WRONG);

      await page.enter(COUNT, '৪০');
      await page.submit();
      expect(page.bodiesOf('changeReceiverAccount')).toMatchObject([{ limits: { dailyCount: 40 } }]);
    });

    it('keep the answers of the test endpoint when its status is not a number', async () => {
      const page = await opened('/sandbox/testing/endpoint');
      await page.click('changeTestEndpoint Change the answers');

      await page.enter(STATUS, 'OK');
      await page.submit();
      expect(page.bodiesOf('changeTestEndpoint')).toEqual([]);
      expect(page.html()).toContain(WRONG);

      await page.enter(STATUS, '৫০০');
      await page.submit();
      expect(page.bodiesOf('changeTestEndpoint')).toMatchObject([{ responseStatus: 500 }]);
    });
  });

  describe('forms accept Bangla digits', () => {
    it('in the number of a receiver', async () => {
      const page = await opened('/sandbox/receivers');
      await page.click('createReceiverAccount');
      await page.enter('Wallet number', '০১৭১২-৩৪৫৬৭৮');
      await page.submit();

      expect(page.bodiesOf('createReceiverAccount')).toMatchObject([{ msisdn: '01712-345678' }]);
    });

    it('in the phone of the shop', async () => {
      const page = await opened('/sandbox/settings');
      await page.enter('Phone', '০৯৬১২৩৪৫৬৭');
      await page.submit();

      expect(page.bodiesOf('changeMerchant')).toContainEqual({
        support: expect.objectContaining({ phone: '0961234567' }),
      });
    });
  });

  it.each([
    ['offers more rows', 'next', 'Show more', 'No payment matches'],
    ['is empty', null, 'No payment matches', 'Show more'],
  ])('an empty page of a list %s when its next cursor is %j', async (_, nextCursor, shown, hidden) => {
    const page = await opened('/sandbox/payments?status=PAID', {
      listPayments: () => exampleWith('listPayments', { data: [], nextCursor }),
    });

    expect(page.html()).toContain(shown);
    expect(page.html()).not.toContain(hidden);
  });

  it('more rows of a list are loaded during its reload, whose changes are shown afterwards', async () => {
    const { data } = EXAMPLES['listPayments'] as { readonly data: readonly object[] };
    const pageOf = (amount: string, nextCursor: string | null) =>
      exampleWith('listPayments', { data: [{ ...data[0], id: amount === '30' ? OTHER : ONE, amount }], nextCursor });
    // The connection of the first reload has died.
    const firstPages: unknown[] = [pageOf('10', 'next'), new Promise(() => undefined), pageOf('20', 'next')];
    const page = await opened('/sandbox/payments', {
      listPayments: (input) =>
        'after' in (input as { query: object }).query ? pageOf('30', null) : firstPages.shift(),
    });

    void page.reload();
    await page.click('Show more');
    await page.go('/sandbox/payments');

    expect(page.html()).toMatch(/Tk 20.*Tk 30/s);
    expect(page.html()).not.toContain('Show more');
  });

  it('offers API keys beyond the first page', async () => {
    const page = await opened('/sandbox/api-keys', {
      listApiKeys: () => exampleWith('listApiKeys', { total: 26, page: 1, limit: 25 }),
    });

    expect(page.html()).toContain('Show more');
  });

  describe('a form that is submitted without a required field', () => {
    const ERROR = 'Fill in this field.';
    const errorsIn = (html: string) => html.split(ERROR).length - 1;

    it.each([
      ['/sandbox/people', 'createInvitation', ['E-mail', 'Name'], 'createInvitation'],
      ['/sandbox/people/account', 'changePassword', ['Current password', 'New password'], 'changePassword'],
      ['/sandbox/api-keys', 'createApiKey', ['Name'], 'createApiKey'],
      ['/sandbox/devices', 'createDevice', ['Name of the phone'], 'createDevice'],
      ['/sandbox/webhooks', 'createEndpoint', ['URL'], 'createEndpoint'],
    ] as const)('on %s after %s focuses the first one and explains it', async (place, control, labels, operation) => {
      const page = await opened(place);
      await page.click(control);

      for (const label of labels) {
        await page.submit();
        expect(page.focused()).toBe(label);
        expect(errorsIn(page.html())).toBe(1);
        await page.enter(label, ' ');
        await page.submit();
        expect(errorsIn(page.html())).toBe(1);
        await page.enter(label, 'https://shop.example/hook');
        expect(errorsIn(page.html())).toBe(0);
      }

      expect(page.bodiesOf(operation)).toEqual([]);
      await page.submit();
      expect(page.bodiesOf(operation)).toHaveLength(1);
    });

    it('does not store a shop without a name', async () => {
      const page = await opened('/sandbox/settings');
      await page.enter('Name of the shop', '');

      await page.submit();

      expect(page.focused()).toBe('Name of the shop');
      expect(page.html()).toContain(ERROR);
      expect(page.bodiesOf('changeMerchant').filter((body) => 'name' in (body as object))).toEqual([]);
    });
  });

  describe('a form that is submitted twice in the same moment', () => {
    it('sends one request of a dialog', async () => {
      const page = await opened('/sandbox/devices');
      await page.click('createDevice');
      await page.enter('Name of the phone', 'Counter two');

      await page.submitTwiceAtOnce();

      expect(page.bodiesOf('createDevice')).toHaveLength(1);
    });

    it.each([
      ['an invitation', '/invitations', 'joinMerchant', undefined],
      ['a forwarder app', '/sandbox/devices', 'createForwarderHook', 'createForwarderHook'],
    ] as const)('sends one request for %s', async (_, place, operation, opener) => {
      const page = await opened(place);
      if (opener !== undefined) await page.click(opener);

      await page.submitTwiceAtOnce();

      expect(page.bodiesOf(operation)).toHaveLength(1);
    });

    it('sends one request of a page, and another one later', async () => {
      const page = await opened('/sandbox/testing');

      await page.submitTwiceAtOnce();
      expect(page.bodiesOf('runSimulator')).toHaveLength(1);

      await page.submit();
      expect(page.bodiesOf('runSimulator')).toHaveLength(2);
    });
  });

  it('a pairing code is not closed by the second click of a double click on the button before', async () => {
    const page = await opened('/sandbox/devices');
    await page.click('createDevice');
    await page.enter('Name of the phone', 'Counter two');
    await page.submit();
    expect(page.html()).toContain('data-testid="pairing-code"');

    await page.click('Done', 2);
    expect(page.html()).toContain('data-testid="pairing-code"');

    await page.click('Done');
    expect(page.html()).not.toContain('data-testid="pairing-code"');
  });

  it('a phone is added once when its pairing fails at the first attempt', async () => {
    const page = await opened('/sandbox/devices', {
      createDevice: () => exampleWith('createDevice', { id: OTHER }),
      beginDevicePairing: () => ({ refused: 'SERVICE_UNAVAILABLE' }),
    });
    await page.click('createDevice');
    await page.enter('Name of the phone', 'Counter two');

    await page.submit();
    await page.submit();

    expect(page.bodiesOf('createDevice')).toEqual([{ environment: 'SANDBOX', name: 'Counter two' }]);
    expect(page.bodiesOf('beginDevicePairing')).toHaveLength(2);
  });

  it('an invitation can be read in the other language', async () => {
    expect((await opened('/invitations')).html()).toContain('aria-label="বাংলা"');
  });

  it('the payments are limited to the chosen times', async () => {
    const page = await opened('/sandbox/payments?createdFrom=2026-11-20T00%3A00%3A00.000Z');

    expect(page.queriesOf('listPayments')).toMatchObject([{ createdFrom: '2026-11-20T00:00:00.000Z' }]);
    expect(page.html()).toContain('2026-11-20T06:00');
    expect(page.html()).toContain('Until (Dhaka)');
  });

  it('the field of a search follows the address, and keeps what is typed until then', async () => {
    const page = await opened('/sandbox/payments?search=ORDER-7');
    await page.enter('Search', 'ORDER-8');
    expect(page.html()).toContain('value="ORDER-8"');

    await page.go('/sandbox/payments?search=ORDER-9');
    expect(page.html()).toContain('value="ORDER-9"');

    await page.go('/live/payments');
    expect(page.html()).not.toContain('value="ORDER-');
    expect(page.queriesOf('listPayments').at(-1)).not.toHaveProperty('search');

    await page.go('/live/search?text=ORDER-7');
    expect(page.html()).toContain('value="ORDER-7"');
  });

  it('an alert of a doubtful payment leads to the payment, and the payment to its SMS', async () => {
    const { data } = EXAMPLES.listAlerts as { data: readonly object[] };
    const alert = { ...data[0], kind: 'payment_doubtful', subject: OTHER, name: null };
    const settings = await opened('/sandbox/settings', {
      listAlerts: () => exampleWith('listAlerts', { data: [alert] }),
    });
    expect(settings.html()).toContain('Its SMS may be forged');
    expect(settings.html()).toMatch(new RegExp(`href="[^"]*/sandbox/payments/${OTHER}"[^>]*>A payment is doubtful<`));

    const payment = await opened(`/sandbox/payments/${OTHER}`);
    expect(payment.html()).toMatch(new RegExp(`href="[^"]*/sandbox/sms/${ONE}"[^>]*>Show the SMS<`));
  });

  describe('a payment by an SMS that later balances contradict', () => {
    const DOUBTFUL = 'This payment was confirmed by an SMS that may be forged';
    const PASSED_OVER = 'The balances of later texts of the wallet contradict the text.';
    const signals = (detail: string) => [{ name: 'balance_break', detail }];

    it.each([
      ['a warning and the signal in words', 'MATCHED', 'passed_over', true, PASSED_OVER],
      ['the signal alone if the SMS has not paid', 'MATCH_PENDING', 'passed_over', false, PASSED_OVER],
      [
        'the signal alone if only earlier balances do not fit',
        'MATCHED',
        'does_not_follow',
        false,
        'The balance does not match the previous texts of the wallet.',
      ],
    ])('has on the page of the SMS %s', async (_, status, detail, isDoubtful, sentence) => {
      const page = await opened(`/sandbox/sms/${ONE}`, {
        getSmsEvent: () => exampleWith('getSmsEvent', { status, signals: signals(detail) }),
      });

      expect(page.html().includes(DOUBTFUL)).toBe(isDoubtful);
      expect(page.html()).toContain(sentence);
    });

    it.each([
      ['has a warning on its page', 'PAID', true],
      ['has no warning on its page before the intent is paid', 'REVIEW_REQUIRED', false],
    ])('%s', async (_, status, isDoubtful) => {
      const { judgement } = EXAMPLES.getEvidenceFile as { judgement: { sms: object[]; decisions: object[] } };
      const page = await opened(`/sandbox/payments/${ONE}`, {
        getEvidenceFile: () =>
          exampleWith('getEvidenceFile', {
            payment: { status },
            judgement: {
              sms: judgement.sms.map((sms) => ({ ...sms, signals: signals('passed_over') })),
              decisions: judgement.decisions.map((decision) => ({ ...decision, intentStatus: status })),
            },
          }),
      });

      expect(page.html().includes(DOUBTFUL)).toBe(isDoubtful);
    });
  });

  it('an exception says why it is in review, and a doubt about claims must be acknowledged to approve it', async () => {
    const REASON = 'It is not clear which customer paid with this TrxID.';
    const page = await opened(`/sandbox/exceptions/${ONE}`, {
      getException: () =>
        exampleWith('getException', { kind: 'doubtful', reason: 'competing_claims', doubts: ['competing_claims'] }),
    });
    expect(page.html().split(REASON)).toHaveLength(2);
    expect(page.html().indexOf(REASON)).toBeLessThan(page.html().indexOf('What the SMS says'));

    await page.click('resolveException');
    await page.enter('I accept', 'checked');
    await page.enter('Reason', 'The receipt is genuine');
    await page.submit();
    expect(page.bodiesOf('resolveException')).toEqual([]);

    await page.enter('I have checked this', 'checked');
    await page.submit();
    expect(page.bodiesOf('resolveException')).toMatchObject([
      { reason: 'The receipt is genuine', acknowledgeDoubts: ['competing_claims'] },
    ]);
  });

  it('a possible intent says why it is possible, and its doubt must be acknowledged to link it', async () => {
    const REASON = 'It is not clear which customer paid with this TrxID.';
    const { candidates } = EXAMPLES.getException as { candidates: readonly object[] };
    const page = await opened(`/sandbox/exceptions/${ONE}`, {
      getException: () =>
        exampleWith('getException', {
          kind: 'doubtful',
          reason: 'payer_digits_differ',
          doubts: ['payer_digits_differ', 'contradicting_texts'],
          candidates: [{ ...candidates[0], paymentIntentId: OTHER, reason: 'competing_claims' }],
          suggestions: [],
        }),
    });
    expect(page.html()).toMatch(new RegExp(`data-possible-intent="${OTHER}".*${REASON}.*Link to this intent`, 's'));

    await page.click('linkException Link to this intent');
    await page.enter('Reason', 'The customer sent the receipt');
    await page.submit();
    expect(page.bodiesOf('linkException')).toEqual([]);

    await page.enter(`I have checked this and approve the payment anyway: ${REASON}`, 'checked');
    await page.enter('I have checked this and approve the payment anyway: Two texts', 'checked');
    await page.submit();
    expect(page.bodiesOf('linkException')).toEqual([
      {
        reason: 'The customer sent the receipt',
        requestId: expect.any(String),
        paymentIntentId: OTHER,
        acknowledgeDoubts: ['competing_claims', 'contradicting_texts'],
      },
    ]);
  });

  it('a decision needs a new acknowledgement when another intent is chosen', async () => {
    const ACCEPTED = 'I accept Tk 50.00 instead of';
    const amounts: Record<string, string> = { [ONE]: '500', [OTHER]: '5000' };
    const page = await opened(`/sandbox/exceptions/${ONE}`, {
      getException: () => exampleWith('getException', { receivedAmount: '50' }),
      getPayment: (input) => {
        const { params } = input as { params: { id: string } };
        return exampleWith('getPayment', { intent: { amount: amounts[params.id] } });
      },
      linkException: () => ({ refused: 'AMOUNT_DIFFERS' }),
    });
    await page.click('linkException');
    await page.enter('Intent id to link', ONE);
    await page.enter('Reason', 'Agreed by phone');
    await page.submit();
    await page.enter(ACCEPTED, 'checked');
    expect(page.html()).toContain(`${ACCEPTED} Tk 500.00`);

    await page.enter('Intent id to link', OTHER);
    expect(page.html()).not.toContain(ACCEPTED);
    await page.submit();

    expect(page.html()).toContain(`${ACCEPTED} Tk 5,000.00`);
    expect(page.bodiesOf('linkException').at(-1)).toEqual({
      reason: 'Agreed by phone',
      requestId: expect.any(String),
      paymentIntentId: OTHER,
    });
    await page.submit();
    expect(page.bodiesOf('linkException')).toHaveLength(2);
  });
});

function rulesIn(bodies: readonly unknown[]): unknown[] {
  return bodies
    .map((body) => (body as { evidenceRules?: unknown }).evidenceRules)
    .filter((rules) => rules !== undefined);
}
