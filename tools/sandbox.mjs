#!/usr/bin/env node
// Runs test cases of the sandbox with an API key, and ends with 0 passed, 1 not passed or 2 not run. Shops copy this file
// into their own repository, so it imports no other file.
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const HELP = `Usage: SANDBOX_API_KEY=sk_test_... npm run sandbox -- [options]

  --url URL            base URL of the API; default SANDBOX_URL, then http://127.0.0.1:8080
  --cases KEY,KEY      test cases; default all
  --success-url URL    page of your shop after PAID, for redirect-without-payment
  --junit FILE         writes the results as JUnit XML
  --json FILE          writes the results as JSON
  --allow-skipped      a skipped case does not fail the command
  --timeout SECONDS    default 600
  --help`;

const EXAMPLE =
  'SANDBOX_API_KEY=sk_test_... npm run sandbox -- --url http://127.0.0.1:8080 --cases paid-by-reference,wrong-amount';

const POLL_MS = 1_000;

class UsageError extends Error {}

function readOptions() {
  const options = {
    url: { type: 'string', default: process.env.SANDBOX_URL ?? 'http://127.0.0.1:8080' },
    cases: { type: 'string' },
    'success-url': { type: 'string' },
    junit: { type: 'string' },
    json: { type: 'string' },
    'allow-skipped': { type: 'boolean', default: false },
    timeout: { type: 'string', default: '600' },
    help: { type: 'boolean', default: false },
  };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new UsageError(error.message);
  }
}

function assertUsable({ url, timeout }) {
  if (!URL.canParse(url)) throw new UsageError(`--url must be an http or https URL, not "${url}".`);
  if (!/^[1-9]\d{0,5}$/.test(timeout))
    throw new UsageError(`--timeout must be a whole number of seconds such as 600, not "${timeout}".`);
  const apiKey = process.env.SANDBOX_API_KEY ?? '';
  if (!apiKey.startsWith('sk_test_'))
    throw new UsageError('SANDBOX_API_KEY must be a SANDBOX key (sk_test_...) with the scope sandbox:simulate.');
  return apiKey;
}

async function main() {
  const values = readOptions();
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const apiKey = assertUsable(values);
  const base = values.url.replace(/\/$/, '');
  const call = async (method, path, { body, accept = 'application/json' } = {}) => {
    const response = await fetch(base + path, {
      method,
      headers: { 'x-api-key': apiKey, accept, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    }).catch((error) => {
      throw new Error(
        `${base} does not answer (${error.cause?.code ?? error.message}). Give the base URL of a running system with --url.`,
      );
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${messageOf(text)}`);
    return text;
  };
  const cases = values.cases?.split(',').map((key) => key.trim());
  const body = { ...(cases && { cases }), ...(values['success-url'] && { successUrl: values['success-url'] }) };
  let suite = JSON.parse(await call('POST', '/v1/sandbox/runs', { body }));
  const path = `/v1/sandbox/runs/${suite.id}`;
  const deadline = Date.now() + Number(values.timeout) * 1_000;
  while (suite.status !== 'ENDED' && Date.now() < deadline) {
    await delay(POLL_MS);
    suite = JSON.parse(await call('GET', path));
  }
  for (const run of suite.runs) print(run);
  if (values.json) writeFileSync(values.json, `${JSON.stringify(suite, null, 2)}\n`);
  if (values.junit) writeFileSync(values.junit, await call('GET', path, { accept: 'application/xml' }));
  if (suite.status !== 'ENDED') throw new Error(`The runs have not ended after ${values.timeout} seconds.`);
  const accepted = values['allow-skipped'] ? ['PASSED', 'SKIPPED'] : ['PASSED'];
  const failed = suite.runs.filter(({ result }) => !accepted.includes(result));
  console.log(`${suite.runs.length - failed.length} of ${suite.runs.length} cases passed`);
  return failed.length === 0 ? 0 : 1;
}

function print({ testCase, result, reason, expectations }) {
  console.log(`${(result ?? 'NOT ENDED').padEnd(9)} ${testCase}${reason ? `: ${reason}` : ''}`);
  for (const { text, result, detail } of expectations)
    if (result === 'FAILED') console.log(`          ${text} ${detail ?? ''}`);
}

function messageOf(text) {
  try {
    const { message } = JSON.parse(text);
    return Array.isArray(message) ? message.join('; ') : (message ?? text);
  } catch {
    return text;
  }
}

main().then(
  (code) => (process.exitCode = code),
  (error) => {
    console.error(error instanceof Error ? error.message : String(error));
    if (error instanceof UsageError) console.error(`Example: ${EXAMPLE}`);
    process.exitCode = 2;
  },
);
