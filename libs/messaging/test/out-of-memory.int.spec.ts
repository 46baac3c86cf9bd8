import { eventually, failOnLeaks } from '@pay/testing';
import { listParked } from '../src';
import { depthOf } from './support';
import {
  anEvent,
  aPlace,
  aService,
  effects,
  idsOf,
  metricOf,
  publishAll,
  QUEUE,
  recording,
  unpublished,
  type Place,
  type RunningService,
} from './fixture';

failOnLeaks();

// The error of a server without memory, for more rows in one statement than `most`, and for every row of the sequence
// 53.
const LITTLE_MEMORY = (most: number) => `
create or replace function refuse_many_rows() returns trigger language plpgsql as $$
begin
  if (select count(*) from added) > ${most} or exists (select from added where sequence = 53) then
    raise exception 'out of memory' using errcode = '53200';
  end if;
  return null;
end $$;
create or replace trigger refuse_many_rows after insert on effects referencing new table as added
  for each statement execute function refuse_many_rows();`;

describe('a server that has no memory for a batch', () => {
  let place: Place;
  let service: RunningService;
  beforeEach(async () => {
    place = await aPlace();
    service = await aService(place);
    service.start(service.messaging.relay());
    await eventually(
      () => depthOf(place.amqpUrl, place.namespace, QUEUE).then((depth) => depth === 0),
      'the queue is there',
    );
  });
  afterEach(() => place.drop());

  it('receives smaller batches, and every event is handled once', async () => {
    await service.db.execute(LITTLE_MEMORY(3));
    const events = Array.from({ length: 40 }, () => anEvent());
    await publishAll(service, events);
    await eventually(async () => (await unpublished(service.db)) === 0, 'all of them wait in the queue');

    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording }));

    await eventually(async () => (await effects(service.db)).length === events.length, 'all are handled');
    expect((await effects(service.db)).sort()).toEqual(idsOf(events).sort());
    expect(await metricOf(service, 'messaging_consumed_total', { outcome: 'retried' })).toBe(0);
  });

  it('puts an event that fails alone into a retry queue, and handles the others', async () => {
    await service.db.execute(LITTLE_MEMORY(100));
    const failing = anEvent({ sequence: 53 });
    const others = Array.from({ length: 20 }, () => anEvent());
    await publishAll(service, [...others.slice(0, 10), failing, ...others.slice(10)]);
    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording }));

    await eventually(
      async () => (await metricOf(service, 'messaging_consumed_total', { outcome: 'retried' })) > 0,
      'the event waits in a retry queue',
    );
    await eventually(async () => (await effects(service.db)).length === others.length, 'the others are handled');
    await service.db.execute('drop trigger refuse_many_rows on effects');
    await eventually(async () => (await effects(service.db)).includes(failing.id), 'it is handled in a later round');
    expect(await listParked({ url: place.amqpUrl, namespace: place.namespace, queue: QUEUE })).toEqual([]);
  });
});
