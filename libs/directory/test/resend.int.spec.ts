import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { anApiKey, announce, copyUnderTest, outboxOf, type CopyUnderTest, type Replica } from './copy-under-test';

failOnLeaks();

describe('directory re-send', () => {
  const KINDS = ['merchant', 'api_key', 'receiver_account', 'device'] as const;

  let copy: CopyUnderTest;
  let replica: Replica;

  beforeEach(async () => {
    copy = await copyUnderTest();
    replica = await copy.replica();
  });
  afterEach(() => copy.dispose());

  const requests = () => outboxOf(replica.db, 'directory.resend_requested');

  const complete = (kinds: readonly (typeof KINDS)[number][], service = 'intent-api') =>
    announce(replica, 'directory.resend_completed', { service, kinds: [...kinds], requestId: uuidv7() });

  /** Sets the time of the last request to long ago. */
  const passTime = () => replica.db.execute(`update directory_resends set asked_at = asked_at - interval '1 hour'`);

  describe('resendWhenEmpty', () => {
    it('requests all kinds and is ready when all facts have arrived', async () => {
      replica.run(replica.resend);

      const [request] = await eventually(async () => {
        const sent = await requests();
        return sent.length > 0 && sent;
      }, 'a re-send is asked for');
      expect(request?.data).toEqual({ service: 'intent-api', kinds: [...KINDS].sort() });
      expect(replica.resend.isReady?.()).toBe(false);

      const { key, fact } = anApiKey();
      await announce(replica, 'api_key.changed', fact);
      await complete(KINDS);

      await eventually(() => replica.resend.isReady?.(), 'the process is ready');
      await expect(replica.directory.findApiKey(key)).resolves.toMatchObject({ id: fact.id });
    });

    it('sends one request for two processes, and repeats it only after a while without a response', async () => {
      const other = await copy.replica();
      replica.run(replica.resend);
      other.run(other.resend);
      await eventually(async () => (await requests()).length > 0, 'a request is published');
      expect(await requests()).toHaveLength(1);

      await passTime();

      await eventually(async () => (await requests()).length > 1, 'a second request is published');
      expect(await requests()).toHaveLength(2);
    });

    it('requests only missing kinds', async () => {
      await complete(['merchant', 'device']);
      await eventually(
        async () => (await replica.db.query('select from directory_resends')).length === 2,
        'two kinds are complete',
      );

      replica.run(replica.resend);

      const [request] = await eventually(async () => {
        const sent = await requests();
        return sent.length > 0 && sent;
      }, 'a re-send is asked for');
      expect(request?.data).toMatchObject({ kinds: ['api_key', 'receiver_account'] });
    });

    it('ignores the completed re-send of another service', async () => {
      await complete(KINDS, 'sms-ingest');
      await complete(['merchant']);
      await eventually(
        async () => (await replica.db.query('select from directory_resends')).length > 0,
        'the completions have been handled',
      );

      await expect(replica.db.query('select kind from directory_resends')).resolves.toEqual([{ kind: 'merchant' }]);
    });

    it('requests a kind that was complete and has lost all facts once a minute, while the process stays ready', async () => {
      const { fact } = anApiKey();
      await announce(replica, 'api_key.changed', fact);
      await complete(KINDS);
      await eventually(
        async () => (await replica.db.query('select from directory_resends')).length === 4,
        'it is complete',
      );
      replica.run(replica.resend);
      await eventually(() => replica.resend.isReady?.(), 'the process is ready');
      expect(await requests()).toEqual([]);

      // The other kinds never had a fact and were complete a moment ago.
      await replica.db.execute(
        `update directory_resends set completed_at = now() - interval '1 hour' where kind = 'api_key'`,
      );
      await replica.db.execute('delete from directory_facts');

      const [request] = await eventually(async () => {
        const sent = await requests();
        return sent.length > 0 && sent;
      }, 'a re-send is asked for');
      expect(request?.data).toEqual({ service: 'intent-api', kinds: ['api_key'] });
      expect(replica.resend.isReady?.()).toBe(true);
      await announce(replica, 'api_key.changed', fact);
      await complete(['api_key']);
      await eventually(
        async () => (await replica.db.query('select from directory_facts')).length === 1,
        'the fact is stored again',
      );
      expect(await requests()).toHaveLength(1);
    });

    it('makes a running process unready when its copy is emptied, until all facts have arrived again', async () => {
      await complete(KINDS);
      await eventually(
        async () => (await replica.db.query('select from directory_resends')).length === 4,
        'it is complete',
      );
      replica.run(replica.resend);
      await eventually(() => replica.resend.isReady?.(), 'the process is ready');

      await replica.db.execute('truncate directory_facts, directory_resends');

      await eventually(async () => (await requests()).length > 0, 'a re-send is asked for');
      await eventually(() => replica.resend.isReady?.() === false, 'the process is not ready');
      await complete(KINDS);
      await eventually(() => replica.resend.isReady?.(), 'the process is ready again');
    });

    it('sends no request for a complete copy, and the process is ready', async () => {
      await complete(KINDS);
      await eventually(
        async () => (await replica.db.query('select from directory_resends')).length === 4,
        'it is complete',
      );
      await replica.stop();

      replica = await copy.replica();
      replica.run(replica.resend);

      await eventually(() => replica.resend.isReady?.(), 'the process is ready');
      expect(await requests()).toEqual([]);
    });
  });
});
