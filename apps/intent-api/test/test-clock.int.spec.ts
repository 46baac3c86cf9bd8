import { lastExpirySchema, movedExpiriesSchema, type Environment, type MovedExpiries } from '@pay/contracts';
import { serviceClient, ServiceCallFailed, type ServiceClient } from '@pay/http';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { apply, decisionOn } from './decisions';
import { merchantApi } from './merchant-api';
import {
  aMerchant,
  PEER_SECRETS,
  startService,
  type MerchantUnderTest,
  type ServiceUnderTest,
} from './service-under-test';

failOnLeaks();

const MINUTE = 60_000;
const DAY = 86_400_000;

describe('the test clock of a SANDBOX tenant, in intent-api', () => {
  let service: ServiceUnderTest;
  let dashboard: ServiceClient;
  let merchant: MerchantUnderTest;
  const api = merchantApi(() => service);

  beforeAll(async () => {
    service = await startService();
    const { internalUrl: baseUrl } = service;
    const secret = PEER_SECRETS['dashboard-api'];
    dashboard = serviceClient({ issuer: 'dashboard-api', audience: 'intent-api', secret, baseUrl });
  });
  afterAll(async () => {
    await dashboard.close();
    await service.stop();
  });
  beforeEach(async () => {
    merchant = await aMerchant(service.db);
  });

  const tenantOf = ({ id, environment }: MerchantUnderTest) => ({ merchantId: id, environment });
  const move = (milliseconds: number, stepId: string = uuidv7(), owner = merchant): Promise<MovedExpiries> =>
    dashboard.request('POST', '/internal/v1/test-clock/steps', {
      body: { stepId, milliseconds },
      tenant: tenantOf(owner),
      schema: movedExpiriesSchema,
    });
  const refusal = (call: Promise<unknown>) =>
    call.then(
      () => 'none',
      (error: unknown) => (error instanceof ServiceCallFailed ? `${error.status} ${error.code}` : String(error)),
    );
  const anIntent = async (ttlSeconds: number, owner = merchant): Promise<any> =>
    (await api.create(owner, { ttlSeconds })).body;
  const expiryOf = async (id: string): Promise<number> => Date.parse((await api.get(merchant, id)).body.expiresAt);
  const movesOf = async (id: string) =>
    (await service.announced()).filter(({ type, aggregateId }) => type === 'intent.expiry_moved' && aggregateId === id);
  const rowsOf = (owner: MerchantUnderTest) =>
    service.db.query('select * from payment_intents where merchant_id = $1 order by id', [owner.id]);

  it('moves the expiry of an open intent, publishes it, and ends intents that expire with the step', async () => {
    const soon = await anIntent(300);
    const later = await anIntent(3_600);
    const before = Date.now();

    const { expiring, pending } = await move(10 * MINUTE);

    expect({ expiring, pending }).toEqual({ expiring: [soon.id], pending: 1 });
    expect(await expiryOf(later.id)).toBe(Date.parse(later.expiresAt) - 10 * MINUTE);
    const ended = await expiryOf(soon.id);
    expect(ended).toBeGreaterThan(Date.parse(soon.createdAt));
    expect(ended).toBeLessThanOrEqual(Math.max(before, Date.now()));
    const [event, ...others] = await movesOf(soon.id);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ sequence: 2, data: { intent: { expiresAt: new Date(ended).toISOString() } } });
  });

  it('moves only the intents that a step lists, and none of another merchant', async () => {
    const named = await anIntent(300);
    const other = await anIntent(300);
    const otherMerchant = await aMerchant(service.db);
    const foreign = await anIntent(300, otherMerchant);
    const body = { stepId: uuidv7(), milliseconds: 10 * MINUTE, paymentIntentIds: [named.id, foreign.id] };

    const { expiring } = await dashboard.request('POST', '/internal/v1/test-clock/steps', {
      body,
      tenant: tenantOf(merchant),
      schema: movedExpiriesSchema,
    });

    expect(expiring).toEqual([named.id]);
    expect(await expiryOf(other.id)).toBe(Date.parse(other.expiresAt));
    expect(Date.parse((await api.get(otherMerchant, foreign.id)).body.expiresAt)).toBe(Date.parse(foreign.expiresAt));
  });

  it('moves nothing when a step is repeated, and returns how many intents are still pending', async () => {
    const { id } = await anIntent(300);
    const other = await anIntent(3_600);
    const stepId = uuidv7();
    await move(10 * MINUTE, stepId);
    const moved = await expiryOf(other.id);
    const decision = decisionOn(merchant, id, 'EXPIRED', 1, { matchStatus: 'EXPIRED', evidence: null });

    await apply(service, decision);

    expect(await move(10 * MINUTE, stepId)).toEqual({ expiring: [id], pending: 0 });
    expect(await expiryOf(other.id)).toBe(moved);
    expect(await movesOf(other.id)).toHaveLength(1);
  });

  it('continues an interrupted step without moving an intent twice', async () => {
    const intents = [await anIntent(3_600), await anIntent(3_600), await anIntent(3_600)];
    const stepId = uuidv7();
    const { id: merchantId, environment } = merchant;
    await service.db.execute(
      `insert into test_clock_steps (id, merchant_id, environment, milliseconds, done_to) values ($1, $2, $3, $4, $5)`,
      [stepId, merchantId, environment, MINUTE, intents[1].id],
    );

    await move(MINUTE, stepId);

    const moves = await Promise.all(intents.map(({ id }) => movesOf(id)));
    expect(moves.map((each) => each.length)).toEqual([0, 0, 1]);
  });

  it('does not move intents of another merchant, nor ended ones', async () => {
    const other = await aMerchant(service.db);
    await anIntent(300, other);
    const settled = await anIntent(300);
    await apply(service, decisionOn(merchant, settled.id, 'PAID'));
    const before = [await rowsOf(other), await rowsOf(merchant)];

    expect(await move(DAY)).toEqual({ expiring: [], pending: 0 });

    expect([await rowsOf(other), await rowsOf(merchant)]).toEqual(before);
  });

  it('answers 404 for the step of another merchant', async () => {
    const stepId = uuidv7();
    await move(MINUTE, stepId);

    expect(await refusal(move(MINUTE, stepId, await aMerchant(service.db)))).toBe('404 NOT_FOUND');
  });

  it('refuses LIVE', async () => {
    const live = await aMerchant(service.db, { environment: 'LIVE' });
    const { id } = await anIntent(300, live);
    const [before] = await rowsOf(live);

    expect(await refusal(move(MINUTE, uuidv7(), live))).toBe('403 FORBIDDEN');

    expect((await rowsOf(live))[0]).toEqual(before);
    expect(await movesOf(id)).toEqual([]);
  });

  it.each<[string, Environment, string]>([
    ['of a LIVE intent to an earlier time', 'LIVE', "expires_at - interval '1 minute'"],
    ['of a LIVE intent to a later time', 'LIVE', "expires_at + interval '1 minute'"],
    ['of a SANDBOX intent to a later time', 'SANDBOX', "expires_at + interval '1 minute'"],
  ])('the database refuses to move the expiry %s', async (_, environment, time) => {
    const owner = await aMerchant(service.db, { environment });
    const { id } = await anIntent(300, owner);

    await expect(
      service.db.execute(`update payment_intents set expires_at = ${time} where id = $1`, [id]),
    ).rejects.toThrow(/moves in SANDBOX only/);
  });

  it('the database refuses a step of a LIVE tenant', async () => {
    await expect(
      service.db.execute(
        `insert into test_clock_steps (id, merchant_id, environment, milliseconds) values ($1, $2, 'LIVE', 1)`,
        [uuidv7(), merchant.id],
      ),
    ).rejects.toThrow(/test_clock_steps_environment_check/);
  });

  it('returns the time until the last expiry within a duration', async () => {
    const last = async (within: number) =>
      (
        await dashboard.request('GET', `/internal/v1/test-clock/last-expiry?within=${within}`, {
          tenant: tenantOf(merchant),
          schema: lastExpirySchema,
        })
      ).milliseconds;
    expect(await last(DAY)).toBeNull();
    await anIntent(300);
    await anIntent(600);
    await anIntent(7_200);

    const found = await last(3_600_000);

    expect(found).toBeLessThanOrEqual(600_000);
    expect(found).toBeGreaterThan(300_000);
    expect(await last(MINUTE)).toBeNull();
  });

  it('neither loses nor duplicates a payment that is applied while expiries move', async () => {
    const intents = await Promise.all(Array.from({ length: 40 }, () => anIntent(300)));
    const decisions = intents.map(({ id }) => decisionOn(merchant, id, 'PAID'));

    await Promise.all([
      ...decisions.map((decision) => apply(service, decision)),
      ...Array.from({ length: 5 }, () => move(20 * 1_000)),
    ]);

    const rows = await rowsOf(merchant);
    expect(rows.map((row: any) => row.status)).toEqual(intents.map(() => 'PAID'));
    const paid = (await service.announced()).filter(
      ({ type, merchantId }) => type === 'intent.paid' && merchantId === merchant.id,
    );
    expect(paid.map(({ aggregateId }) => aggregateId).sort()).toEqual(intents.map(({ id }) => id).sort());
  });
});
