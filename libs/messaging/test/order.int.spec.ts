import { randomUUID } from 'node:crypto';
import { eventsOf, type EventOf } from '@pay/contracts';
import { amqpUrl, eventually, failOnLeaks } from '@pay/testing';
import type { Transaction } from '@pay/persistence';
import { depthOf } from './support';
import { anEvent, aPlace, aService, publishAll, QUEUE, record, type Place } from './fixture';

failOnLeaks();

/** Applies events strictly in the sequence of their aggregate; early events wait. */
async function strictly(tx: Transaction, events: readonly EventOf[]) {
  const notYet: string[] = [];
  for (const event of eventsOf(events, 'claim.submitted')) {
    const [row] = await tx.query<{ last: string | null }>(
      'select max(sequence) as last from effects where aggregate_id = $1',
      [event.aggregateId],
    );
    if (event.sequence === Number(row?.last ?? 0) + 1) await record(tx, [event]);
    else notYet.push(event.id);
  }
  return { notYet };
}

describe('events of one aggregate', () => {
  let place: Place;
  beforeAll(async () => (place = await aPlace()));
  afterAll(() => place.drop());

  it('that arrive in the wrong order are applied once each in their sequence, and none is parked', async () => {
    const service = await aService(place);
    service.start(service.messaging.relay());
    service.start(service.messaging.consumer({ queue: QUEUE, handle: strictly }));
    const aggregates = Array.from({ length: 5 }, () => randomUUID());

    for (const sequence of [4, 2, 5, 1, 3]) {
      await publishAll(
        service,
        aggregates.map((aggregateId) => anEvent({ aggregateId, sequence })),
      );
    }

    const sequences = async () => {
      const rows = await service.db.query<{ all: string[] }>(
        'select array_agg(sequence order by place) as all from effects group by aggregate_id',
      );
      return rows.map((row) => row.all.map(Number));
    };
    await eventually(async () => (await sequences()).flat().length >= 25, 'all versions are applied');
    expect(await sequences()).toEqual(Array(5).fill([1, 2, 3, 4, 5]));
    await service.stop();
    expect(await depthOf(amqpUrl(), place.namespace, `${QUEUE}.parked`)).toBe(0);
  });

  it('that waits for longer than all retries for an earlier one is not parked, and is applied after it', async () => {
    const service = await aService(place);
    const aggregateId = randomUUID();
    let handled = 0;
    service.start(service.messaging.relay());
    service.start(
      service.messaging.consumer({
        queue: QUEUE,
        handle: (tx, events) => {
          handled += events.length;
          return strictly(tx, events);
        },
      }),
    );

    await publishAll(service, [anEvent({ aggregateId, sequence: 2 })]);
    await eventually(() => handled > MOST_HANDLED, 'the event has waited for more rounds than a failing one');
    await publishAll(service, [anEvent({ aggregateId, sequence: 1 })]);

    await eventually(async () => (await sequencesOf(service, aggregateId)).length === 2, 'both are applied');
    expect(await sequencesOf(service, aggregateId)).toEqual([1, 2]);
    await service.stop();
    expect(await depthOf(amqpUrl(), place.namespace, `${QUEUE}.parked`)).toBe(0);
  });
});

/** A failing message is handled once and after each of its eight retries. */
const MOST_HANDLED = 9;

async function sequencesOf({ db }: Awaited<ReturnType<typeof aService>>, aggregateId: string): Promise<number[]> {
  const rows = await db.query<{ sequence: string }>(
    'select sequence from effects where aggregate_id = $1 order by place',
    [aggregateId],
  );
  return rows.map(({ sequence }) => Number(sequence));
}
