import type { Database, Transaction } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { claimDue, releaseLeases, type LeasedDelivery } from '../src/delivery/delivery-repository';
import { SOONEST_GAIN_SECONDS } from '../src/domain/breaker';
import { LEASE_SECONDS, RETRY_SCHEDULE } from '../src/domain/delivery';
import { recordEndpointResults } from '../src/endpoints/endpoint-health-repository';
import { pullForward } from '../src/recovery/due-again-repository';
import { makeEarlyProbesDue } from '../src/recovery/early-probe-repository';
import { recoverEndpoint } from '../src/recovery/recover-endpoint';
import { answeredSender, type Answer, type SendAnswered } from './answered-sender';
import { IDLE_ROOM, log, openBeforeAll } from './open-before-all';

failOnLeaks();

const HISTORIES = { seed: 20261128, numRuns: 10 };
const RANDOM_STEPS = 60;
/** After the random ones, the delivery is only sent when it is due. */
const MOST_STEPS = 500;
const URL = 'https://shop.example';
const ASKED_SECONDS = 40;
/** With a random number of 0.5. */
const JITTER = 1.1;
const ATTEMPTS = [0, ...RETRY_SCHEDULE];
/** Seconds that are lost by storing times. */
const ROUNDED = 0.001;

const step = fc.record({
  before: fc.constantFrom('due', 'half of the wait', 'early probe', 'recovery', 'requested recovery'),
  during: fc.constantFrom(
    'nothing',
    'sender dies',
    'lease is released',
    'stale socket',
    'endpoint comes back',
    'recover',
  ),
  failure: fc.constantFrom<Answer>(
    { outcome: 'HTTP_5XX', httpStatus: 500 },
    { outcome: 'HTTP_5XX', httpStatus: 503 },
    { outcome: 'HTTP_4XX', httpStatus: 400 },
    { outcome: 'HTTP_4XX', httpStatus: 429, retryAfter: String(ASKED_SECONDS) },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const WHEN_DUE: Step = { before: 'due', during: 'nothing', failure: { outcome: 'TIMEOUT' } };

interface Stored {
  readonly status: string;
  /** Seconds since 1970, as the other times. */
  readonly now: number;
  /** When the scheduled attempt is due. */
  readonly scheduled: number;
  /** When a claim may lease the delivery. */
  readonly claimable: number;
}

describe('a delivery that always fails', () => {
  let db: Database;
  openBeforeAll((opened) => (db = opened));
  const tenant = { merchantId: uuidv7(), environment: 'LIVE' } as const;
  const workerId = uuidv7();
  const endpointId = uuidv7();
  let send: SendAnswered;

  beforeAll(() => {
    send = answeredSender({ db, workerId, log });
  });
  const insertDelivery = async () => {
    await db.execute('truncate endpoints, deliveries, attempts, recoveries');
    await db.execute(
      `insert into endpoints (id, merchant_id, environment, url, event_types, sealed_secret, is_verified)
       values ($1, $2, $3, $4, '{payment.paid}', 'x', true)`,
      [endpointId, tenant.merchantId, tenant.environment, URL],
    );
    await db.execute(
      `insert into deliveries (id, endpoint_id, merchant_id, environment, event_id, event_type, occurred_at, idempotency_key, body,
         next_attempt_at)
       select id, $1, $2, $3, id, 'webhook.test', now(), id::text, '{}', now() from (select gen_random_uuid() as id) new`,
      [endpointId, tenant.merchantId, tenant.environment],
    );
  };

  /** Instead of a clock, all times that are compared with now are moved. */
  async function advance(seconds: number): Promise<void> {
    const by = `make_interval(secs => $1)`;
    await db.execute(
      `update deliveries set next_attempt_at = next_attempt_at - ${by}, planned_at = planned_at - ${by}, created_at = created_at - ${by}`,
      [seconds],
    );
    await db.execute(
      `update endpoints set breaker_until = breaker_until - ${by}, early_probes_from = early_probes_from - ${by},
         recovered_at = recovered_at - ${by}, recovery_requested_at = recovery_requested_at - ${by}`,
      [seconds],
    );
  }
  async function stored(from: Database | Transaction = db): Promise<Stored> {
    const [row] = await from.query<Stored>(
      `select status, extract(epoch from now())::float8 as now,
         extract(epoch from coalesce(planned_at, next_attempt_at))::float8 as scheduled,
         extract(epoch from greatest(next_attempt_at, breaker_until))::float8 as claimable
       from deliveries d join endpoints e on e.id = d.endpoint_id`,
    );
    if (row === undefined) throw new Error('no delivery is stored');
    return row;
  }
  const comeBack = async () => {
    await db.execute('update endpoints set failing_since = now(), breaker_until = now()');
    const success = { succeeded: true, failures: 0, weight: 0, probeFailed: false, askedSeconds: 0 };
    await db.transaction(async (tx) =>
      recordEndpointResults(tx, [{ endpointId, url: URL, ...success }], { timeScale: 1, newId: uuidv7 }),
    );
  };
  const recover = () =>
    recoverEndpoint(
      { db, verifiedEnvironments: [], newId: uuidv7, now: () => new Date(), wakeRecoveries: () => undefined },
      tenant,
      endpointId,
      new Date(0),
    );
  const makeDue = (isRequested: boolean) =>
    db.transaction((tx) => pullForward(tx, { endpointId, positionAt: null, isRequested }, 7));
  const probe = async () => {
    await db.execute('update endpoints set failing_since = now(), breaker_until = now(), early_probes_from = null');
    await makeEarlyProbesDue(db, [tenant.environment], 0);
  };
  const before: Record<Step['before'], (wait: number) => Promise<unknown>> = {
    due: async (wait) => {
      await advance(Math.max(0, wait) + 1);
      await makeEarlyProbesDue(db, [tenant.environment], SOONEST_GAIN_SECONDS);
    },
    'half of the wait': (wait) => advance(Math.max(0, wait) / 2),
    'early probe': probe,
    recovery: () => makeDue(false),
    'requested recovery': () => makeDue(true),
  };

  /** Returns whether the attempt was made. */
  async function attempt(delivery: LeasedDelivery, { during, failure }: Step): Promise<boolean> {
    if (during === 'lease is released') {
      await releaseLeases(db, workerId, [delivery]);
      return false;
    }
    if (during === 'sender dies') {
      await advance(LEASE_SECONDS + 1);
      return true;
    }
    const again = during === 'stale socket' ? await send(delivery, { outcome: 'STALE_SOCKET' }) : undefined;
    if (during === 'endpoint comes back') await comeBack();
    if (during === 'recover') await recover();
    await send(again?.item ?? delivery, failure);
    return true;
  }

  async function play(steps: readonly Step[]): Promise<void> {
    await insertDelivery();
    let used = 0;
    for (let index = 0; index < MOST_STEPS; index += 1) {
      const next = steps[index] ?? WHEN_DUE;
      const waiting = await stored();
      await before[next.before](waiting.claimable - waiting.now);
      // One transaction, in which no time passes.
      const { at, delivery } = await db.transaction(async (tx) => {
        const at = await stored(tx);
        return { at, delivery: (await claimDue(tx, workerId, IDLE_ROOM, [tenant.environment]))[0] };
      });
      if (delivery === undefined) continue;
      const place = used + Number(at.scheduled <= at.now);
      expect(delivery.attempt - delivery.scheduleFrom).toBe(place);
      // The last one may be repeated by a recovery that begins during it.
      const chosen = place === ATTEMPTS.length ? WHEN_DUE : next;
      if (!(await attempt(delivery, chosen))) continue;
      const after = await stored();
      if (place === ATTEMPTS.length) {
        expect(after.status).toBe('FAILED');
        return;
      }
      if (chosen.during !== 'sender dies') {
        // An early attempt does not change the time of the scheduled one, unless the endpoint asks for a later one.
        const wait = RETRY_SCHEDULE[used]! * JITTER;
        const [earliest, latest] = place === used ? [at.scheduled, at.scheduled] : [at.now + wait, after.now + wait];
        expect(after.status).toBe('RETRYING');
        expect(after.scheduled).toBeGreaterThan(earliest - ROUNDED);
        expect(after.scheduled).toBeLessThan(Math.max(latest, after.now + ASKED_SECONDS * JITTER) + ROUNDED);
      }
      used = place;
    }
    throw new Error(`The delivery has not failed after ${used} scheduled attempts.`);
  }

  test('makes all attempts of its schedule at their times, whatever early ones come between', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: RANDOM_STEPS, size: 'max' }), play), HISTORIES);
  });
});
