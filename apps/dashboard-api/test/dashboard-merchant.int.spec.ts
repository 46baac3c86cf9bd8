import { failOnLeaks } from '@pay/testing';
import { openShop, type Shop } from './dashboard-under-test';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

const MERCHANT = '/v1/dashboard/merchant';
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const STORED_RULES = {
  reviewForgerySignals: false,
  reviewBalanceBreaks: false,
  requirePayerAgreement: false,
  reviewOlderThanHours: null,
};
const NO_RULES = { ...STORED_RULES, relaxedSignals: [] };

describe('the settings of a merchant', () => {
  let service: ServiceUnderTest;
  let shop: Shop;
  beforeAll(async () => {
    service = await startService();
    shop = await openShop(service);
  });
  afterAll(() => service.stop());

  it('rules about evidence are off and branding is empty by default', async () => {
    await expect(shop.people.VIEWER.get(MERCHANT)).resolves.toMatchObject({
      body: {
        evidenceRules: NO_RULES,
        branding: { logo: null, colour: null },
        checkout: { requirePayerDigits: false },
        support: { phone: null, email: null, website: null },
      },
    });
  });

  it('sets, keeps and removes each field of the support contact, and announces it to all services', async () => {
    const { ADMIN, VIEWER } = shop.people;
    await ADMIN.patch(MERCHANT, { support: { phone: '+880 9600-000000', email: 'Help@Shop.example' } });

    const { status, body } = await ADMIN.patch(MERCHANT, {
      support: { phone: null, website: 'https://shop.example/help' },
    });

    const support = { phone: null, email: 'help@shop.example', website: 'https://shop.example/help' };
    expect([status, body.support]).toEqual([200, support]);
    expect((await VIEWER.get(MERCHANT)).body.support).toEqual(support);
    expect((await service.announced(body.id)).at(-1)).toMatchObject({ type: 'merchant.changed', data: { support } });
  });

  it('omitted fields are not changed, and changed ones are published to all services', async () => {
    const { ADMIN, VIEWER } = shop.people;
    await ADMIN.patch(MERCHANT, { evidenceRules: { reviewBalanceBreaks: true, reviewOlderThanHours: 24 } });
    await ADMIN.patch(MERCHANT, { branding: { colour: '#A0B1C2' } });

    const { status, body } = await ADMIN.patch(MERCHANT, {
      evidenceRules: { reviewOlderThanHours: null },
      branding: { logo: LOGO },
    });

    expect(status).toBe(200);
    const set = {
      evidenceRules: { ...STORED_RULES, reviewBalanceBreaks: true },
      branding: { logo: LOGO, colour: '#a0b1c2' },
    };
    expect(body).toMatchObject(set);
    expect((await VIEWER.get(MERCHANT)).body).toEqual(body);
    expect((await service.announced(body.id)).at(-1)).toMatchObject({ type: 'merchant.changed', data: set });
  });

  it('requiring the digits of the payer at checkout is published, and recorded with its actor', async () => {
    const { ADMIN } = shop.people;

    const { status, body } = await ADMIN.patch(MERCHANT, { checkout: { requirePayerDigits: true } });

    expect([status, body.checkout]).toEqual([200, { requirePayerDigits: true }]);
    expect((await service.announced(body.id)).at(-1)).toMatchObject({
      data: { checkout: { requirePayerDigits: true } },
    });
    expect((await service.audited(body.id)).at(-1)).toMatchObject({
      action: 'merchant.changed',
      after: { checkout: { requirePayerDigits: true } },
    });
  });

  it('a relaxed signal requires an OWNER and a reason, and the audit log contains actor, before, after and reason', async () => {
    const { OWNER, ADMIN } = shop.people;
    const relax = (...relaxedSignals: string[]) => ({ evidenceRules: { relaxedSignals } });
    const reason = 'Nagad changed its numbering; see its notice of 22 November';

    const unreasoned = await OWNER.patch(MERCHANT, relax('trx_id_time'));
    const byAdmin = await ADMIN.patch(MERCHANT, { ...relax('trx_id_time'), reason });
    const relaxed = await OWNER.patch(MERCHANT, { ...relax('trx_id_time', 'trx_id_time'), reason: ` ${reason} ` });
    const another = await OWNER.patch(MERCHANT, relax('trx_id_time', 'unsigned_forwarder'));
    const sameAgain = await ADMIN.patch(MERCHANT, { ...relax('trx_id_time'), name: 'Corner Shop' });
    const strict = await ADMIN.patch(MERCHANT, relax());

    expect(unreasoned).toMatchObject({ status: 422, body: { code: 'REASON_REQUIRED' } });
    expect(byAdmin).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(relaxed).toMatchObject({ status: 200, body: { evidenceRules: { relaxedSignals: ['trx_id_time'] } } });
    expect(another).toMatchObject({ status: 422, body: { code: 'REASON_REQUIRED' } });
    expect([sameAgain.status, strict.status]).toEqual([200, 200]);
    expect(strict.body.evidenceRules.relaxedSignals).toEqual([]);

    const { body: log } = await OWNER.get('/v1/dashboard/audit-log?action=merchant.changed&limit=3');
    const rulesOf = (record: { evidenceRules: object | null }) => record.evidenceRules;
    expect(log.data.map((entry: { reason: string | null }) => entry.reason)).toEqual([null, null, reason]);
    const entry = log.data[2];
    expect(entry.actor).toBe(`user:${OWNER.userId}`);
    expect(rulesOf(entry.before)).not.toHaveProperty('relaxedSignals', ['trx_id_time']);
    expect(rulesOf(entry.after)).toMatchObject({ relaxedSignals: ['trx_id_time'] });
    const facts = await service.announced(relaxed.body.id);
    expect(facts.map(({ data }) => (data as { evidenceRules: unknown }).evidenceRules).slice(-3)).toMatchObject([
      { relaxedSignals: ['trx_id_time'] },
      { relaxedSignals: ['trx_id_time'] },
      { relaxedSignals: [] },
    ]);
  });

  it('single payment methods are enabled and disabled, and the others stay as they are', async () => {
    const { ADMIN } = shop.people;
    await ADMIN.patch(MERCHANT, { enabledMethods: ['nagad_payment', 'BKASH_SEND_MONEY', 'BKASH_PAYMENT'] });

    const { status, body } = await ADMIN.patch(MERCHANT, {
      enabledMethods: { BKASH_SEND_MONEY: false, NAGAD_CASHOUT: true },
    });

    expect([status, body.enabledMethods]).toEqual([200, ['BKASH_PAYMENT', 'NAGAD_PAYMENT', 'NAGAD_CASHOUT']]);
  });

  it('a single signal is relaxed by an OWNER with a reason, and the others stay as they are', async () => {
    const { OWNER, ADMIN } = shop.people;
    const reason = 'The forwarder app of the shop does not sign';
    const relax = (relaxedSignals: object) => ({ evidenceRules: { relaxedSignals } });
    await OWNER.patch(MERCHANT, { ...relax(['sender_id', 'balance']), reason });

    const byAdmin = await ADMIN.patch(MERCHANT, { ...relax({ unsigned_forwarder: true }), reason });
    const unreasoned = await OWNER.patch(MERCHANT, relax({ unsigned_forwarder: true }));
    const relaxed = await OWNER.patch(MERCHANT, { ...relax({ unsigned_forwarder: true, balance: false }), reason });
    const known = await ADMIN.patch(MERCHANT, relax({ unsigned_forwarder: true }));
    const others = await ADMIN.patch(MERCHANT, { evidenceRules: { reviewForgerySignals: true, relaxedSignals: {} } });

    expect([byAdmin.status, unreasoned.status, known.status]).toEqual([403, 422, 200]);
    const signals = { evidenceRules: { relaxedSignals: ['sender_id', 'unsigned_forwarder'] } };
    expect([relaxed.body, others.body]).toMatchObject([signals, signals]);
  });

  it.each([
    [{ checkout: { requirePayerDigits: 'yes' } }, 'checkout.requirePayerDigits must be true or false'],
    [
      { evidenceRules: { relaxedSignals: ['grammar'] } },
      'evidenceRules.relaxedSignals must contain only trx_id_time, balance, foreign_content, invisible_characters, lookalike_letters, ' +
        'sender_id, line_breaks, unsigned_forwarder',
    ],
    [{ evidenceRules: { relaxedSignals: 'balance' } }, 'evidenceRules.relaxedSignals must be an array or an object'],
    [
      { enabledMethods: { ROCKET_PAYMENT: true } },
      'enabledMethods must contain only BKASH_PAYMENT, BKASH_SEND_MONEY, BKASH_CASHOUT, NAGAD_PAYMENT, NAGAD_SEND_MONEY, NAGAD_CASHOUT',
    ],
    [{ enabledMethods: { NAGAD_PAYMENT: null } }, 'each value of enabledMethods must be true or false'],
    [{ enabledMethods: null }, 'enabledMethods must be an array or an object'],
    [{ reason: ' ' }, 'reason must not be empty'],
    [{ evidenceRules: true }, 'evidenceRules must be an object'],
    [{ evidenceRules: { reviewOlderThanHours: 0 } }, 'evidenceRules.reviewOlderThanHours must be at least 1'],
    [
      { support: { phone: 'call us' } },
      'support.phone must be a phone number of 3 to 15 digits such as +880 9600-000000',
    ],
    [{ support: { email: 'help' } }, 'support.email must be an e-mail address'],
    ...['http://shop.example', 'javascript:alert(1)', 'https://user:pass@shop.example', '/help'].map(
      (website): [object, string] => [
        { support: { website } },
        'support.website must be an absolute https URL without user info',
      ],
    ),
    [{ branding: { colour: 'red' } }, 'branding.colour must be a colour such as #1a2b3c'],
    [
      { branding: { logo: 'data:image/svg+xml;base64,PHN2Zz4=' } },
      'branding.logo must be a data URL of a PNG, JPEG or WebP image in base64',
    ],
  ])('%j is refused with the field’s name', async (change, sentence) => {
    await expect(shop.people.OWNER.patch(MERCHANT, change)).resolves.toMatchObject({
      status: 400,
      body: { message: [sentence] },
    });
  });
});
