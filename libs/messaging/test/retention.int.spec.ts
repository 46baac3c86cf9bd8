import { failOnLeaks } from '@pay/testing';
import { sweepOldRows } from '../src/retention';
import { anEvent, aPlace, aService, publishAll, type Place } from './fixture';

failOnLeaks();

describe('retention', () => {
  let place: Place;
  beforeAll(async () => (place = await aPlace()));
  afterAll(() => place.drop());

  it('deletes what is past its time, however much, and keeps what is not published', async () => {
    const { db, messaging } = await aService(place);
    await publishAll(
      { db, messaging },
      Array.from({ length: 2_500 }, () => anEvent()),
    );
    await db.execute(`update outbox set created_at = now() - interval '8 days'`);
    await db.execute('delete from outbox_pending');
    const [kept, young] = [anEvent(), anEvent()];
    await publishAll({ db, messaging }, [kept, young]);
    await db.execute(`update outbox set created_at = now() - interval '8 days' where id = $1`, [kept.id]);
    await db.execute('delete from outbox_pending where id = $1', [young.id]);
    await db.execute(`insert into inbox (consumer, message_id, received_at)
      select 'c', gen_random_uuid(), now() - n * interval '1 day' from generate_series(1, 20) n, generate_series(1, 200)`);

    await sweepOldRows(db);

    expect((await db.query('select id from outbox order by seq')).map((row) => row['id'])).toEqual([kept.id, young.id]);
    expect(
      await db.query(`select count(*)::int as n, max(now() - received_at) < interval '14 days' as young from inbox`),
    ).toEqual([{ n: 13 * 200, young: true }]);
  });
});
