import { eventually, failOnLeaks } from '@pay/testing';
import { BREAKER_WEIGHT } from '../src/domain/breaker';
import { anEvent } from './service-under-test';
import { stage } from './stage';

failOnLeaks();

const FAILING = 10;
/** Each time that they open the breaker, as many of them have failed early for the first time. */
const MOST_OPENINGS = FAILING / BREAKER_WEIGHT;

describe(`an endpoint with ${FAILING} deliveries that always fail and wait for a retry`, () => {
  const on = stage();
  let endpointId: string;

  const pause = (): Promise<unknown> =>
    eventually(
      async () =>
        (await on.service.db.execute(
          `update endpoints set failing_since = now(), breaker_until = now() + interval '1 hour', breaker_wait = 3
           where id = $1 and not exists (select from deliveries where endpoint_id = $1 and lease_owner is not null)`,
          [endpointId],
        )) === 1,
      'the endpoint is paused without a request in progress',
    );
  const pending = async (): Promise<number> => (await on.deliveries('?status=PENDING&limit=100')).length;

  beforeEach(async () => {
    endpointId = await on.register();
    on.shop.respondWith(({ headers }) => ({ status: headers['x-webhook-event'] === 'payment.paid' ? 500 : 200 }));
    await pause();
    await on.service.announce(...Array.from({ length: FAILING }, () => anEvent('intent.paid', on.merchant)));
    await eventually(async () => (await pending()) === FAILING, 'they are planned');
    await on.service.db.execute(
      `update deliveries set attempt = 1, status = 'RETRYING', next_attempt_at = now() + interval '1 day' where endpoint_id = $1`,
      [endpointId],
    );
  });

  /** Returns whether the breaker is open after the recovery. */
  async function sendNewEvent(): Promise<boolean> {
    await pause();
    await on.service.announce(anEvent('intent.expired', on.merchant));
    await eventually(async () => (await pending()) === 1, 'a new event waits');
    const sent = on.shop.requests.length;
    await on.service.db.execute('update endpoints set breaker_until = now() where id = $1', [endpointId]);
    await eventually(async () => (await pending()) === 0, 'the new event is sent');

    expect(on.shop.requests[sent]?.headers['x-webhook-event']).toBe('payment.expired');
    const { isBroken } = await eventually(
      async () =>
        (
          await on.service.db.query<{ isBroken: boolean }>(
            `select breaker_until is not null as "isBroken" from endpoints
             where id = $1 and not exists (select from recoveries where endpoint_id = $1 and finished_at is null)
               and (breaker_until is not null or not exists (
                 select from deliveries where endpoint_id = $1 and next_attempt_at < now() + interval '1 hour'))`,
            [endpointId],
          )
        )[0],
      'the recovery is over',
    );
    return isBroken;
  }

  test('receives a new event before all of them, and they cannot keep its breaker open', async () => {
    let openings = 0;
    while (openings <= MOST_OPENINGS && (await sendNewEvent())) openings += 1;

    expect(openings).toBeLessThanOrEqual(MOST_OPENINGS);
    const [failing] = await on.service.db.query(
      `select count(*)::int as count, max(attempt - schedule_from) as used, min(next_attempt_at) > now() as "isScheduled"
       from deliveries where endpoint_id = $1 and status = 'RETRYING'`,
      [endpointId],
    );
    expect(failing).toEqual({ count: FAILING, used: 1, isScheduled: true });
  });
});
