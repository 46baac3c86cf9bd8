/**
 * Allowed imports: each row is a zone of files and the workspace libraries that it may import. rules.mjs turns the rows
 * into lint rules, and test/boundaries.unit.spec.ts verifies that every row is enforced.
 */

export const LIBRARIES = [
  'contracts',
  'signing',
  'runtime',
  'persistence',
  'messaging',
  'http',
  'directory',
  'api-description',
  'rate-limits',
  'payment-audit',
  'data-service',
  'local-servers',
  'testing',
];
export const APPS = ['intent-api', 'checkout-api', 'sms-ingest', 'reconciler', 'webhook-dispatcher', 'dashboard-api'];

const PLATFORM = [
  'contracts',
  'runtime',
  'persistence',
  'messaging',
  'http',
  'directory',
  'rate-limits',
  'payment-audit',
  'data-service',
];
const TEST_ONLY = ['testing', 'local-servers', 'messaging/testing'];

/** Packages that only one folder may import, so that replacing one changes one folder. */
export const HOMES = {
  amqplib: ['messaging'],
  jsonwebtoken: ['http'],
  'prom-client': ['runtime'],
  pino: ['runtime'],
  '@opentelemetry/api': ['runtime', 'messaging'],
  '@opentelemetry/*': ['runtime'],
  typeorm: ['persistence'],
  pg: ['persistence', 'testing', 'local-servers'],
  testcontainers: ['testing'],
  '@node-rs/argon2': ['dashboard-api'],
};

const SPECS = ['**/*.spec.ts'];

/**
 * zone: what a violation is reported as. libraries: workspace libraries it may import (itself always). external: when
 * given, the only packages from outside it may import. pure: no clock, no randomness, no input or output. withoutSql:
 * statements belong to repositories. withoutServices: it names no service. edge: files that receive requests, which
 * alone may add headers to a refusal.
 */
