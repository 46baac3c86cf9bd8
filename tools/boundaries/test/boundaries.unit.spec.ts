import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Checks each boundary rule with a snippet that violates it and one that does not. ESLint is ESM, so one child process
 * lints all snippets.
 */
const ROOT = join(__dirname, '..', '..', '..');

interface Snippet {
  readonly file: string;
  readonly code: string;
}

const refused: (Snippet & { readonly rule: string; readonly why: string })[] = [
  violation('contracts imports another library', 'libs/contracts/src/x.ts', `import '@pay/runtime';`),
  violation('contracts imports a package that is not zod', 'libs/contracts/src/x.ts', `import 'express';`),
  violation('signing imports contracts', 'libs/signing/src/x.ts', `import '@pay/contracts';`),
  violation('signing imports a package', 'libs/signing/src/x.ts', `import 'zod';`),
  violation('runtime imports contracts', 'libs/runtime/src/x.ts', `import '@pay/contracts';`),
  violation('persistence imports contracts', 'libs/persistence/src/x.ts', `import '@pay/contracts';`),
  violation('persistence imports messaging', 'libs/persistence/src/x.ts', `import '@pay/messaging';`),
  violation('messaging imports http', 'libs/messaging/src/x.ts', `import '@pay/http';`),
  violation('messaging imports directory', 'libs/messaging/src/x.ts', `import '@pay/directory';`),
  violation('http imports persistence', 'libs/http/src/x.ts', `import '@pay/persistence';`),
  violation('http imports messaging', 'libs/http/src/x.ts', `import '@pay/messaging';`),
  violation('api-description imports http', 'libs/api-description/src/x.ts', `import '@pay/http';`),
  violation('api-description imports a package', 'libs/api-description/src/x.ts', `import 'ajv';`),
  violation('directory imports testing', 'libs/directory/src/x.ts', `import '@pay/testing';`),
  violation('rate-limits imports messaging', 'libs/rate-limits/src/x.ts', `import '@pay/messaging';`),
  violation('payment-audit imports runtime', 'libs/payment-audit/src/x.ts', `import '@pay/runtime';`),
  violation('data-service imports contracts', 'libs/data-service/src/x.ts', `import '@pay/contracts';`),
  violation('testing imports a platform library', 'libs/testing/src/x.ts', `import '@pay/persistence';`),
  violation('local-servers imports contracts', 'libs/local-servers/src/x.ts', `import '@pay/contracts';`),
  violation('a domain imports a platform library', 'apps/reconciler/src/domain/x.ts', `import '@pay/runtime';`),
  violation('a domain imports a package', 'apps/reconciler/src/domain/x.ts', `import 'zod';`),
  violation('a domain imports a node module', 'apps/reconciler/src/domain/x.ts', `import 'node:fs';`),
  violation('a domain imports a room above it', 'apps/reconciler/src/domain/x.ts', `import '../db/intents';`),
  violation(
    'a use case imports a statement',
    'apps/intent-api/src/intents/x.ts',
    `import { statement } from '@pay/persistence'; export const x = statement;`,
  ),
  violation(
    'routes run a statement',
    'apps/webhook-dispatcher/src/feed/x-routes.ts',
    `export const x = (db) => db.query('select 1');`,
    'no-restricted-syntax',
  ),
  violation(
    'http names the service that issues sessions',
    'libs/http/src/x.ts',
    `export const ISSUER = 'dashboard-api';`,
    'no-restricted-syntax',
  ),
  violation(
    'messaging doubles a wait without the runtime',
    'libs/messaging/src/x.ts',
    `export const next = (wait) => Math.min(wait * 2, 5_000);`,
    'no-restricted-syntax',
  ),
  violation(
    'persistence names a service',
    'libs/persistence/src/x.ts',
    `export const x = 'reconciler';`,
    'no-restricted-syntax',
  ),
  violation(
    'an object literal spreads another one',
    'apps/intent-api/src/intents/x.ts',
    `export const x = (id) => ({ ...{ id, kind: 'x' }, name: 'y' });`,
    'no-restricted-syntax',
  ),
  violation(
    'a use case imports an HTTP error',
    'apps/intent-api/src/intents/x.ts',
    `import { ApiError } from '@pay/http'; export const x = ApiError;`,
  ),
  violation(
    'a use case of the dispatcher imports an HTTP error',
    'apps/webhook-dispatcher/src/endpoints/x.ts',
    `import { ApiError } from '@pay/http'; export const x = ApiError;`,
  ),
  violation(
    'a use case defines a named query',
    'apps/dashboard-api/src/people/x.ts',
    `import { command } from '@pay/persistence'; export const x = command('x', 'select 1');`,
  ),
  violation(
    'a composition root runs a statement',
    'apps/intent-api/src/main.ts',
    `export const x = (db) => db.execute('select 1');`,
    'no-restricted-syntax',
  ),
  violation(
    'a repository in a nested folder imports http',
    'apps/dashboard-api/src/sandbox/test-cases/x-repository.ts',
    `import '@pay/http';`,
  ),
  violation('a db room imports http', 'apps/intent-api/src/db/x.ts', `import '@pay/http';`),
  violation('a db room imports runtime', 'apps/intent-api/src/db/x.ts', `import '@pay/runtime';`),
  violation('a repository imports http', 'apps/dashboard-api/src/people/x-repository.ts', `import '@pay/http';`),
  violation('an app other than the dispatcher imports signing', 'apps/intent-api/src/x.ts', `import '@pay/signing';`),
  violation('a component of a page imports testing', 'apps/checkout-api/src/page/x.tsx', `import '@pay/testing';`),
  violation('a forwarder imports http', 'apps/sms-ingest/src/forwarders/x.ts', `import '@pay/http';`),
  violation('a forwarder imports a package', 'apps/sms-ingest/src/forwarders/x.ts', `import 'express';`),
  violation(
    'the chain of decisions imports persistence',
    'apps/reconciler/src/decision-chain/decision-chain.ts',
    `import '@pay/persistence';`,
  ),
  violation(
    'the hosted test endpoint imports testing',
    'apps/dashboard-api/src/sandbox/test-endpoints/answer-test-endpoint.ts',
    `import '@pay/testing';`,
  ),
  violation('an app imports testing', 'apps/intent-api/src/x.ts', `import '@pay/testing';`),
  violation('an app imports test support of messaging', 'apps/intent-api/src/x.ts', `import '@pay/messaging/testing';`),
  violation('an app imports another app', 'apps/intent-api/src/x.ts', `import '@pay/reconciler';`),
  violation(
    'an app reaches into another app by path',
    'apps/intent-api/src/x.ts',
    `import '../../../apps/reconciler/src/app';`,
  ),
  violation('a spec of a pure library imports testing', 'libs/contracts/src/x.unit.spec.ts', `import '@pay/testing';`),
  violation('a spec of a platform library imports signing', 'libs/http/test/x.int.spec.ts', `import '@pay/signing';`),
  violation(
    'a spec of persistence imports messaging',
    'libs/persistence/test/x.int.spec.ts',
    `import '@pay/messaging';`,
  ),
  violation('a spec of an app imports another app', 'apps/intent-api/test/x.int.spec.ts', `import '@pay/reconciler';`),
  violation('the whole-system tests import a platform library', 'apps/e2e/test/x.e2e.spec.ts', `import '@pay/http';`),
  violation('amqplib outside messaging', 'apps/reconciler/src/x.ts', `import 'amqplib';`),
  violation('jsonwebtoken outside http', 'apps/dashboard-api/src/x.ts', `import 'jsonwebtoken';`),
  violation('prom-client outside runtime', 'apps/reconciler/src/x.ts', `import 'prom-client';`),
  violation('pino outside runtime', 'libs/http/src/x.ts', `import 'pino';`),
  violation('OpenTelemetry outside runtime', 'apps/reconciler/src/x.ts', `import '@opentelemetry/api';`),
  violation('the OpenTelemetry SDK in messaging', 'libs/messaging/src/x.ts', `import '@opentelemetry/sdk-node';`),
  violation('typeorm outside persistence', 'apps/reconciler/src/x.ts', `import 'typeorm';`),
  violation('pg outside persistence', 'apps/reconciler/src/db/x.ts', `import 'pg';`),
  violation('testcontainers outside testing', 'libs/messaging/src/x.ts', `import 'testcontainers';`),
  violation(
    'a command reads its options without the runtime',
    'apps/sms-ingest/src/cli/x-options.ts',
    `import { parseArgs } from 'node:util'; parseArgs();`,
  ),
  violation(
    'an HMAC outside signing',
    'apps/webhook-dispatcher/src/x.ts',
    `import { createHmac } from 'node:crypto'; createHmac('a', 'b');`,
  ),
  violation(
    'a module of a library does something when it is loaded',
    'libs/http/src/x.ts',
    `export const known = new Map(); known.set('a', 1);`,
    'no-restricted-syntax',
  ),
  violation(
    'a module of a library is imported for its effect',
    'libs/http/src/x.ts',
    `import './y';`,
    'no-restricted-syntax',
  ),
  violation(
    'the environment outside a composition root',
    'apps/intent-api/src/x.ts',
    `export const x = process.env['X'];`,
    'no-restricted-syntax',
  ),
  violation(
    'the clock in a domain',
    'apps/reconciler/src/domain/x.ts',
    `export const x = Date.now();`,
    'no-restricted-syntax',
  ),
  violation(
    'the current date in a domain',
    'apps/reconciler/src/domain/x.ts',
    `export const x = new Date();`,
    'no-restricted-syntax',
  ),
  violation(
    'randomness in a domain',
    'apps/reconciler/src/domain/x.ts',
    `export const x = Math.random();`,
    'no-restricted-syntax',
  ),
  violation(
    'the network in a domain',
    'apps/reconciler/src/domain/x.ts',
    `export const x = fetch;`,
    'no-restricted-globals',
  ),
  violation(
    'a relative path into another project',
    'libs/http/src/x.ts',
    `import '../../persistence/src/index';`,
    '@nx/enforce-module-boundaries',
  ),
  violation(
    'a pure library on a platform library, by the project graph',
    'libs/contracts/src/x.ts',
    `import '@pay/http';`,
    '@nx/enforce-module-boundaries',
  ),
];

