import { eventually, failOnLeaks } from '@pay/testing';
import { anEvent, aPlace, aService, effects, publishAll, QUEUE, recording, unpublished, type Place } from './fixture';

failOnLeaks();

/** The columns of the previous version in the events table, for the time when both versions run. */
describe('a process of the version that marked published events in the outbox', () => {
  let place: Place;
  beforeAll(async () => (place = await aPlace()));
  afterAll(() => place.drop());

  const WRITE = `insert into outbox (id, type, routing_key, target_queue, aggregate_id, sequence, merchant_id, body, next_try_at)
    values ($1, $2, $3, null, $4, $5, null, $6, clock_timestamp())`;
  const MARK = 'update outbox set published_at = clock_timestamp() where id = any($1::uuid[]) and published_at is null';
  const DUE = 'select id from outbox where published_at is null and next_try_at <= clock_timestamp()';
  const written = (event: ReturnType<typeof anEvent>) => [
    ...[event.id, event.type, `${event.type}.v${event.version}`, event.aggregateId, event.sequence],
    JSON.stringify(event),
  ];

  it('may die after its commit without losing its events', async () => {
    const service = await aService(place);
    const event = anEvent();
    await service.db.execute(WRITE, written(event));

    service.start(service.messaging.relay());
    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording }));

    await eventually(async () => (await effects(service.db)).includes(event.id), 'its event is handled');
    await eventually(async () => (await unpublished(service.db)) === 0, 'it is settled');
    await service.stop();
  });

  it('publishes the events that it has written, and no others', async () => {
    const service = await aService(place);
    const [old, young] = [anEvent(), anEvent()];
    await service.db.execute(WRITE, written(old));
    await publishAll(service, [young]);
    expect(await unpublished(service.db)).toBe(2);

    await service.db.execute(MARK, [[old.id]]);

    expect(await service.db.query('select id from outbox_pending')).toEqual([{ id: young.id }]);
    expect(await service.db.query(DUE)).not.toContainEqual({ id: young.id });
    await service.stop();
  });
});
