import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');

/** The vector of the README, used without any knowledge beyond the README. */
const readme = readFileSync(join(ROOT, 'libs', 'signing', 'README.md'), 'utf8');
const valueOf = (name: string): string => new RegExp(`\\| ${name} +\\| \`([^\`]+)\``).exec(readme)?.[1] ?? '';
const vector = {
  body: readme.split('```\n{"event"')[1]!.split('\n```')[0]!.replace(/^/, '{"event"'),
  secret: valueOf('secret'),
  headers: {
    'X-Webhook-Signature': valueOf('`X-Webhook-Signature`'),
    'webhook-id': valueOf('`webhook-id`'),
    'webhook-timestamp': valueOf('`webhook-timestamp`'),
    'webhook-signature': valueOf('`webhook-signature`'),
  },
};

const USE = `
const { verifyWebhook, WebhookVerificationError } = signing;
const { body, secret, headers } = JSON.parse(process.env.VECTOR);
const now = new Date(Number(headers['webhook-timestamp']) * 1000);
verifyWebhook(body, headers, secret, { now });
verifyWebhook(Buffer.from(body), { 'x-webhook-signature': headers['X-Webhook-Signature'], 'x-webhook-timestamp': now.toISOString() }, secret, { now, allowReplayableSignature: true });
try { verifyWebhook(body + ' ', headers, secret, { now }); } catch (error) { console.log(error instanceof WebhookVerificationError, error.problem); }
`;

const TYPED = `
import { verifyWebhook, type WebhookVerificationError } from '@pay/signing';
const headers: Record<string, string | string[] | undefined> = {};
verifyWebhook('', headers, ['a', 'b'], { toleranceSeconds: 60, allowReplayableSignature: false });
export const problemOf = (error: WebhookVerificationError): string => error.problem;
// @ts-expect-error a secret is no number
verifyWebhook('', headers, 1);
`;

describe('the package that merchants install', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signing-package-'));
  const home = join(folder, 'node_modules', '@pay', 'signing');
  let names: string[] = [];

  beforeAll(() => {
    const quiet = { encoding: 'utf8' as const, stdio: ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore'] };
    const archive = execFileSync(process.execPath, [join(ROOT, 'tools', 'pack-signing.mjs'), folder], quiet).trim();
    names = execFileSync('tar', ['tzf', archive], quiet).trim().split('\n').sort();
    mkdirSync(home, { recursive: true });
    execFileSync('tar', ['xzf', archive, '-C', home, '--strip-components=1']);
  }, 30_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (...args: string[]): string =>
    execFileSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { VECTOR: JSON.stringify(vector) },
    }).trim();

  it('contains compiled code, its types and the README, and depends on no other package', () => {
    const modules = ['headers', 'signature', 'verify-webhook', 'webhooks'];
    const compiled = modules.flatMap((name) => [`package/dist/${name}.d.ts`, `package/dist/${name}.js`]);
    expect(names).toEqual([...compiled, 'package/README.md', 'package/package.json'].sort());
    const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ main: './dist/webhooks.js', types: './dist/webhooks.d.ts' });
    expect(manifest).not.toHaveProperty('private');
    expect(manifest).not.toHaveProperty('dependencies');
    for (const name of compiled) {
      const imported = readFileSync(join(home, name.replace('package/', '')), 'utf8').matchAll(
        /(?:from |require\()["']([^"']+)["']/g,
      );
      for (const [, from] of imported) expect(from).toMatch(/^\.\/|^node:crypto$/);
    }
  });

  it.each([
    ['require', ['-e', `const signing = require('@pay/signing'); ${USE}`]],
    ['import', ['--input-type=module', '-e', `import * as signing from '@pay/signing'; ${USE}`]],
  ])('verifies the published vector by %s', (_how, args) => {
    expect(run(...args)).toBe('true NO_SIGNATURE_MATCHES');
  });

  /** The output of the compiler in strict mode. */
  const compile = (name: string, text: string, ...more: string[]): string => {
    writeFileSync(join(folder, name), text);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--ignoreConfig', ...more];
    const args = [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), ...options, name];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return stdout.trim();
  };

  it('has types that compile in strict mode without those of Node', () => {
    expect(compile('merchant.ts', TYPED)).toBe('');
  });

  it('has an example in its README that compiles in strict mode with the types of Express', () => {
    const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
    symlinkSync(join(ROOT, 'node_modules', '@types'), join(folder, 'node_modules', '@types'));
    const shop = 'declare function fulfil(data: unknown): void;';

    expect(example).toContain('verifyWebhook(');
    expect(compile('example.ts', `${example}${shop}`, '--types', 'node', '--skipLibCheck')).toBe('');
  }, 30_000);
});
