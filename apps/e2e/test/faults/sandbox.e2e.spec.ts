import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@pay/testing';
import { ControlPlane } from '../../src/control-plane';
import { PublicApi } from '../../src/merchant-client';
import { ownMerchant, type OwnMerchant } from '../../src/own-merchant';
import { ServiceDatabases } from '../../src/service-databases';
import { readSystem } from '../../src/system';
import { startExampleShop, startShop, type ShopFault, type TestShop } from '../../src/test-shops';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const ROOT = join(__dirname, '..', '..', '..', '..');
const SECRET = 'the secret of a test shop';
const PATIENCE_MS = 240_000;

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

  /** What was not as it should be, in words that a failed test shows. */
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
    },
    PATIENCE_MS,
  );

  it(
    'fails the case that a wrong shop is wrong about, and only for that shop',
    async () => {
      const merchant = await ownMerchant(system, controlPlane);
      const faults: readonly (readonly [string, ShopFault])[] = [
        ['paid-by-reference', 'answers before storing'],
        ['redirect-without-payment', 'fulfils on redirect'],
        ['forged-webhook', 'ignores the signature'],
        ['other-environment', 'ignores environment'],
      ];
      const wrong = new Map<string, string>();
      let successUrl = '';
      for (const [testCase, fault] of faults) {
        const shop = await startShop(SECRET, fault);
        wrong.set(testCase, await register(merchant, shop));
        if (fault === 'fulfils on redirect') successUrl = shop.successUrl;
      }
      const right = await register(merchant, await startShop(SECRET));

      const { runs } = await play(merchant, { cases: faults.map(([testCase]) => testCase), successUrl });

      const found = runs.map(({ testCase, result, expectations }) => {
        const failed = expectations.filter(({ result }) => result === 'FAILED').map(({ text }) => text);
        const guilty = [...wrong.values(), right].filter((id) => failed.some((text) => text.includes(id)));
        return { testCase, result, guilty };
      });
      expect(found).toEqual(
        faults.map(([testCase]) => ({ testCase, result: 'FAILED', guilty: [wrong.get(testCase)] })),
      );
      const { code } = await runCommand(
        ['--url', system.baseUrl, '--cases', 'forged-webhook'],
        merchant.sandbox.apiKey,
      );
      expect(code).toBe(1);
    },
    PATIENCE_MS,
  );

  it(
    'gives the right result to fifty runs of each of two merchants at the same time, and touches nothing else',
    async () => {
      const merchants = await Promise.all([ownMerchant(system, controlPlane), ownMerchant(system, controlPlane)]);
      const before = await Promise.all(merchants.map((merchant) => pendingIntent(merchant)));
      const rowsOfLive = await liveRows(merchants);
      const cases = [
        'paid-by-reference',
        'wrong-amount',
        'duplicate-trx-id',
        'second-payment',
        'trx-id-of-another-order',
      ];
      const fifty = Array.from({ length: 50 }, (_each, index) => cases[index % cases.length] ?? '');

      const suites = await Promise.all(merchants.map((merchant) => play(merchant, { cases: fifty })));

      expect(suites.flatMap(problemsOf)).toEqual([]);
      expect(suites.map(({ runs }) => runs.length)).toEqual([50, 50]);
      const intents = suites.flatMap(({ runs }) => runs.flatMap(({ evidence }) => evidence.paymentIntentIds));
      expect(new Set(intents).size).toBe(intents.length);
      expect(await liveRows(merchants)).toEqual(rowsOfLive);
      const after = await Promise.all(
        merchants.map(async ({ sandbox }, index) => (await api.getIntent(sandbox, before[index]?.id ?? '')).body),
      );
      expect(after).toEqual(before);
    },
    PATIENCE_MS,
  );

  async function pendingIntent({ sandbox }: OwnMerchant) {
    const fields = { amount: 77, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY', ttlSeconds: 3_600 };
    const { id } = (await api.createIntent(sandbox, fields)).body;
    return (await api.getIntent(sandbox, id)).body;
  }

  /** Rows of LIVE of these merchants in all services that test runs write to. */
  async function liveRows(merchants: readonly OwnMerchant[]): Promise<Record<string, number>> {
    const ids = merchants.map(({ id }) => id);
    const tables = [
      ['intent-api', 'payment_intents'],
      ['sms-ingest', 'sms_events'],
      ['reconciler', 'matches'],
      ['webhook-dispatcher', 'deliveries'],
    ] as const;
    const counts = await Promise.all(
      tables.map(async ([service, table]) => {
        const schema = service.replaceAll('-', '_');
        const sql = `select count(*)::int as total from ${schema}.${table} where environment = 'LIVE' and merchant_id = any($1::uuid[])`;
        return [table, Number((await databases.query<{ total: number }>(service, sql, [ids])).rows[0]?.total)] as const;
      }),
    );
    return Object.fromEntries(counts);
  }
});

function runCommand(args: readonly string[], apiKey: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, SANDBOX_API_KEY: apiKey };
    execFile(process.execPath, [join(ROOT, 'tools', 'sandbox.mjs'), ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}