export const ZONES = [
  { zone: 'contracts', files: ['libs/contracts/src/**/*.ts'], ignores: SPECS, libraries: [], external: ['zod'] },
  { zone: 'signing', files: ['libs/signing/src/**/*.ts'], ignores: SPECS, libraries: [], external: ['node:crypto'] },
  {
    zone: 'runtime',
    files: ['libs/runtime/src/**/*.ts'],
    ignores: SPECS,
    libraries: [],
    environment: ['libs/runtime/src/telemetry.ts', 'libs/runtime/src/failpoint.ts'],
  },
  {
    zone: 'persistence',
    files: ['libs/persistence/src/**/*.ts'],
    ignores: SPECS,
    libraries: ['runtime'],
    withoutServices: true,
  },
  {
    zone: 'messaging',
    files: ['libs/messaging/src/**/*.ts'],
    ignores: SPECS,
    libraries: ['contracts', 'runtime', 'persistence', 'signing'],
  },
  {
    zone: 'http',
    files: ['libs/http/src/**/*.ts'],
    ignores: SPECS,
    libraries: ['contracts', 'runtime'],
    withoutServices: true,
  },
  {
    zone: 'directory',
    files: ['libs/directory/src/**/*.ts'],
    ignores: SPECS,
    libraries: ['contracts', 'runtime', 'persistence', 'messaging', 'http'],
  },
  {
    zone: 'api-description',
    files: ['libs/api-description/src/**/*.ts'],
    ignores: SPECS,
    libraries: ['contracts'],
    external: ['zod'],
  },
  {
    zone: 'rate-limits',
    files: ['libs/rate-limits/src/**/*.ts'],
    ignores: SPECS,
    libraries: ['contracts', 'runtime', 'persistence', 'http'],
  },
  {
    zone: 'payment-audit',
    files: ['libs/payment-audit/src/**/*.ts'],
    ignores: SPECS,
    libraries: ['contracts', 'persistence', 'messaging', 'http'],
  },
  {
    zone: 'data-service',
    files: ['libs/data-service/src/**/*.ts'],
    ignores: SPECS,
    libraries: ['runtime', 'persistence', 'messaging', 'http', 'directory'],
  },
  {
    zone: 'local-servers',
    files: ['libs/local-servers/src/**/*.ts'],
    ignores: SPECS,
    libraries: [],
    environmentAllowed: true,
  },
  {
    zone: 'testing',
    files: ['libs/testing/src/**/*.ts'],
    ignores: SPECS,
    libraries: ['contracts', 'local-servers'],
    environmentAllowed: true,
  },
  { zone: 'app domain', files: ['apps/*/src/domain/**/*.ts'], ignores: SPECS, libraries: ['contracts'], pure: true },
  {
    zone: 'app db',
    files: ['apps/*/src/db/**/*.ts', 'apps/*/src/**/*-repository.ts'],
    ignores: SPECS,
    libraries: ['contracts', 'persistence', 'messaging', 'directory', 'rate-limits', 'payment-audit'],
    note: 'migrations are lists that begin with those of the libraries',
  },
  {
    zone: 'forwarders',
    files: ['apps/sms-ingest/src/forwarders/**/*.ts'],
    ignores: SPECS,
    libraries: ['contracts', 'signing'],
    external: ['node:crypto', 'node:http'],
  },
  {
    zone: 'app',
    files: ['apps/*/src/**/*.{ts,tsx}'],
    ignores: [
      ...SPECS,
      'apps/*/src/{domain,db}/**',
      'apps/*/src/**/*-repository.ts',
      'apps/webhook-dispatcher/**',
      'apps/e2e/**',
      'apps/dashboard-web/**',
      'apps/sms-ingest/src/forwarders/**',
      'apps/reconciler/src/decision-chain/decision-chain.ts',
      'apps/dashboard-api/src/sandbox/test-endpoints/answer-test-endpoint.ts',
    ],
    libraries: [...PLATFORM, 'api-description'],
    withoutSql: true,
    edge: ['apps/*/src/**/*-routes.ts', 'apps/dashboard-api/src/sign-in/login-limits.ts'],
    environment: ['apps/*/src/{main,migrate,seed,cli,make-seed}.ts'],
  },
  {
    zone: 'hosted test endpoint',
    files: ['apps/dashboard-api/src/sandbox/test-endpoints/answer-test-endpoint.ts'],
    libraries: [...PLATFORM, 'signing'],
    note: 'it verifies signatures as a shop does',
  },
  {
    zone: 'dashboard-web',
    files: ['apps/dashboard-web/src/**/*.{ts,tsx}'],
    ignores: SPECS,
    libraries: ['contracts'],
    note: 'types of contracts only: its schemas would double what browsers load',
  },
  {
    zone: 'decision chain',
    files: ['apps/reconciler/src/decision-chain/decision-chain.ts'],
    libraries: ['contracts', 'runtime', 'signing'],
    external: [],
  },
  {
    zone: 'dispatcher',
    files: ['apps/webhook-dispatcher/src/**/*.ts'],
    ignores: [...SPECS, 'apps/*/src/{domain,db}/**', 'apps/*/src/**/*-repository.ts'],
    libraries: [...PLATFORM, 'signing'],
    withoutSql: true,
    edge: ['apps/webhook-dispatcher/src/**/*-routes.ts'],
    environment: ['apps/*/src/{main,migrate}.ts'],
  },
  {
    zone: 'specs of api-description',
    files: ['libs/api-description/src/**/*.spec.ts'],
    libraries: ['contracts'],
    home: 'api-description',
  },
  { zone: 'specs of pure libraries', files: ['libs/{contracts,signing}/{src,test}/**/*.spec.ts'], libraries: [] },
  { zone: 'specs of runtime', files: ['libs/runtime/{src,test}/**/*.spec.ts'], libraries: [...TEST_ONLY] },
  {
    zone: 'specs of persistence',
    files: ['libs/persistence/{src,test}/**/*.ts'],
    only: 'specs',
    libraries: ['runtime', ...TEST_ONLY],
  },
  {
    zone: 'specs of messaging',
    files: ['libs/messaging/{src,test}/**/*.ts'],
    only: 'specs',
    libraries: ['contracts', 'runtime', 'persistence', ...TEST_ONLY],
  },
  {
    zone: 'specs of http',
    files: ['libs/http/{src,test}/**/*.ts'],
    only: 'specs',
    libraries: ['contracts', 'runtime', ...TEST_ONLY],
  },
  {
    zone: 'specs of directory',
    files: ['libs/directory/{src,test}/**/*.ts'],
    only: 'specs',
    libraries: [...PLATFORM, ...TEST_ONLY],
  },
  {
    zone: 'specs of rate-limits',
    files: ['libs/rate-limits/{src,test}/**/*.ts'],
    only: 'specs',
    libraries: ['contracts', 'runtime', 'persistence', 'http', ...TEST_ONLY],
  },
  {
    zone: 'specs of apps',
    files: ['apps/*/{src,test}/**/*.ts'],
    only: 'specs',
    ignores: ['apps/e2e/**'],
    libraries: [...PLATFORM, 'signing', ...TEST_ONLY],
  },
  {
    zone: 'e2e',
    files: ['apps/e2e/**/*.ts'],
    libraries: ['contracts', 'signing', 'testing', 'local-servers'],
    environmentAllowed: true,
    note: 'of contracts the list of operations, so that no route is left out; requests are written by hand',
  },
];
