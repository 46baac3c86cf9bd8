import type { Queryable, Transaction } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { pageOfAuditLog, type AuditLogFilter, type AuditLogPage } from '../src/changes/audit-log-repository';
import { ask, OPERATIONS, rolesOf, send } from './dashboard-requests';
import {
  nothingForwarded,
  openShop,
  pairAsPhone,
  someDeliveries,
  someExceptions,
  type Shop,
} from './dashboard-under-test';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

const WRITES = OPERATIONS.filter(({ method }) => method !== 'get');

const ENTRIES = 12_000;
/** The oldest one alone is of a device; each twentieth has the same actor and action. */
const MANY_ENTRIES = `insert into audit_log (id, at, actor, action, subject_kind, subject_id, merchant_id)
  select gen_random_uuid(), now() - interval '1 day' - n * interval '1 minute', 'a' || n % 20, 'a' || n % 20,
    case n when ${ENTRIES} then 'oldest' else 'a' || n % 20 end, gen_random_uuid(), $1 from generate_series(1, ${ENTRIES}) n`;

class RolledBack extends Error {}

describe('the audit log: every write, with actor, action, state before and after', () => {
  let service: ServiceUnderTest;
  let shop: Shop;
  /** Everything that was returned once. */
  const secrets = new Set<string>();
  beforeAll(async () => {
    service = await startService({
      smsIngest: nothingForwarded,
      reconciler: someExceptions,
      webhookDispatcher: someDeliveries,
    });
    shop = await openShop(service);
  });
  afterAll(() => service.stop());

  const LOG = '/v1/dashboard/audit-log';
  const entriesOf = ({ merchantId }: Shop) =>
    service.db.query<{ id: string; actor: string; subject_id: string; before: unknown; after: unknown }>(
      'select * from audit_log where merchant_id = $1 order by at desc, id desc',
      [merchantId],
    );

  it.each(WRITES.map((operation) => [operation.id, operation] as const))(
    '%s leaves exactly one entry for each record it changes',
    async (_id, operation) => {
      const asked = await ask(shop, operation);
      const role = rolesOf(operation)[0] ?? 'OWNER';
      const known = await entriesOf(shop);

      const { status, body } = await send(service, operation, asked, await service.tokenOf(shop.people[role].userId));

      expect(status).toBeLessThan(300);
      for (const name of ['apiKey', 'token', 'code']) if (typeof body?.[name] === 'string') secrets.add(body[name]);
      const entries = await entriesOf(shop);
      const added = entries.slice(0, entries.length - known.length);
      expect(added).toHaveLength(asked.changes ?? 1);
      for (const entry of added) {
        expect(entry.actor).toBe(`user:${shop.people[role].userId}`);
        expect(entry.before ?? entry.after).not.toBeNull();
        expect(JSON.stringify(entry).replace(/"hasSecret":(?:true|false)/g, '')).not.toMatch(
          /hash|password|secret|token/i,
        );
      }
      expect(added.map((entry) => entry.subject_id)).toContain(asked.subjectId ?? asked.id ?? body.id);
      // A hook is a part of its device, which was there before.
      const begins = status === 201 && operation.id !== 'createForwarderHook';
      expect(added.some((entry) => entry.before === null)).toBe(begins);
      expect(added.every((entry) => entry.after !== null)).toBe(true);
    },
  );

  it('a request that is refused or changes nothing leaves none', async () => {
    const { OWNER } = shop.people;
    const known = await entriesOf(shop);

    await OWNER.patch('/v1/dashboard/merchant', {});
    await OWNER.post('/v1/dashboard/api-keys', { environment: 'SANDBOX' });
    await OWNER.post(`/v1/dashboard/devices/${uuidv7()}/disable`);
    await OWNER.post(`/v1/dashboard/users/${OWNER.userId}/deactivate`);

    expect(await entriesOf(shop)).toHaveLength(known.length);
  });

  it('keys, tokens and codes are in no log line, audit entry, event or later answer', async () => {
    const device = (await shop.people.OWNER.get('/v1/dashboard/devices')).body.data.find(
      (each: { isDisabled: boolean }) => !each.isDisabled,
    );
    const pairing = (await shop.people.OWNER.post(`/v1/dashboard/devices/${device.id}/pairing`)).body;
    const { deviceKey } = (await pairAsPhone(service, pairing)).body;
    for (const secret of [pairing.code, deviceKey]) secrets.add(secret);

    const [stored] = await service.db.query<{ text: string }>(
      `select (select string_agg(a::text, '') from audit_log a) || (select string_agg(body, '') from outbox)
           || (select string_agg(p::text, '') from device_pairings p) || (select string_agg(i::text, '') from invitations i)
           || (select string_agg(k::text, '') from api_keys k) || (select string_agg(d::text, '') from devices d) as text`,
    );
    const lists = OPERATIONS.filter(({ id }) => id.startsWith('list'));
    const answers = await Promise.all(lists.map(({ path }) => shop.people.OWNER.get(`${path}?limit=100`)));
    const everything = [stored?.text, service.lines.join(''), JSON.stringify(answers)].join('');

    // Two API keys, two codes and a device key. The token of an invitation is in its mail alone.
    expect(secrets.size).toBeGreaterThanOrEqual(5);
    for (const secret of secrets) expect(everything).not.toContain(secret);
  });

  describe('GET /v1/dashboard/audit-log', () => {
    it('is paged, newest first, and complete', async () => {
      const stored = await entriesOf(shop);
      const ids: string[] = [];
      for (let page = 1; ids.length < stored.length; page += 1) {
        const { body } = await shop.people.ADMIN.get(`${LOG}?page=${page}&limit=7`);
        expect(body).toMatchObject({ total: stored.length, totalIsExact: true, page, limit: 7 });
        ids.push(...body.data.map((entry: { id: string }) => entry.id));
      }

      expect(ids).toEqual(stored.map((entry) => entry.id));
    });

    it('is filtered by actor, action, kind and subject, and by time', async () => {
      const { OWNER } = shop.people;
      const { id } = (await OWNER.post('/v1/dashboard/devices', { environment: 'LIVE', name: 'Till' })).body;
      await OWNER.post(`/v1/dashboard/devices/${id}/disable`);
      const actions = async (query: string) =>
        (await OWNER.get(`${LOG}?${query}`)).body.data.map((entry: { action: string }) => entry.action);

      const whole = await OWNER.get(`${LOG}?subjectId=${id}`);
      const [newest, oldest] = whole.body.data;

      expect(newest).toMatchObject({
        actor: `user:${OWNER.userId}`,
        action: 'device.disabled',
        subjectKind: 'device',
        subjectId: id,
        environment: 'LIVE',
        before: { isDisabled: false },
        after: { isDisabled: true },
      });
      expect(oldest).toMatchObject({ action: 'device.added', before: null });
      const of = `subjectKind=device&subjectId=${id}&actor=user:${OWNER.userId}`;
      await expect(actions(`${of}&action=device.added`)).resolves.toEqual(['device.added']);
      await expect(actions(`${of}&from=${newest.at}`)).resolves.toEqual(['device.disabled']);
      await expect(actions(`${of}&to=${newest.at}`)).resolves.toEqual(['device.added']);
      await expect(actions(`subjectId=${id}&actor=nobody`)).resolves.toEqual([]);
      await expect(OWNER.get(`${LOG}?subjectId=7&from=yesterday`)).resolves.toMatchObject({
        status: 400,
        body: { message: ['subjectId must be a UUID', 'from must be an ISO 8601 timestamp with a time zone'] },
      });
    });

    describe(`with ${ENTRIES} more entries`, () => {
      /** Rolled back: the log is compared as a whole elsewhere. */
      const withMany = (work: (tx: Transaction) => Promise<void>) =>
        service.db
          .transaction(async (tx) => {
            await tx.execute(MANY_ENTRIES, [shop.merchantId]);
            await tx.execute('analyze audit_log');
            await work(tx);
            throw new RolledBack();
          })
          .catch((error: unknown) => {
            if (!(error instanceof RolledBack)) throw error;
          });
      const pageOf = (db: Queryable, filter: Partial<AuditLogFilter>, after?: string) =>
        pageOfAuditLog(db, { merchantId: shop.merchantId, ...filter }, { limit: 100, offset: 0, after });

      async function all(tx: Transaction, filter: Partial<AuditLogFilter>): Promise<string[]> {
        const ids: string[] = [];
        let after: string | null = null;
        do {
          const found: AuditLogPage = await pageOf(tx, filter, after ?? undefined);
          ids.push(...found.entries.map(({ id }) => id));
          after = found.nextCursor;
        } while (after !== null);
        return ids;
      }

      it('the total is exact up to 10,000, and the cursors reach every entry once', async () => {
        await withMany(async (tx) => {
          const stored = await tx.query<{ id: string; actor: string }>(
            'select id, actor from audit_log where merchant_id = $1 order by at desc, id desc',
            [shop.merchantId],
          );

          expect(await pageOf(tx, {})).toMatchObject({ total: 10_000, totalIsExact: false });
          expect(await pageOf(tx, { actor: 'a7' })).toMatchObject({ total: ENTRIES / 20, totalIsExact: true });
          expect(await all(tx, {})).toEqual(stored.map(({ id }) => id));
          const ofActor = stored.filter(({ actor }) => actor === 'a7').map(({ id }) => id);
          expect(await all(tx, { actor: 'a7', action: 'a7', subjectKind: 'a7' })).toEqual(ofActor);
        });
      });

      it('an entry behind more than 10,000 that do not fit is found with the next page', async () => {
        await withMany(async (tx) => {
          await tx.execute(
            `insert into audit_log (id, at, actor, action, subject_kind, subject_id, merchant_id)
             select gen_random_uuid(), now() - interval '1 hour', 'a0', 'often', 'often', gen_random_uuid(), $1 from generate_series(1, 10001) n`,
            [shop.merchantId],
          );
          const filter = { actor: 'a0', subjectKind: 'oldest' };

          const first = await pageOf(tx, filter);
          const second = await pageOf(tx, filter, first.nextCursor ?? undefined);

          expect(first).toMatchObject({ entries: [], total: 0, totalIsExact: false });
          expect(second).toMatchObject({ entries: [{ actor: 'a0', subjectKind: 'oldest' }], nextCursor: null });
        });
      });

      it.each<[string, Partial<AuditLogFilter>, string]>([
        ['no filter', {}, 'audit_log_of_merchant'],
        ['a time', { from: new Date(0), to: new Date() }, 'audit_log_of_merchant'],
        ['an actor', { actor: 'a7' }, 'audit_log_of_actor'],
        ['an action', { action: 'a7' }, 'audit_log_of_action'],
        ['a kind', { subjectKind: 'a7' }, 'audit_log_of_kind'],
        ['a subject', { subjectId: uuidv7() }, 'audit_log_of_one'],
        ['a subject and an actor', { subjectId: uuidv7(), actor: 'a7' }, 'audit_log_of_one'],
        ['an actor and an action', { actor: 'a7', action: 'a7', to: new Date() }, 'audit_log_of_actor'],
        ['an action and a kind', { action: 'a7', subjectKind: 'a7' }, 'audit_log_of_action'],
      ])('with %s page and total are answered from an index, in its order', async (_name, filter, index) => {
        const plans: string[] = [];
        await withMany(async (tx) => {
          const explaining = {
            query: async (sql: string, values: readonly unknown[]) => {
              const lines = await tx.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, values);
              plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
              return [];
            },
          } as unknown as Queryable;
          await pageOf(explaining, filter);
          await pageOf(explaining, filter, `1.${uuidv7()}`);
        });

        expect(plans.length).toBeGreaterThanOrEqual(4);
        for (const plan of plans) {
          const used = [...plan.matchAll(/using (\w+) on/g)].map(([, name]) => name);
          expect(new Set([...used, 'audit_log_pkey'])).toEqual(new Set([index, 'audit_log_pkey']));
          expect(plan).not.toMatch(/Seq Scan on audit_log/);
        }
      });
    });
  });
});
