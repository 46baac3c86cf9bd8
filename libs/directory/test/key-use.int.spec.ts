import { eventually, failOnLeaks } from '@pay/testing';
import { keyUse, type KeyUse } from '../src/key-use';
import { announce, anApiKey, copyUnderTest, log, outboxOf, type CopyUnderTest, type Replica } from './copy-under-test';

failOnLeaks();

describe('last use of API keys', () => {
  let copy: CopyUnderTest;
  let replica: Replica;
  beforeAll(async () => {
    copy = await copyUnderTest();
    replica = await copy.replica();
  });
  afterAll(() => copy.dispose());

  const reportsOf = async (...ids: string[]) =>
    (await outboxOf(replica.db, 'api_key.used'))
      .map((event) => (event.data as { uses: { apiKeyId: string; usedAt: string }[] }).uses)
      .map((uses) => uses.filter((use) => ids.includes(use.apiKeyId)))
      .filter((uses) => uses.length > 0);

  function reporting({ intervalMs }: { intervalMs: number }) {
    let time = new Date('2026-11-21T10:00:00Z');
    const { db, messaging } = replica;
    const use: KeyUse = keyUse({ db, messaging, service: 'intent-api', log, intervalMs, now: () => time });
    return { use, end: replica.run(use.worker()), at: (text: string) => (time = new Date(text)) };
  }

  it('a thousand uses cause one report with the last time of each key, and no other write', async () => {
    const [one, other] = [anApiKey().fact.id, anApiKey().fact.id];
    const { use, end, at } = reporting({ intervalMs: 60_000 });

    for (let time = 0; time < 1_000; time += 1) use.note(one);
    at('2026-11-21T10:00:30Z');
    use.note(one);
    use.note(other);
    const before = await reportsOf(one, other);
    await end();

    expect(before).toEqual([]);
    await expect(reportsOf(one, other)).resolves.toEqual([
      [
        { apiKeyId: one, usedAt: '2026-11-21T10:00:30.000Z' },
        { apiKeyId: other, usedAt: '2026-11-21T10:00:30.000Z' },
      ],
    ]);
  });

  it('unused keys are not reported again', async () => {
    const [one, other] = [anApiKey().fact.id, anApiKey().fact.id];
    const { use, end } = reporting({ intervalMs: 10 });

    use.note(one);
    await eventually(async () => (await reportsOf(one)).length === 1, 'the first report');
    use.note(other);
    await eventually(async () => (await reportsOf(other)).length === 1, 'the second report');
    await end();

    expect(await reportsOf(one)).toHaveLength(1);
  });

  it('a failed report is repeated later', async () => {
    const one = anApiKey().fact.id;
    const { db, messaging } = replica;
    let failures = 2;
    const failing: typeof db.transaction = (work) => {
      if (failures === 0) return db.transaction(work);
      failures -= 1;
      return Promise.reject(new Error('no database'));
    };
    const use = keyUse({
      db: { transaction: failing },
      messaging,
      service: 'intent-api',
      log,
      intervalMs: 10,
      now: () => new Date(),
    });
    const end = replica.run(use.worker());

    use.note(one);
    await eventually(async () => (await reportsOf(one)).length === 1, 'the report');
    await end();

    expect(failures).toBe(0);
  });

  it('an accepted key counts as used, a refused one does not', async () => {
    const [good, locked] = [anApiKey(), anApiKey({ isLocked: true })];
    await announce(replica, 'api_key.changed', good.fact, locked.fact);
    const end = replica.run(replica.directory.reportKeyUse());

    await eventually(
      async () => (await replica.directory.findApiKey(good.key)) !== undefined,
      'the key is in the copy',
    );
    await expect(replica.directory.findApiKey(locked.key)).resolves.toBeUndefined();
    await end();

    expect(await reportsOf(good.fact.id)).toHaveLength(1);
    expect(await reportsOf(locked.fact.id)).toEqual([]);
  });
});
