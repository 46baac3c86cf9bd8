import { eventually, failOnLeaks } from '@pay/testing';
import { raiseEpoch, replayCli } from '../src';
import type { EventOf } from '@pay/contracts';
import {
  anEvent,
  aPlace,
  aService,
  effects,
  idsOf,
  publishAll,
  QUEUE,
  record,
  type Place,
  type RunningService,
} from './fixture';
import { withSettingsInFiles } from './settings-in-files';

failOnLeaks();

describe('the replay command', () => {
  let place: Place;
  let service: RunningService;
  /** Includes events of transactions that are not committed yet. */
  const handled: EventOf[] = [];
  beforeEach(async () => {
    handled.length = 0;
    place = await aPlace('checkout-api');
    service = await aService(place, { service: 'checkout-api' });
    service.start(service.messaging.relay());
    service.start(
      service.messaging.consumer({
        queue: QUEUE,
        async handle(tx, events) {
          handled.push(...events);
          await record(tx, events);
        },
      }),
    );
  });
  afterEach(() => place.drop());

  async function run(...args: string[]): Promise<{ code: number; text: string }> {
    let text = '';
    const code = await replayCli(args, { DATABASE_URL: place.databaseUrl }, (part) => (text += part));
    return { code, text };
  }
  const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

  it('lets a consumer whose database was rolled back handle the lost events in their epoch, and reports progress', async () => {
    const events = Array.from({ length: 700 }, () => anEvent());
    await publishAll(service, events);
    await eventually(async () => (await effects(service.db)).length === 700, 'all events are handled', {
      timeoutMs: 60_000,
    });
    const lost = idsOf(events).slice(650);
    await service.db.execute('delete from inbox where message_id = any($1::uuid[])', [lost]);
    await raiseEpoch(service.db);
    handled.length = 0;

    const { code, text } = await run('request', 'checkout-api', `--since=${hourAgo()}`, '--wait');

    expect(code).toBe(0);
    expect(text).toContain(`requested ${QUEUE}`);
    expect(text).toMatch(/reconciler\.events: since .*, 700 events, finished at /);
    await eventually(async () => (await effects(service.db)).length === 750, 'what was lost is handled', {
      timeoutMs: 60_000,
    });
    expect((await effects(service.db)).slice(700).sort()).toEqual([...lost].sort());
    expect(new Set(handled.map(({ epoch }) => epoch))).toEqual(new Set([1]));
  });

  it('replays to one queue when it is named, and nothing from before the time', async () => {
    const event = anEvent();
    await publishAll(service, [event]);
    await eventually(async () => (await effects(service.db)).length === 1, 'it is handled');

    const future = new Date(Date.now() + 3_600_000).toISOString();
    const { text } = await run('request', 'checkout-api', `--since=${future}`, `--queue=${QUEUE}`, '--wait');

    expect(text).toMatch(/requested reconciler\.events\nreconciler\.events: .* 0 events, at the start/);
    expect(text).toMatch(/0 events, finished at /);
    expect((await run('status')).text).toMatch(/^reconciler\.events: .*finished at .*\n$/);
  });

  it('reads DATABASE_URL from a file, as in a container', async () => {
    await run('request', 'checkout-api', `--since=${hourAgo()}`, `--queue=${QUEUE}`);
    let text = '';

    await withSettingsInFiles({ DATABASE_URL: place.databaseUrl }, async (environment) =>
      expect(await replayCli(['status'], environment, (part) => (text += part))).toBe(0),
    );

    expect(text).toContain(QUEUE);
  });

  it.each([
    [[]],
    [['request', 'checkout-api']],
    [['request', 'nobody', '--since=2026-11-22T10:00:00Z']],
    [['request', 'checkout-api', '--since=yesterday']],
    [['request', 'checkout-api', '--since=2026-11-22T10:00:00Z', '--queue=nowhere']],
  ])('prints its usage for %j', async (args) => {
    const { code, text } = await run(...args);

    expect(code).toBe(2);
    expect(text).toMatch(/^.+[.]\n\nreplay request <service>/);
  });

  it('prints an error when the service publishes no events to the queue', async () => {
    const { code, text } = await run(
      ...['request', 'checkout-api', `--since=${hourAgo()}`, '--queue=webhook-dispatcher.events'],
    );

    expect([code, text]).toEqual([1, 'checkout-api publishes no events to webhook-dispatcher.events\n']);
  });
});
