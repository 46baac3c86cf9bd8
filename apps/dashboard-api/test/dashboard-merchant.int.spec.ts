import { failOnLeaks } from '@pay/testing';
import { openShop, type Shop } from './dashboard-under-test';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

const MERCHANT = '/v1/dashboard/merchant';
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const NO_RULES = {
  reviewForgerySignals: false,
  reviewBalanceBreaks: false,
  requirePayerAgreement: false,
  reviewOlderThanHours: null,
};

describe('what a merchant sets for itself', () => {
  let service: ServiceUnderTest;
  let shop: Shop;
  beforeAll(async () => {
    service = await startService();
    shop = await openShop(service);
  });
  afterAll(() => service.stop());

  it('rules about evidence are off and looks are plain until somebody sets them', async () => {
    await expect(shop.people.VIEWER.get(MERCHANT)).resolves.toMatchObject({
      body: {
        evidenceRules: NO_RULES,
        branding: { logo: null, colour: null },
        checkout: { requirePayerDigits: false },
      },
    });
  });

  it('what is left out of a change stays, and what is set is announced to all services', async () => {
    const { ADMIN, VIEWER } = shop.people;
    await ADMIN.patch(MERCHANT, { evidenceRules: { reviewBalanceBreaks: true, reviewOlderThanHours: 24 } });
    await ADMIN.patch(MERCHANT, { branding: { colour: '#A0B1C2' } });

    const { status, body } = await ADMIN.patch(MERCHANT, {
      evidenceRules: { reviewOlderThanHours: null },
      branding: { logo: LOGO },
    });

    expect(status).toBe(200);
    const set = {
      evidenceRules: { ...NO_RULES, reviewBalanceBreaks: true },
      branding: { logo: LOGO, colour: '#a0b1c2' },
    };
    expect(body).toMatchObject(set);
    expect((await VIEWER.get(MERCHANT)).body).toEqual(body);
    expect((await service.announced(body.id)).at(-1)).toMatchObject({ type: 'merchant.changed', data: set });
  });

  it('requiring the digits of the payer at checkout is announced, and recorded with who did it', async () => {
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

  it.each([
    [{ checkout: { requirePayerDigits: 'yes' } }, 'checkout.requirePayerDigits must be true or false'],
    [{ evidenceRules: true }, 'evidenceRules must be an object'],
    [{ evidenceRules: { reviewOlderThanHours: 0 } }, 'evidenceRules.reviewOlderThanHours must be at least 1'],
    [{ branding: { colour: 'red' } }, 'branding.colour must be a colour like #1a2b3c'],
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
