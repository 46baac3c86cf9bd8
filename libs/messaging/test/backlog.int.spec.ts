import { failOnLeaks } from '@pay/testing';
import { aPlace, aService, metricOf } from './fixture';

failOnLeaks();

describe('the metrics of unpublished events', () => {
  it('count at most 10,000, and give the age of the oldest event in a larger backlog', async () => {
    const place = await aPlace();
    const service = await aService(place);
    await service.db.execute(
      `insert into outbox_pending (id, next_try_at, created_at)
       select lpad(to_hex(n), 32, '0')::uuid, now(), now() - (20000 - n) * interval '1 second'
         from generate_series(10500, 1, -1) as n`,
    );

    expect(await metricOf(service, 'messaging_outbox_pending', {})).toBe(10_000);
    const oldest = await metricOf(service, 'messaging_outbox_oldest_seconds', {});
    expect(oldest).toBeGreaterThanOrEqual(19_999);
    expect(oldest).toBeLessThan(20_500);
    await service.stop();
    await place.drop();
  });
});
