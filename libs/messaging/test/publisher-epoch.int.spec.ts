import { compareSequences, type EventOf } from '@pay/contracts';
import { migrate, openDatabase, statement } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { amqpUrl, eventually, failOnLeaks, testNamespace } from '@pay/testing';
import { checkEpoch, outboxOnly, raiseEpoch, readEpoch } from '../src';
import { dropNamespace } from './support';
import { anEvent, aPlace, aService, migrations, publishAll, QUEUE, silentLog, type Place } from './fixture';
import { ask, replicatedPostgres, type ReplicatedPostgres } from './promoted-standby';

failOnLeaks();

const gauge = { set: () => undefined };
const RAISE = 'update publisher_epoch set base = base + 1';

describe('the epoch of published events', () => {
  let place: Place;
  beforeEach(async () => (place = await aPlace()));
  afterEach(() => place.drop());

  async function consuming() {
    const service = await aService(place);
    const got: EventOf[] = [];
    const epochOf = (id: string) => got.find((event) => event.id === id)?.epoch;
    const start = () => {
      service.start(service.messaging.relay());
      service.start(
        service.messaging.consumer({ queue: QUEUE, handle: (_, events) => Promise.resolve(void got.push(...events)) }),
      );
    };
    return { service, got, epochOf, start };
  }

  it('is the epoch of the server and database that committed them', async () => {
    const { service, epochOf, start } = await consuming();
    start();
    const [before, after] = [anEvent(), anEvent()];

    await publishAll(service, [before]);
    await raiseEpoch(service.db);
    await publishAll(service, [after]);

    await eventually(() => epochOf(before.id) !== undefined && epochOf(after.id) !== undefined, 'both have come');
    // A new server writes on timeline 1.
    expect([epochOf(before.id), epochOf(after.id)]).toEqual([1, 2]);
    await service.stop();
  });

  it('stays the epoch of their commit when the sweeper publishes them in a later epoch', async () => {
    const { service, epochOf, start } = await consuming();
    const event = anEvent();
    // The event is only in its row: no relay has it in memory.
    await service.db.transaction((tx) => outboxOnly().publish(tx, [event]));
    await raiseEpoch(service.db);
    start();

    await eventually(() => epochOf(event.id) !== undefined, 'it has come');
    expect(epochOf(event.id)).toBe(1);
    await service.stop();
  });

  it('stays the epoch of their commit when they are replayed in a later epoch', async () => {
    const { service, got, start } = await consuming();
    start();
    const event = anEvent();
    await publishAll(service, [event]);
    await eventually(() => got.length === 1, 'it has come');
    await raiseEpoch(service.db);
    await service.db.execute('delete from inbox');

    await service.db.execute(
      `insert into outbox_replays (queue, types, since) values ($1, '{claim.submitted}', now() - interval '1 hour')`,
      [QUEUE],
    );

    await eventually(() => got.length === 2, 'it has come again');
    expect(got.map(({ epoch }) => epoch)).toEqual([1, 1]);
    await service.stop();
  });

  it('is absent in events that were written by a version without epochs', async () => {
    const { service, got, start } = await consuming();
    const event = anEvent();
    await service.db.execute(
      statement(
        'spec-outbox-before-epochs',
        `with written as (
           insert into outbox (id, type, routing_key, aggregate_id, sequence, merchant_id, body)
           values ($1, $2, $3, $4, 1, null, $5))
         insert into outbox_pending (id, next_try_at) values ($1, clock_timestamp())`,
      ),
      [event.id, event.type, `${event.type}.v1`, event.aggregateId, JSON.stringify(event)],
    );
    start();

    await eventually(() => got.length === 1, 'it has come');
    expect(got[0]).not.toHaveProperty('epoch');
    await service.stop();
  });

  it('is the same for all events of one message, which the signature covers', async () => {
    const { service, got, start } = await consuming();
    start();
    const events = Array.from({ length: 20 }, () => anEvent());

    await publishAll(service, events);

    await eventually(() => got.length === 20, 'all have come');
    expect(new Set(got.map(({ epoch }) => epoch))).toEqual(new Set([1]));
    await service.stop();
  });
});

