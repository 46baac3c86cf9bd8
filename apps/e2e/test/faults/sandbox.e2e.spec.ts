import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@pay/testing';
import { ControlPlane } from '../../src/control-plane';
import { PublicApi } from '../../src/merchant-client';
import { liveRows } from '../../src/live-rows';
import { everyCopyIsWhole, ownMerchant, type OwnAccess, type OwnMerchant } from '../../src/own-merchant';
import { RawApi } from '../../src/raw-api';
import { ServiceDatabases } from '../../src/service-databases';
import { readSystem } from '../../src/system';
import { startExampleShop, startShop, type ShopFault, type TestShop } from '../../src/test-shops';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const ROOT = join(__dirname, '..', '..', '..', '..');
const SECRET = 'the secret of a test shop';
const PATIENCE_MS = 240_000;

/** What only the shop does wrong, and the cases about it. */
const FAULTS: readonly { readonly fault: ShopFault; readonly text: string; readonly cases: readonly string[] }[] = [
  {
    fault: 'never fulfils',
    text: 'has fulfilled the order.',
    cases: [
      ...['paid-by-trx-id-before-sms', 'paid-by-trx-id-after-sms', 'cash-out-by-trx-id'],
      ...['missing-reference-then-trx-id', 'second-payment', 'cancelled', 'approved-by-reviewer'],
    ],
  },
  {
    fault: 'fulfils on any event',
    text: 'has not fulfilled the order.',
    cases: ['wrong-amount', 'late-payment', 'expired', 'rejected-by-reviewer', 'silent-phone'],
  },
  {
    fault: 'fulfils without an event',
    text: 'has not fulfilled the order.',
    cases: ['wrong-receiver', 'wrong-method', 'trx-id-of-another-order', 'duplicate-trx-id', 'forged-text'],
  },
];
/** Cases that distinguish one wrong shop from others of the same merchant. */
const SHOP_FAULTS: readonly (readonly [testCase: string, ShopFault])[] = [
  ['paid-by-reference', 'answers before storing'],
  ['redirect-without-payment', 'fulfils on redirect'],
  ['forged-webhook', 'ignores the signature'],
  ['other-environment', 'ignores environment'],
];
/** About repeated webhooks: played with the hosted test endpoint, the shop takes no part in them. */
const GATEWAY_CASES = ['endpoint-fails-once', 'endpoint-hangs'];

interface Expectation {
  readonly text: string;
  readonly result: 'PASSED' | 'FAILED' | 'SKIPPED';
  readonly detail: string | null;
}
interface Run {
  readonly id: string;
  readonly testCase: string;
  readonly status: string;
  readonly result: string | null;
  readonly reason: string | null;
  readonly expectations: readonly Expectation[];
  readonly evidence: { readonly paymentIntentIds: readonly string[]; readonly webhooks: readonly object[] };
}
interface Suite {
  readonly id: string;
  readonly status: string;
  readonly result: string | null;
  readonly createdAt: string;
  readonly endedAt: string | null;
  readonly runs: readonly Run[];
}

