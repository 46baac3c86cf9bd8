/**
 * `unit` needs only Node. `integration` needs the Postgres and RabbitMQ whose URLs the test command puts into
 * TEST_POSTGRES_URL and TEST_AMQP_URL. `e2e` and `faults` need a running system, each its own; specs in `faults` stop
 * services, change their data or use up limits that other specs share, so they run one at a time. `drills` start a
 * system of their own.
 */
const swc = (parser) => [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', ...parser },
      target: 'es2022',
      transform: { react: { runtime: 'automatic', importSource: 'preact' } },
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

const shared = {
  rootDir: __dirname,
  testEnvironment: '<rootDir>/tools/jest/environment.cjs',
  runtime: '<rootDir>/tools/jest/runtime.cjs',
  transform: {
    // Imported as text, because a page contains its styles and its script.
    '(\\.css|/page/island/main\\.ts)$': '<rootDir>/tools/page-text.cjs',
    '^.+\\.tsx$': swc({ tsx: true }),
    '^.+\\.[cm]?[jt]s$': swc({}),
  },
  moduleNameMapper: { '^(.*)\\?script$': '$1' },
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'cjs', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.nx/', '<rootDir>/.run/'],
};

module.exports = {
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/{apps,libs,tools}/**/*.unit.spec.ts'] },
    { ...shared, displayName: 'integration', testMatch: ['<rootDir>/{apps,libs}/**/*.int.spec.ts'] },
    { ...shared, displayName: 'e2e', testMatch: ['<rootDir>/apps/e2e/test/*.e2e.spec.ts'] },
    { ...shared, displayName: 'faults', testMatch: ['<rootDir>/apps/e2e/test/faults/*.e2e.spec.ts'] },
    { ...shared, displayName: 'drills', testMatch: ['<rootDir>/apps/e2e/test/drills/*.e2e.spec.ts'] },
  ],
};
