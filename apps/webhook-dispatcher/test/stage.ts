import { createHmac } from 'node:crypto';
import { captureServer, eventually, type CapturedRequest, type CaptureServer } from '@pay/testing';
import type { FeedType } from '../src/domain/payload';
import { aMerchant, anEvent, startService, type MerchantUnderTest, type ServiceUnderTest } from './service-under-test';
import { webhookApi } from './webhook-api';

export const SECRET = 'correct-horse-battery-staple';
/** The schedule's 5 s become 50 ms. */
export const TIME_SCALE = 0.01;

/** By node:crypto alone: what a merchant would compute. */
export function hmac(text: string | Buffer, encoding: 'hex' | 'base64', secret = SECRET): string {
  return createHmac('sha256', secret).update(text).digest(encoding);
}

export function idOf(request: CapturedRequest | undefined): unknown {
  return request?.headers['x-webhook-id'];
}

/** For a shop that responds only when the test calls `give`. */
export function aSignal(): { readonly given: Promise<void>; give(): void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give: () => give() };
}

/** The service for a whole spec file; a separate shop and SANDBOX merchant for each test. */
export function stage(timeScale = TIME_SCALE) {
  let service: ServiceUnderTest;
  let shop: CaptureServer;
  let closeShop: (() => Promise<void>) | undefined;
  let merchant: MerchantUnderTest;
  const api = webhookApi(() => service);

  beforeAll(async () => {
    service = await startService({ timeScale });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    shop = await captureServer();
    closeShop = () => shop.close();
    merchant = await aMerchant(service.db);
  });
  // Undefined if an earlier step has failed, whose error is then reported.
  afterEach(() => closeShop?.());

  const deliveries = async (query = ''): Promise<any[]> => (await api.deliveries(merchant, query)).body.data;
  return {
    api,
    deliveries,
    get service() {
      return service;
    },
    get shop() {
      return shop;
    },
    get merchant() {
      return merchant;
    },
    async register(over: object = {}, owner = merchant): Promise<string> {
      const { status, body } = await api.register(owner, { url: `${shop.url}/hooks`, secret: SECRET, ...over });
      expect(status).toBe(201);
      // As if its owner had answered the challenge: unverified endpoints have limits that most tests are not about.
      if (owner.environment === 'SANDBOX')
        await service.db.execute('update endpoints set is_verified = true where id = $1', [body.id]);
      return body.id;
    },
    settled: (status: string): Promise<any> =>
      eventually(
        async () => (await deliveries()).find((delivery) => delivery.status === status),
        `a delivery becomes ${status}`,
      ),
    /** Creates a delivery for each type that has failed once and waits for a day. Returns one of them. */
    async failOnce(
      types: readonly FeedType[] = ['intent.paid'],
      owner = merchant,
    ): Promise<{ id: string; attempt: number; next_attempt_at: Date }> {
      // The endpoint is paused meanwhile: real attempts follow each other so soon that a test could miss the time
      // between two of them.
      await service.db.execute(
        `update endpoints set failing_since = now(), breaker_until = now() + interval '1 hour' where merchant_id = $1`,
        [owner.id],
      );
      await service.announce(...types.map((type) => anEvent(type, owner)));
      return eventually(async () => {
        const [failed] = await service.db.query<any>(
          `with failed as (
             update deliveries set attempt = 1, status = 'RETRYING', next_attempt_at = now() + interval '1 day'
             where merchant_id = $1 and status = 'PENDING'
               and $2 = (select count(*) from deliveries where merchant_id = $1 and status = 'PENDING')
             returning id, attempt, next_attempt_at
           ), attempted as (
             insert into attempts (delivery_id, attempt, trigger, started_at, finished_at, outcome, http_status, worker_id)
             select id, attempt, 'schedule', now(), now(), 'HTTP_4XX', 400, gen_random_uuid() from failed
           ), resumed as (
             update endpoints set breaker_until = null where merchant_id = $1 and exists (select from failed)
           )
           select * from failed`,
          [owner.id, types.length],
        );
        return failed;
      }, 'all are planned');
    },
    endpointRow: async (id: string): Promise<any> =>
      (await service.db.query('select * from endpoints where id = $1', [id]))[0],
    attemptsOf: (id: string): Promise<Record<string, any>[]> =>
      service.db.query('select * from attempts where delivery_id = $1 order by attempt', [id]),
  };
}