describe('the sandbox', () => {
  const system = readSystem(RUN_DIRECTORY);
  const api = new PublicApi(system.baseUrl);
  const rawApi = new RawApi(system.baseUrl);
  const databases = new ServiceDatabases(system);
  const shops: TestShop[] = [];
  let controlPlane: ControlPlane;

  beforeAll(() => {
    controlPlane = new ControlPlane(RUN_DIRECTORY);
  });
  afterAll(async () => {
    await Promise.all(shops.map((shop) => shop.stop()));
    await databases.close();
    await api.close();
    await rawApi.close();
  });

  async function register(merchant: OwnMerchant, shop: TestShop): Promise<string> {
    shops.push(shop);
    const headers = { 'x-api-key': merchant.sandbox.apiKey };
    const fields = { url: shop.webhookUrl, secret: SECRET };
    const created = await api.call<{ id: string }>('POST', '/v1/webhooks/endpoints', headers, fields);
    expect(created.status).toBe(201);
    const verified = await api.call('POST', `/v1/webhooks/endpoints/${created.body.id}/verify`, headers, {});
    expect(verified.status).toBe(200);
    return created.body.id;
  }

  async function play(merchant: OwnMerchant, body: object): Promise<Suite> {
    const headers = { 'x-api-key': merchant.sandbox.apiKey };
    const created = await api.call<Suite>('POST', '/v1/sandbox/runs', headers, body);
    expect(created.status).toBe(201);
    return eventually(
      async () => {
        const suite = (await api.call<Suite>('GET', `/v1/sandbox/runs/${created.body.id}`, headers)).body;
        return suite.status === 'ENDED' ? suite : undefined;
      },
      'the runs end',
      { timeoutMs: PATIENCE_MS },
    );
  }

  /** Unexpected results in words, for a failed test. */
  const problemsOf = ({ runs }: Suite) =>
    runs.flatMap(({ testCase, result, reason, expectations }) => [
      ...(result === 'PASSED' ? [] : [`${testCase}: ${result} ${reason ?? ''}`]),
      ...expectations
        .filter(({ result }) => result !== 'PASSED')
        .map(({ text, result, detail }) => `${testCase}: ${result}: ${text} ${detail ?? ''}`),
    ]);

  it(
    'passes all cases against the example shop, by the command that continuous integration uses',
    async () => {
      const merchant = await ownMerchant(system, controlPlane);
      await requirePayerDigits(merchant);
      const shop = await startExampleShop(SECRET);
      await register(merchant, shop);
      const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
      const [json, junit] = [join(folder, 'results.json'), join(folder, 'results.xml')];

      const { code, output } = await runCommand(
        ['--url', system.baseUrl, '--success-url', shop.successUrl, '--json', json, '--junit', junit],
        merchant.sandbox.apiKey,
      );

      const suite = JSON.parse(readFileSync(json, 'utf8')) as Suite;
      const xml = readFileSync(junit, 'utf8');
      rmSync(folder, { recursive: true });
      expect(problemsOf(suite)).toEqual([]);
      expect({ code, result: suite.result, runs: suite.runs.length }).toEqual({
        code: 0,
        result: 'PASSED',
        runs: 23,
      });
      expect(output).toContain('23 of 23 cases passed');
      expect(xml).toContain('tests="23" failures="0" errors="0" skipped="0"');
      const seconds = (Date.parse(suite.endedAt ?? '') - Date.parse(suite.createdAt)) / 1_000;
      process.stdout.write(`All test cases of the sandbox took ${seconds} s\n`);
      expect(seconds).toBeLessThan(60);
    },
    PATIENCE_MS,
  );

  it(
    'fails each case against a shop with the error of the case, and only against that shop',
    async () => {
      const merchant = await ownMerchant(system, controlPlane);
      const wrong = new Map<string, string>();
      let successUrl = '';
      for (const [testCase, fault] of SHOP_FAULTS) {
        const shop = await startShop(SECRET, fault);
        wrong.set(testCase, await register(merchant, shop));
        if (fault === 'fulfils on redirect') successUrl = shop.successUrl;
      }
      const right = await register(merchant, await startShop(SECRET));
      const named = SHOP_FAULTS.map(([testCase]) => testCase);

      const [all, { runs }, others] = await Promise.all([
        caseKeys(merchant),
        play(merchant, { cases: named, successUrl }),
        Promise.all(FAULTS.map(playAgainst)),
      ]);

      const found = runs.map(({ testCase, result, expectations }) => {
        const failed = expectations.filter(({ result }) => result === 'FAILED').map(({ text }) => text);
        const guilty = [...wrong.values(), right].filter((id) => failed.some((text) => text.includes(id)));
        return { testCase, result, guilty };
      });
      expect(found).toEqual(named.map((testCase) => ({ testCase, result: 'FAILED', guilty: [wrong.get(testCase)] })));
      // The payment itself went as it should.
      expect(others.flat()).toEqual(
        FAULTS.flatMap(({ cases, text }) =>
          cases.map((testCase) => ({ testCase, result: 'FAILED', texts: [`The shop ${text}`] })),
        ),
      );
      expect([...FAULTS.flatMap(({ cases }) => cases), ...named, ...GATEWAY_CASES].sort()).toEqual(all.toSorted());
      const { code } = await runCommand(
        ['--url', system.baseUrl, '--cases', 'forged-webhook'],
        merchant.sandbox.apiKey,
      );
      expect(code).toBe(1);
    },
    PATIENCE_MS,
  );

  it(
    'runs the commands of docs/sandbox.md as they are typed',
    async () => {
      const merchant = await ownMerchant(system, controlPlane);
      const folder = mkdtempSync(join(tmpdir(), 'sandbox-docs-'));
      const env: Record<string, string> = { BASE_URL: system.baseUrl, SANDBOX_API_KEY: merchant.sandbox.apiKey };
      const page = readFileSync(join(ROOT, 'docs', 'sandbox.md'), 'utf8');
      const typed = [...page.matchAll(/```sh\n(curl[^`]+|npm[^`]+)```/g)].map(([, text = '']) =>
        text.replaceAll('results.xml', join(folder, 'results.xml')),
      );

      const answers: string[] = [];
      for (const command of typed) {
        const { code, output } = await runShell(command, env);
        expect({ command, code }).toEqual({ command, code: 0 });
        answers.push(output);
        const { receiverMsisdn, id, runs } = json(output);
        if (typeof receiverMsisdn === 'string') env['RECEIVER_MSISDN'] = receiverMsisdn;
        if (runs !== undefined) env['RUN_ID'] = String(id);
      }

      const [intent, paid, raw, suite, results, ci, junit] = answers;
      expect(json(intent)).toMatchObject({ status: 'PENDING' });
      expect(json(paid)).toMatchObject({ isDecided: true, paymentIntent: { status: 'PAID' } });
      expect(json(raw)).toMatchObject({ smsEvent: { status: 'UNPARSED' } });
      expect(json(suite)).toMatchObject({ runs: [{ testCase: 'paid-by-reference' }, { testCase: 'wrong-amount' }] });
      expect(json(results)).toMatchObject({ id: json(suite)['id'] });
      expect(ci).toContain('2 of 2 cases passed');
      expect(readFileSync(join(folder, 'results.xml'), 'utf8')).toContain('tests="2" failures="0"');
      expect(junit).toContain('<testsuite ');
      rmSync(folder, { recursive: true });
    },
    PATIENCE_MS,
  );

  it(
    'gives correct results to fifty runs of each of two merchants at the same time, and changes nothing else',
    async () => {
      const merchants = await Promise.all([ownMerchant(system, controlPlane), ownMerchant(system, controlPlane)]);
      const before = await Promise.all(merchants.map(({ sandbox }) => pendingIntent(sandbox)));
      await Promise.all(merchants.map(({ live }) => pendingIntent(live)));
      const ids = merchants.map(({ id }) => id);
      await eventually(async () => {
        const rows = await liveRows(databases, ids);
        const copies = [rows['checkout_api.intent_copies'], rows['reconciler.intents']];
        const isCounted = rows['intent_api.hourly_intent_count_changes']?.startsWith('0 rows') === true;
        return isCounted && copies.every((copy) => copy?.startsWith('2 rows'));
      }, 'the LIVE intents are counted and copied');
      const rowsOfLive = await liveRows(databases, ids);
      const cases = [
        'paid-by-reference',
        'wrong-amount',
        'duplicate-trx-id',
        'second-payment',
        'paid-by-trx-id-after-sms',
      ];
      const fifty = Array.from({ length: 50 }, (_each, index) => cases[index % cases.length] ?? '');

      const suites = await Promise.all(merchants.map((merchant) => play(merchant, { cases: fifty })));

      expect(suites.flatMap(problemsOf)).toEqual([]);
      expect(suites.map(({ runs }) => runs.length)).toEqual([50, 50]);
      const intents = suites.flatMap(({ runs }) => runs.flatMap(({ evidence }) => evidence.paymentIntentIds));
      expect(new Set(intents).size).toBe(intents.length);
      expect(await liveRows(databases, ids)).toEqual(rowsOfLive);
      expect(rowsOfLive['intent_api.payment_intents']).toMatch(/^2 rows/);
      const after = await Promise.all(
        merchants.map(async ({ sandbox }, index) => (await api.getIntent(sandbox, before[index]?.id ?? '')).body),
      );
      expect(after).toEqual(before);
    },
    PATIENCE_MS,
  );

  /** The results of cases against a merchant with one wrong shop, and the unmet expectations. */
  async function playAgainst({ fault, cases }: (typeof FAULTS)[number]) {
    const merchant = await ownMerchant(system, controlPlane);
    await register(merchant, await startShop(SECRET, fault));
    const { runs } = await play(merchant, { cases });
    return runs.map(({ testCase, result, expectations }) => {
      const failed = expectations.filter(({ result }) => result === 'FAILED');
      return { testCase, result, texts: failed.map(({ text }) => text.replace(/ \(endpoint \S+\)/, '')) };
    });
  }

  async function caseKeys(merchant: OwnMerchant): Promise<readonly string[]> {
    const headers = await ownersHeaders(merchant);
    const { body } = await api.call<{ data: readonly { key: string }[] }>('GET', '/v1/sandbox/test-cases', headers);
    return body.data.map(({ key }) => key);
  }

  async function pendingIntent(access: OwnAccess) {
    const fields = { amount: 77, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY', ttlSeconds: 3_600 };
    const { id } = (await api.createIntent(access, fields)).body;
    return (await api.getIntent(access, id)).body;
  }

  async function ownersHeaders({ owner: { email, password } }: OwnMerchant): Promise<Record<string, string>> {
    return { authorization: `Bearer ${await rawApi.signIn(email, password)}` };
  }

  async function requirePayerDigits(merchant: OwnMerchant): Promise<void> {
    const fields = { checkout: { requirePayerDigits: true } };
    const { status } = await api.call('PATCH', '/v1/dashboard/merchant', await ownersHeaders(merchant), fields);
    expect(status).toBe(200);
    await everyCopyIsWhole(system, merchant.id);
  }
});

function json(text = ''): Record<string, unknown> {
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
}

function runShell(command: string, variables: Readonly<Record<string, string>>): Promise<Ended> {
  return run('sh', ['-c', command], variables);
}

function runCommand(args: readonly string[], apiKey: string): Promise<Ended> {
  return run(process.execPath, [join(ROOT, 'tools', 'sandbox.mjs'), ...args], { SANDBOX_API_KEY: apiKey });
}

interface Ended {
  readonly code: number;
  readonly output: string;
}

function run(program: string, args: readonly string[], variables: Readonly<Record<string, string>>): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: ROOT, env: { ...process.env, ...variables } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}