describe('checkEpoch', () => {
  let place: Place;
  beforeEach(async () => (place = await aPlace()));
  afterEach(() => place.drop());

  const database = () =>
    openDatabase({ url: place.databaseUrl, poolSize: 2, applicationName: 'spec', log: silentLog(), migrations });

  it('raises the epoch of a restored dump above all earlier ones, once', async () => {
    const db = await database();
    await checkEpoch({ db, log: silentLog(), gauge });
    expect(await readEpoch(db)).toBe(1);
    // A dump carries the row of another server.
    await db.execute(`update publisher_epoch set place = '1/2/3', base = 3, epoch = 4`);
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
    const log = createLogger({ service: 'spec', level: 'info', destination });
    let hooks = 0;
    const onNewEpoch = () => Promise.resolve(void (hooks += 1));

    await checkEpoch({ db, log, gauge, onNewEpoch });
    const restored = await readEpoch(db);
    await checkEpoch({ db, log, gauge, onNewEpoch });

    // Seconds since 2026.
    expect(restored).toBeGreaterThan(20_000_000);
    expect(await readEpoch(db)).toBe(restored);
    expect(hooks).toBe(1);
    expect(lines).toMatchObject([{ msg: 'publisher_epoch.changed', epoch: restored, epochBefore: 4 }]);
    await db.close();
  });

  it('never goes back, nor do published events, when an upgrade of the server restarts its timeline', async () => {
    const service = await aService(place);
    // The server before the upgrade wrote on timeline 7.
    await service.db.execute(`update publisher_epoch set place = '1/2/3', base = 1, epoch = 8`);
    const [before, after] = [anEvent(), anEvent()];
    const epochOf = async ({ id }: { id: string }) =>
      (await service.db.query<{ epoch: number }>('select epoch from outbox where id = $1', [id]))[0]?.epoch;

    await publishAll(service, [before]);
    const read = await readEpoch(service.db);
    await checkEpoch({ db: service.db, log: silentLog(), gauge });
    await publishAll(service, [after]);

    expect([await epochOf(before), read]).toEqual([8, 8]);
    expect(await epochOf(after)).toBeGreaterThan(8);
    await service.stop();
  });

  it('stays above an epoch that was made with a wrong clock', async () => {
    const db = await database();
    await db.execute(`update publisher_epoch set place = '1/2/3', base = 2000000000, epoch = 2000000001`);

    await checkEpoch({ db, log: silentLog(), gauge });

    expect(await readEpoch(db)).toBeGreaterThan(2_000_000_001);
    await db.close();
  });

  it('does not store a new epoch when its hook fails, and runs the hook again later', async () => {
    const db = await database();
    await checkEpoch({ db, log: silentLog(), gauge });
    await db.execute(RAISE);
    let fails = true;
    let done = 0;
    const onNewEpoch = () => {
      if (fails) return Promise.reject(new Error('not now'));
      done += 1;
      return Promise.resolve();
    };

    await expect(checkEpoch({ db, log: silentLog(), gauge, onNewEpoch })).rejects.toThrow('not now');
    fails = false;
    await checkEpoch({ db, log: silentLog(), gauge, onNewEpoch });
    await checkEpoch({ db, log: silentLog(), gauge, onNewEpoch });

    expect(done).toBe(1);
    await db.close();
  });
});

describe('a standby that is promoted without the last commit', () => {
  let servers: ReplicatedPostgres;
  const namespace = testNamespace();
  beforeAll(async () => {
    servers = await replicatedPostgres(async (primary) => {
      await ask(primary, `create role writer login password 'spec'`);
      await ask(primary, 'create database spec owner writer');
      await migrate({ url: as('writer', primary.url), migrations, log: silentLog() });
    });
  }, 120_000);
  afterAll(async () => {
    await servers.end();
    await dropNamespace(amqpUrl(), namespace);
  });

  it('publishes a reused sequence with a greater epoch, and checkEpoch reports it', async () => {
    const at = (url: string): Place => ({
      databaseUrl: as('writer', url),
      amqpUrl: amqpUrl(),
      namespace,
      running: new Set(),
      drop: () => Promise.resolve(),
    });
    const [arrived, lost, again] = [1, 2, 2].map((sequence) => anEvent({ aggregateId: 'one', sequence })) as [
      ReturnType<typeof anEvent>,
      ReturnType<typeof anEvent>,
      ReturnType<typeof anEvent>,
    ];
    const got: EventOf[] = [];
    const before = await aService(at(servers.primary.url));
    before.start(before.messaging.relay());
    before.start(
      before.messaging.consumer({ queue: QUEUE, handle: (_, events) => Promise.resolve(void got.push(...events)) }),
    );
    await publishAll(before, [arrived]);
    const outbox = 'select id from outbox';
    await eventually(
      async () => (await ask({ url: as('writer', servers.standby.url) }, outbox)).length === 1,
      'the standby has the first commit',
    );
    await servers.cutOff();
    await publishAll(before, [lost]);
    await eventually(() => got.length === 2, 'consumers have both events');

    await servers.failOver();
    await before.stop();
    const promoted = await aService(at(servers.standby.url));
    expect(await promoted.db.query(outbox)).toEqual([{ id: arrived.id }]);
    promoted.start(promoted.messaging.relay());
    promoted.start(
      promoted.messaging.consumer({ queue: QUEUE, handle: (_, events) => Promise.resolve(void got.push(...events)) }),
    );
    await publishAll(promoted, [again]);

    await eventually(() => got.some(({ id }) => id === again.id), 'the event of the promoted server has come');
    const [theLost, theNew] = [lost, again].map(({ id }) => got.find((event) => event.id === id)!) as [
      EventOf,
      EventOf,
    ];
    expect(theLost.sequence).toBe(theNew.sequence);
    expect([theLost.epoch, theNew.epoch]).toEqual([1, 2]);
    expect(compareSequences(theNew, theLost)).toBeGreaterThan(0);
    expect(await promoted.db.query('select base, epoch from publisher_epoch')).toEqual([{ base: 0, epoch: 2 }]);
    await promoted.stop();
  });
});

function as(role: string, url: string): string {
  const changed = new URL(url);
  changed.username = role;
  changed.password = 'spec';
  changed.pathname = '/spec';
  return changed.toString();
}
