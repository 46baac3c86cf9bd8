import type { Database } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { claimDue, type ClaimedDelivery } from '../src/delivery/delivery-repository';
import { LONGEST_BREAK_SECONDS, SOONEST_GAIN_SECONDS } from '../src/domain/breaker';
import { makeEarlyProbesDue } from '../src/recovery/early-probe-repository';
import { answeredSender, type SendAnswered } from './answered-sender';
import { IDLE_ROOM, log, openBeforeAll } from './open-before-all';

failOnLeaks();

/** More than are compared. */
const MANY = 150;
/** Of a working endpoint that refuses the deliveries. */
const REFUSED = { outcome: 'HTTP_5XX', httpStatus: 500 } as const;

describe('an endpoint that receives one probe in five minutes', () => {
  let db: Database;
  openBeforeAll((opened) => (db = opened));
  let send: SendAnswered;
  const workerId = uuidv7();
  const merchantId = uuidv7();
  const endpointId = uuidv7();

  beforeAll(() => {
    send = answeredSender({ db, workerId, log });
  });
  beforeEach(async () => {
    await db.execute('truncate endpoints, deliveries, attempts, recoveries');
    await db.execute(
      `insert into endpoints (id, merchant_id, environment, url, event_types, sealed_secret, is_verified, failing_since,
         breaker_wait, breaker_until)
       values ($1, $2, 'LIVE', 'https://shop.example', '{payment.paid}', 'x', true, now(), $3, now() + make_interval(secs => $3))`,
      [endpointId, merchantId, LONGEST_BREAK_SECONDS],
    );
  });

  interface Group {
    readonly count: number;
    readonly failedEarly: boolean;
    /** SQL intervals; `number` counts the deliveries of the group from 1. */
    readonly dueIn: string;
    readonly scheduledIn?: string;
    readonly triedAgo: string;
  }
  async function insert({ count, failedEarly, dueIn, scheduledIn, triedAgo }: Group): Promise<ReadonlySet<string>> {
    const inserted = await db.query<{ id: string }>(
      `with inserted as (
         insert into deliveries (id, endpoint_id, merchant_id, environment, event_id, event_type, occurred_at, idempotency_key, body,
           status, attempt, next_attempt_at, planned_at, failed_early, early_failures)
         select id, $1, $2, 'LIVE', id, 'webhook.test', now(), id::text, '{}', 'RETRYING', number, now() + ${dueIn},
           now() + ${scheduledIn ?? 'null::interval'}, $4, case when $4 then 8 else 0 end
         from (select gen_random_uuid() as id, number from generate_series(1, $3::int) number) new
         returning id, attempt
       )
       insert into attempts (delivery_id, attempt, trigger, started_at, finished_at, outcome, worker_id)
       select id, attempt, 'schedule', now() - ${triedAgo}, now(), 'HTTP_5XX', $1
       from (select id, attempt, attempt as number from inserted) tried returning delivery_id as id`,
      [endpointId, merchantId, count, failedEarly],
    );
    // Place 9 of the schedule, whatever their numbers of attempts are.
    await db.execute('update deliveries set schedule_from = attempt - 9');
    return new Set(inserted.map(({ id }) => id));
  }
  const alwaysFailing = (count: number) =>
    insert({
      count,
      failedEarly: true,
      dueIn: `interval '-1 second' * number`,
      scheduledIn: `interval '12 hours'`,
      triedAgo: `interval '1 hour' + interval '1 second' * number`,
    });
  const waiting = (count: number) =>
    insert({
      count,
      failedEarly: false,
      dueIn: `interval '6 hours' + interval '1 second' * number`,
      triedAgo: `interval '1 minute' + interval '1 second' * number`,
    });

  const advance = async (): Promise<void> => {
    const by = `make_interval(secs => ${LONGEST_BREAK_SECONDS + 1})`;
    await db.execute(
      `update deliveries set next_attempt_at = next_attempt_at - ${by}, planned_at = planned_at - ${by}`,
    );
    await db.execute(`update attempts set started_at = started_at - ${by}`);
    await db.execute(
      `update endpoints set breaker_until = breaker_until - ${by}, early_probes_from = early_probes_from - ${by}`,
    );
  };
  const claim = () => claimDue(db, workerId, IDLE_ROOM, ['LIVE']);
  /** Ends the pause. Returns the deliveries that are sent then, and all fail. */
  async function probe(): Promise<ClaimedDelivery[]> {
    await advance();
    const claimed = await claim();
    if (claimed.length === 0) {
      await makeEarlyProbesDue(db, ['LIVE'], SOONEST_GAIN_SECONDS);
      claimed.push(...(await claim()));
    }
    for (const delivery of claimed) await send(delivery, REFUSED);
    return claimed;
  }
  const probes = async (count: number): Promise<string[]> => {
    const sent: string[] = [];
    for (let slot = 0; slot < count; slot += 1) {
      const claimed = await probe();
      expect(claimed).toMatchObject([{ trigger: 'probe' }]);
      sent.push(claimed[0]!.id);
    }
    return sent;
  };
  const alternates = (sent: readonly string[], group: ReadonlySet<string>): boolean =>
    sent.every((id, index) => index === 0 || group.has(id) !== group.has(sent[index - 1]!));

  test.each([3, 7, MANY])(
    'is probed every second time with a delivery that waits for hours while %i that always fail are due',
    async (count) => {
      await alwaysFailing(count);
      const others = await waiting(1);

      expect(alternates(await probes(8), others)).toBe(true);
    },
  );

  test('is probed every second time with a delivery that failed early, although others always fail as the probe', async () => {
    const failedEarly = await alwaysFailing(1);
    await waiting(7);

    expect(alternates(await probes(8), failedEarly)).toBe(true);
  });

  test.each([7, MANY])('is probed with each of %i deliveries that have all failed early in turn', async (count) => {
    await alwaysFailing(count);

    expect(new Set(await probes(7)).size).toBe(7);
  });

  test('is probed with a delivery at its scheduled time before those that failed early, also if they are older', async () => {
    await alwaysFailing(7);
    const scheduled = await insert({
      count: 1,
      failedEarly: true,
      dueIn: `interval '0'`,
      scheduledIn: `interval '0'`,
      triedAgo: `interval '1 hour'`,
    });

    const [first] = await probe();
    expect([...scheduled]).toEqual([first!.id]);
    // It uses up a scheduled attempt.
    expect(first).toMatchObject({ earlyFailures: null, trigger: 'probe' });
  });

  test('is probed only with deliveries that are due, also those that failed early, before the time that it asked for', async () => {
    const failedEarly = await alwaysFailing(3);
    await waiting(1);
    await db.execute(`update endpoints set early_probes_from = now() + interval '1 hour'`);

    const sent = await probes(3);
    expect(new Set(sent)).toEqual(failedEarly);
    expect(await probe()).toEqual([]);
  });

  test('is probed again with a delivery that failed early and whose worker has died', async () => {
    await alwaysFailing(2);
    await waiting(1);
    await advance();
    await db.execute(
      `update deliveries set lease_owner = gen_random_uuid(), next_attempt_at = now() - interval '1 hour' where failed_early`,
    );

    expect(await claim()).toMatchObject([{ trigger: 'probe', earlyFailures: 8 }]);
  });
});
