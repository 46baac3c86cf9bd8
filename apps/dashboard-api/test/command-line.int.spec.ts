import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropNamespace, testEventKeySettings } from '@pay/messaging/testing';
import { Secret, TOTP } from 'otpauth';
import { amqpUrl, eventually, failOnLeaks, promptly, testNamespace } from '@pay/testing';
import { parseCommandLine } from '../src/cli/parse-command-line';
import { buildBundles, type Bundles, type Outcome } from './bundles';
import { startCopy } from './copy-of-directory';
import { aPerson, Browser, loggedIn } from './people';
import {
  migratedDatabase,
  PEER_SECRETS,
  SESSION_SECRET,
  startService,
  type ServiceUnderTest,
} from './service-under-test';

failOnLeaks();
// Every command is a process that loads its packages.

const eventKeys = testEventKeySettings('dashboard-api');

describe('the command line', () => {
  let service: ServiceUnderTest;
  let bundles: Bundles;
  let env: Record<string, string>;
  let folder: string;

  beforeAll(async () => {
    [service, bundles] = await Promise.all([startService(), buildBundles()]);
    env = { DATABASE_URL: service.databaseUrl };
    folder = mkdtempSync(join(tmpdir(), 'seed-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    bundles.remove();
    await service.stop();
  });

  const cli = (...words: string[]) => bundles.run('cli', words, env);

  /** The command without the process around it. */
  function answerOf(...words: string[]): Promise<any> {
    const line = parseCommandLine(words);
    if (line.kind !== 'run') throw new Error('only help');
    return service.change((deps, tx) => line.command.run({ ...deps, mails: service.mails }, tx, line.input));
  }

  it('sets up a merchant from nothing, and every step is in the audit log under a name', async () => {
    const created = await cli('create-merchant', '--name=Rahim Electronics', '--methods=BKASH_SEND_MONEY');
    const { merchantId } = created.answer;
    const of = [`--merchant=${merchantId}`, '--environment=sandbox'];
    const owner = await answerOf('create-owner', of[0]!, '--email=rahim@electronics.example');
    const key = (await cli('issue-api-key', ...of, '--scopes=payments:read')).answer;
    const { deviceId, deviceKey } = await answerOf('connect-device', ...of, '--name=Counter');
    const receiver = await answerOf(
      ...['add-receiver-account', ...of, '--method=bkash_send_money', '--msisdn=01712345678', `--device=${deviceId}`],
    );

    expect(owner).toMatchObject({ role: 'OWNER', email: 'rahim@electronics.example', password: expect.any(String) });
    expect(key.apiKey).toMatch(/^sk_test_[0-9A-Za-z]{38}$/);
    expect(deviceKey).toMatch(/^dk_test_[0-9A-Za-z]{38}$/);
    expect(receiver.sims).toEqual([{ simSlot: null, receiverAccountIds: [receiver.receiverAccountId] }]);
    const audit = await service.db.query<{ actor: string; action: string }>(
      'select actor, action from audit_log where merchant_id = $1 order by at, id',
      [merchantId],
    );
    expect(audit.map(({ action }) => action)).toEqual([
      'merchant.created',
      'user.created',
      'api_key.issued',
      'device.connected',
      'receiver_account.added',
      'device.receivers_attached',
    ]);
    expect(audit[0]?.actor).toMatch(/^cli:.+/);
  });

  it('changes existing records, and lists them without hashes and secrets', async () => {
    const { merchantId } = await answerOf('create-merchant', '--name=Karim Books', '--support-phone=16247');
    const of = [`--merchant=${merchantId}`, '--environment=LIVE'];
    const { apiKeyId, apiKey } = await answerOf('issue-api-key', ...of);
    const wallet = ['--method=NAGAD_PAYMENT', '--msisdn=01912345678'];
    const { receiverAccountId } = await answerOf('add-receiver-account', ...of, ...wallet);
    const { deviceId } = await answerOf('connect-device', ...of);

    await answerOf('lock-api-key', `--key=${apiKeyId}`);
    await answerOf('set-receiver-account', `--receiver=${receiverAccountId}`, '--active=false');
    await answerOf('disable-device', `--device=${deviceId}`);
    await answerOf(
      'set-merchant',
      of[0]!,
      '--active=false',
      '--methods=NAGAD_PAYMENT',
      '--website=https://karim.example',
    );

    const lists = {
      ...(await answerOf('list-api-keys', of[0]!)),
      ...(await answerOf('list-receiver-accounts', of[0]!)),
      ...(await answerOf('list-devices', of[0]!)),
    };
    expect(lists).toMatchObject({
      apiKeys: [{ id: apiKeyId, isLocked: true, version: 2 }],
      receiverAccounts: [{ id: receiverAccountId, isActive: false }],
      devices: [{ id: deviceId, isDisabled: true, sims: [{ simSlot: null, receiverAccountIds: [receiverAccountId] }] }],
    });
    expect(JSON.stringify(lists)).not.toMatch(/keyHash/);
    expect(JSON.stringify(lists)).not.toContain(apiKey);
    const { merchants } = await answerOf('list-merchants');
    expect(merchants).toContainEqual(
      expect.objectContaining({
        id: merchantId,
        isActive: false,
        enabledMethods: ['NAGAD_PAYMENT'],
        support: { phone: '16247', email: null, website: 'https://karim.example' },
      }),
    );
  });

  it('resets a forgotten password, ends all sessions and informs the person', async () => {
    const person = await aPerson(service);
    const browser = await loggedIn(service, person);

    const { password, ...answer } = await answerOf('reset-password', `--email=${person.email.toUpperCase()}`);

    expect(answer).toEqual({ userId: person.userId, email: person.email, endedSessions: 1, isMailed: true });
    expect((await browser.refresh()).status).toBe(401);
    expect((await new Browser(service).logIn(person)).status).toBe(401);
    expect((await new Browser(service).logIn({ ...person, password })).status).toBe(200);
    const entries = await service.audited(person.userId);
    expect(entries.map(({ action }) => action)).toContain('user.password_reset');
    expect(JSON.stringify(entries)).not.toContain(password);
    const mail = await service.mailTo(person.email);
    expect(mail.subject).toContain('Your password was reset');
    expect(mail.text).not.toContain(password);
  });

  it('disables the second factor of a lost authenticator, ends all sessions and informs the person', async () => {
    const person = await aPerson(service);
    const browser = await loggedIn(service, person);
    const { secret } = (await browser.post('/v1/auth/2fa/enrol', { password: person.password })).body;
    await browser.post('/v1/auth/2fa/confirm', { code: TOTP.generate({ secret: Secret.fromBase32(secret) }) });
    expect((await new Browser(service).logIn(person)).body.code).toBe('TOTP_REQUIRED');

    const answer = await answerOf('disable-second-factor', `--email=${person.email}`);

    expect(answer).toEqual({ userId: person.userId, email: person.email, endedSessions: 1, isMailed: true });
    expect((await browser.refresh()).status).toBe(401);
    expect((await new Browser(service).logIn(person)).status).toBe(200);
    expect((await service.audited(person.userId)).map(({ action }) => action)).toContain('user.two_factor_disabled');
    expect((await service.mailTo(person.email)).subject).toContain('Two-factor authentication was disabled');
    await expect(answerOf('disable-second-factor', `--email=${person.email}`)).rejects.toThrow('has no second factor');
  });

  it('with a broker a change has been published when the command ends, also while dashboard-api is not running', async () => {
    const [database, namespace] = [await migratedDatabase(), testNamespace()];
    const copy = await startCopy(namespace);
    try {
      const broker = { DATABASE_URL: database.url, AMQP_URL: amqpUrl(), AMQP_NAMESPACE: namespace, ...eventKeys };

      const { answer } = await bundles.run('cli', ['create-merchant', '--name=Salma Stores'], broker);

      await eventually(() => copy.directory.merchant(answer.merchantId), 'the copy has it');
    } finally {
      await copy.stop();
      await dropNamespace(amqpUrl(), namespace);
      await database.drop();
    }
  });

  it('without a broker the running service publishes a change in less than two seconds', async () => {
    await promptly(2_000, async () => {
      const { merchantId } = (await cli('create-merchant', '--name=Jamal Tea')).answer;

      const [row] = await eventually(async () => {
        const rows = await service.db.query<{ ms: number }>(
          `select extract(epoch from clock_timestamp() - created_at)::float8 * 1000 as ms from outbox
           where aggregate_id = $1 and id not in (select id from outbox_pending)`,
          [merchantId],
        );
        return rows.length > 0 && rows;
      }, 'the event is published');
      return row!.ms;
    });
  });

  it('stores the change without a reachable broker and says which process will publish it', async () => {
    const nowhere = { ...env, ...eventKeys, AMQP_URL: 'amqp://127.0.0.1:1' };

    const outcome = await bundles.run('cli', ['create-merchant', '--name=Nadia Shoes'], nowhere);

    expect(outcome).toMatchObject({ code: 0, answer: { merchantId: expect.any(String) } });
    expect(outcome.stderr).toContain('AMQP_URL cannot be reached; the running dashboard-api will publish');
  });

  it('stores the change without the keys of events and says which process will publish it', async () => {
    const keyless = { ...env, AMQP_URL: amqpUrl(), AMQP_NAMESPACE: service.namespace };

    const outcome = await bundles.run('cli', ['create-merchant', '--name=Rahima Textiles'], keyless);

    expect(outcome).toMatchObject({ code: 0, answer: { merchantId: expect.any(String) } });
    expect(outcome.stderr).toContain('EVENT_SIGNING_KEYS is not set; the running dashboard-api will publish');
  });

  it.each<[string, string[], number, string]>([
    ['a missing argument', ['issue-api-key', '--environment=LIVE'], 2, 'issue-api-key: --merchant is required\n'],
    [
      'a merchant that does not exist',
      ['issue-api-key', '--environment=LIVE', '--merchant=01939e5c-0000-7000-8000-000000000001'],
      2,
      'issue-api-key: merchant: there is no merchant 01939e5c-0000-7000-8000-000000000001\n',
    ],
    ['an unknown command', ['make-coffee'], 2, 'cli: make-coffee: unknown command; use one of create-merchant, '],
  ])('%s is one sentence, an example of the right form, and an exit code', async (_name, words, code, sentence) => {
    const outcome = await cli(...words);
    const [first, example] = outcome.stderr.split('\n');

    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(`${first}\n`).toContain(sentence);
    expect(example).toMatch(/^Example: node dist\/apps\/dashboard-api\/cli\.js (?:issue-api-key|create-merchant) --/);
  });

  it('reports a database that is missing, not configured or not migrated, without its password', async () => {
    const missing = await bundles.run('cli', ['list-merchants'], {});
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toContain('DATABASE_URL: is required');

    const inProduction = await bundles.run('cli', ['list-merchants'], { ...env, NODE_ENV: '' });
    expect(inProduction).toMatchObject({ code: 2, stdout: '' });
    expect(inProduction.stderr).toContain('DATABASE_URL: must not be used in production: its password');

    const nowhere = { DATABASE_URL: 'postgres://dashboard_api:a-password@127.0.0.1:1/pay' };
    const refused = await bundles.run('cli', ['list-merchants'], nowhere);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('ECONNREFUSED');
    expect(refused.stderr).not.toContain('a-password');
  });

  describe('seed', () => {
    const counts = async () => {
      const [row] = await service.db.query(
        `select (select count(*) from merchants) as merchants, (select count(*) from users) as users,
                (select count(*) from api_keys) as keys, (select count(*) from receiver_accounts) as receivers,
                (select count(*) from devices) as devices, (select count(*) from audit_log) as audit,
                (select count(*) from outbox) as events`,
      );
      return row;
    };

    const save = (name: string, content: unknown) => {
      const path = join(folder, name);
      writeFileSync(path, JSON.stringify(content), { mode: 0o600 });
      return path;
    };

    it('makes two merchants of what make-seed printed, answers their ids, and a second run writes nothing', async () => {
      const { answer: seed } = await bundles.run('make-seed', []);
      const path = save('seed.json', seed);

      const first = await bundles.run('seed', [path], env);
      const after = await counts();
      const second = await bundles.run('seed', [path], env);

      expect(first).toMatchObject({ code: 0, stderr: '' });
      expect(second.answer).toEqual(first.answer);
      await expect(counts()).resolves.toEqual(after);
      expect(first.answer.merchants).toMatchObject([
        { id: seed.merchants[0].id, sandbox: { deviceId: seed.merchants[0].sandbox.deviceId } },
        { id: seed.merchants[1].id, live: { receivers: seed.merchants[1].live.receivers } },
      ]);
      const secrets: string[] = seed.merchants.flatMap(({ owner, sandbox, live }: Outcome['answer']) => [
        owner.password,
        ...[sandbox, live].flatMap(({ apiKey, deviceKey }) => [apiKey, deviceKey]),
      ]);
      const [stored] = await service.db.query<{ text: string }>(
        `select (select string_agg(body, '') from outbox) || (select string_agg(a::text, '') from audit_log a)
             || (select string_agg(u::text, '') from users u) || (select string_agg(d::text, '') from devices d) as text`,
      );
      expect(secrets).toHaveLength(10);
      for (const secret of secrets) {
        expect(first.stdout).not.toContain(secret);
        expect(stored?.text).not.toContain(secret);
        expect(service.lines.join()).not.toContain(secret);
      }
    });

    it('a broken seed names its fields and writes nothing', async () => {
      const { answer: seed } = await bundles.run('make-seed', []);
      const wrong = structuredClone(seed);
      wrong.merchants[1].sandbox.apiKey = wrong.merchants[0].live.apiKey;
      const before = await counts();

      const outcome = await bundles.run('seed', [save('wrong.json', wrong)], env);

      expect(outcome).toMatchObject({ code: 2, stdout: '' });
      expect(outcome.stderr).toBe('seed: merchants.1.sandbox.apiKey: must be a whole key that begins with sk_test_\n');
      await expect(counts()).resolves.toEqual(before);
      const nothing = await bundles.run('seed', [join(folder, 'nothing.json')], env);
      expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing.json: ENOENT') });
    });
  });

  it('the service itself starts, is ready, answers, and ends cleanly on SIGTERM', async () => {
    const ports = { PORT: '0', PRIVATE_PORT: '0' };
    const secrets = Object.fromEntries(
      Object.entries({ ...PEER_SECRETS, 'checkout-api': 'c'.repeat(32) }).map(([peer, secret]) => [
        `PEER_SECRET_${peer.toUpperCase().replace('-', '_')}`,
        secret,
      ]),
    );
    const aKey = () => `k1:${randomBytes(32).toString('base64')}`;
    const keys = { SESSION_SECRET, TOTP_ENCRYPTION_KEYS: aKey(), FORWARDER_SECRET_KEYS: aKey() };
    const owners = [
      'RECONCILER_URL',
      'INTENT_API_URL',
      'CHECKOUT_API_URL',
      'WEBHOOK_DISPATCHER_URL',
      'SMS_INGEST_URL',
      'PUBLIC_API_URL',
    ];
    const child = bundles.start('main', {
      ...env,
      ...ports,
      ...secrets,
      ...keys,
      ...eventKeys,
      ...Object.fromEntries(owners.map((name) => [name, 'http://127.0.0.1:1'])),
      AMQP_URL: amqpUrl(),
      AMQP_NAMESPACE: service.namespace,
      MAIL_DIRECTORY: join(folder, 'mail'),
    });
    let output = '';
    child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
    child.stderr?.on('data', (data: Buffer) => (output += data.toString()));
    const ended = once(child, 'exit');

    const lineOf = (name: string) => output.split('\n').find((line) => line.includes(`"${name}"`));
    const started = await eventually(() => lineOf('service.started'), 'it has started');
    const { port, privatePort } = JSON.parse(started);
    const on = (where: number, path: string) => fetch(`http://127.0.0.1:${where}${path}`);
    await eventually(async () => (await on(privatePort, '/readyz')).status === 200, 'it is ready');
    expect((await on(privatePort, '/livez')).status).toBe(200);
    expect(await (await on(privatePort, '/metrics')).text()).toContain('service="dashboard-api"');
    expect((await on(port, '/v1/auth/me')).status).toBe(401);
    child.kill('SIGTERM');

    await expect(ended).resolves.toEqual([0, null]);
    expect(output).not.toMatch(new RegExp(Object.values(PEER_SECRETS).join('|')));
  });
});
