import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  composedSmsSchema,
  createTestSuiteRequestSchema,
  OPERATIONS,
  rawSmsSchema,
  TEST_CASE_KEYS,
  createIntentRequestSchema,
} from '@pay/contracts';
import type { z } from 'zod';
import { describeTestCases } from './test-cases/test-cases';

const PAGE = readFileSync(join(__dirname, '..', '..', '..', '..', 'docs', 'sandbox.md'), 'utf8');

const COMMANDS = [...PAGE.matchAll(/```sh\n([^`]+)```/g)].map(([, text = '']) => text.replaceAll('\\\n', ' ').trim());
const CURLS = COMMANDS.filter((command) => command.startsWith('curl')).map((command) => ({
  command,
  path: /"\$BASE_URL([^"]+)"/.exec(command)?.[1] ?? '',
  body: / -d '(.+)'$/.exec(command)?.[1]?.replaceAll(`'"$RECEIVER_MSISDN"'`, '01700000900'),
}));

function schemaOf(path: string, body: Record<string, unknown>): z.ZodType {
  if (path === '/v1/payments/intents') return createIntentRequestSchema;
  if (path === '/v1/sandbox/runs') return createTestSuiteRequestSchema;
  return 'message' in body ? rawSmsSchema : composedSmsSchema;
}

describe('docs/sandbox.md', () => {
  it('has commands for simulations and runs', () => {
    expect(CURLS).toHaveLength(6);
  });

  it.each(CURLS)('names an existing operation and a valid body: $command', ({ path, body }) => {
    const [withoutQuery = ''] = path.replace('$RUN_ID', ':id').split('?');
    const method = body === undefined ? 'get' : 'post';

    expect(OPERATIONS.filter((one) => one.path === withoutQuery && one.method === method)).toHaveLength(1);
    if (body === undefined) return;
    const given = JSON.parse(body) as Record<string, unknown>;
    expect(schemaOf(withoutQuery, given).safeParse(given)).toMatchObject({ success: true });
  });

  it('takes what differs between systems from variables that it explains', () => {
    const used = COMMANDS.flatMap((command) => [...command.matchAll(/\$([A-Z_]+)/g)].map(([, name = '']) => name));
    const explained = [...PAGE.matchAll(/^export ([A-Z_]+)=/gm)].map(([, name = '']) => name);

    expect(PAGE.match(/01[3-9]\d{8}/g)).toEqual(['01712345678']);
    expect([...new Set(used)].filter((name) => !explained.includes(name))).toEqual(['RUN_ID']);
    expect(explained).toEqual(['BASE_URL', 'SANDBOX_API_KEY', 'RECEIVER_MSISDN']);
  });

  it('names only paths and test cases that exist', () => {
    const paths = new Set(OPERATIONS.map((one) => one.path));
    const named = [...PAGE.matchAll(/`(?:GET|POST|PATCH) (\/v1\/[^ `]+)`/g)].map(([, path = '']) => path);
    const cases = [...PAGE.matchAll(/--cases ([a-z,-]+)/g)].flatMap(([, list = '']) => list.split(','));

    expect(named.filter((path) => !paths.has(path))).toEqual([]);
    expect(cases.filter((key) => !TEST_CASE_KEYS.some((known) => known === key))).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
  });
});

it('describes every test case with title, purpose, steps and expected result', () => {
  const cases = describeTestCases('en');

  expect(cases.map(({ key }) => key)).toEqual([...TEST_CASE_KEYS]);
  expect(
    cases.filter(({ title, purpose, steps, expected }) => !title || !purpose || !steps.length || !expected.length),
  ).toEqual([]);
  expect(new Set(cases.map(({ title }) => title)).size).toBe(cases.length);
});
