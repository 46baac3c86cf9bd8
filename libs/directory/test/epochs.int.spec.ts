import type { DirectoryKind } from '@pay/contracts';
import { raiseEpoch } from '@pay/messaging';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { anApiKey, announce, copyUnderTest, type CopyUnderTest, type Replica } from './copy-under-test';

failOnLeaks();

/** The owner's events are published from the database of the copy, so its epoch is the owner's. */
describe('facts of an owner that was promoted without its last commit', () => {
  let copy: CopyUnderTest;
  let replica: Replica;
  beforeEach(async () => {
    copy = await copyUnderTest();
    replica = await copy.replica();
  });
  afterEach(() => copy.dispose());

  const works = async (key: string) => (await replica.directory.findApiKey(key)) !== undefined;
  const complete = (facts: number, kinds: readonly DirectoryKind[] = ['api_key']) =>
    announce(replica, 'directory.resend_completed', {
      service: 'intent-api',
      kinds: [...kinds],
      requestId: uuidv7(),
      counts: kinds.map((kind) => ({ kind, facts })),
    });
  const stored = async (id: string) => {
    const [row] = await replica.db.query<{ epoch: number | null; version: string; deleted: boolean }>(
      'select epoch, version, deleted from directory_facts where id = $1',
      [id],
    );
    return row;
  };

  it('replace those of the lost commit: a key that is revoked again is refused', async () => {
    const { key, fact } = anApiKey();
    await announce(replica, 'api_key.changed', fact);
    await eventually(() => works(key), 'the key works');
    // The lost commit: the key was unlocked in version 2.
    await announce(replica, 'api_key.changed', { ...fact, version: 2 });
    await eventually(async () => (await stored(fact.id))?.version === '2', 'the lost version is here');

    await raiseEpoch(replica.db);
    await announce(replica, 'api_key.changed', { ...fact, version: 2, revokedAt: '2026-11-22T10:00:00Z' });

    await eventually(async () => !(await works(key)), 'the key is refused');
    expect(await stored(fact.id)).toMatchObject({ epoch: 2, version: '2' });
  });

  it('are the only active ones after a complete re-send: a key that only the lost commit had created is refused', async () => {
    const [kept, lost] = [anApiKey(), anApiKey()];
    await announce(replica, 'api_key.changed', kept.fact, lost.fact);
    await eventually(() => works(lost.key), 'the lost key works');

    await raiseEpoch(replica.db);
    await announce(replica, 'api_key.changed', kept.fact);
    await complete(1);

    await eventually(async () => !(await works(lost.key)), 'the lost key is refused');
    expect(await works(kept.key)).toBe(true);
    // A late event of the lost commit does not restore it.
    await announce(replica, 'api_key.changed', { ...kept.fact, version: 2 });
    await replica.db.execute('delete from directory_facts where id = $1', [lost.fact.id]);
    // Never below the recorded one, so that one is forgotten.
    await replica.db.execute('update publisher_epoch set base = base - 1, epoch = null');
    await announce(replica, 'api_key.changed', lost.fact);
    await announce(replica, 'api_key.changed', anApiKey().fact);
    await eventually(
      async () => (await replica.db.query('select from outbox_pending')).length === 0,
      'all of it has been published',
    );
    expect(await works(lost.key)).toBe(false);
  });

  it('are deleted only when the re-send is complete, in any order of arrival', async () => {
    const [early, late, next] = [anApiKey(), anApiKey(), anApiKey()];
    await announce(replica, 'api_key.changed', early.fact, late.fact);
    await eventually(() => works(late.key), 'both keys work');
    await raiseEpoch(replica.db);

    await announce(replica, 'api_key.changed', early.fact);
    await complete(3);
    await announce(replica, 'api_key.changed', next.fact);
    await eventually(() => works(next.key), 'the end has come before the last fact');
    expect(await works(late.key)).toBe(true);
    expect(await replica.db.query('select from directory_resends')).toEqual([]);
    await announce(replica, 'api_key.changed', late.fact);

    await eventually(
      async () => (await replica.db.query('select from directory_resends where epoch = 2')).length === 1,
      'the re-send is whole',
    );
    expect([await works(early.key), await works(late.key)]).toEqual([true, true]);
  });

  it('are not deleted when a re-send of the same epoch lacks them', async () => {
    const { key, fact } = anApiKey();
    await announce(replica, 'api_key.changed', fact);
    await eventually(() => works(key), 'the key works');

    await complete(0);

    await eventually(
      async () => (await replica.db.query('select from directory_resends where epoch = 1')).length === 1,
      'the re-send is whole',
    );
    expect(await works(key)).toBe(true);
  });

  it('are reported if they differ within one epoch and version, but not if an owner of another version has more fields', async () => {
    const { fact } = anApiKey();
    await announce(replica, 'api_key.changed', fact);
    await eventually(async () => (await stored(fact.id)) !== undefined, 'the fact is here');
    const reported = jest.spyOn(replica.messaging, 'reportConflict');
    await replica.db.execute(`update directory_facts set data = data - 'scopes' where id = $1`, [fact.id]);

    await announce(replica, 'api_key.changed', fact);
    // Facts of one batch are not compared with each other.
    const last = `select id from outbox where type = 'api_key.changed' order by seq desc limit 1`;
    const handled = `select from inbox where message_id = (${last})`;
    await eventually(async () => (await replica.db.query(handled)).length === 1, 'the repeat is handled');
    await announce(replica, 'api_key.changed', { ...fact, isLocked: true });

    await eventually(() => reported.mock.calls.length > 0, 'the conflict is reported');
    expect(reported.mock.calls).toEqual([[{ subject: 'directory_fact', id: fact.id, epoch: 1, sequence: 1 }]]);
  });
});