const allowed: Snippet[] = [
  { file: 'libs/contracts/src/x.ts', code: `import 'zod'; import { format } from './money'; export { format };` },
  { file: 'libs/api-description/src/x.ts', code: `import 'zod'; import '@pay/contracts';` },
  { file: 'apps/sms-ingest/src/forwarders/x.ts', code: `import '@pay/signing'; import './y'; import 'node:crypto';` },
  {
    file: 'apps/reconciler/src/decision-chain/decision-chain.ts',
    code: `import '@pay/signing'; import '@pay/contracts';`,
  },
  {
    file: 'libs/signing/src/x.ts',
    code: `import { createHmac } from 'node:crypto'; export const x = createHmac('a', 'b');`,
  },
  { file: 'libs/persistence/src/x.ts', code: `import 'typeorm'; import 'pg'; import '@pay/runtime';` },
  {
    file: 'libs/messaging/src/x.ts',
    code: `import 'amqplib'; import '@opentelemetry/api'; import '@pay/persistence';`,
  },
  {
    file: 'apps/reconciler/src/domain/x.ts',
    code: `import './rules'; import '@pay/contracts'; export const x = new Date(0);`,
  },
  { file: 'apps/reconciler/src/db/x.ts', code: `import '@pay/persistence'; import '../domain/decide-evidence';` },
  { file: 'apps/webhook-dispatcher/src/x.ts', code: `import '@pay/signing'; import '@pay/messaging';` },
  {
    file: 'apps/intent-api/src/intents/x-repository.ts',
    code: `import { statement } from '@pay/persistence'; export const x = (db) => db.query(statement('x', 'select 1'));`,
  },
  { file: 'apps/intent-api/src/main.ts', code: `export const x = process.env['X'];` },
  {
    file: 'apps/intent-api/test/x.int.spec.ts',
    code: `import '@pay/testing'; import '@pay/messaging/testing'; import 'pg';`,
  },
  { file: 'apps/e2e/test/x.e2e.spec.ts', code: `import '@pay/testing'; import '@pay/contracts';` },
];

function violation(why: string, file: string, code: string, rule = 'no-restricted-imports') {
  return { why, file, code, rule };
}

function lint(snippets: readonly Snippet[]): string[][] {
  const output = execFileSync(process.execPath, [join(__dirname, 'lint-snippets.mjs')], {
    cwd: ROOT,
    input: JSON.stringify(snippets.map(({ file, code }) => ({ file, code }))),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return JSON.parse(output.trim().split('\n').at(-1) ?? '[]') as string[][];
}

describe('import boundaries', () => {
  const results = lint([...refused, ...allowed]);

  test.each(refused.map((snippet, index) => ({ ...snippet, index })))('refuses $why', ({ rule, index }) => {
    expect(results[index]).toContain(rule);
  });

  test.each(allowed.map((snippet, index) => ({ ...snippet, index: refused.length + index })))(
    'lets $file import what its row allows',
    ({ index }) => {
      expect(results[index]).toEqual([]);
    },
  );
});
