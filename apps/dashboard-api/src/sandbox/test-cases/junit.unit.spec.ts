import type { TestRun, TestSuite } from '@pay/contracts';
import { junitOf } from './junit';
import { worstOf } from './play-runs';

function aRun(over: Partial<TestRun>): TestRun {
  return {
    id: '01935002-0000-7000-8000-000000000001',
    suiteId: '01935002-0000-7000-8000-000000000000',
    environment: 'SANDBOX',
    testCase: 'paid-by-reference',
    status: 'ENDED',
    result: 'PASSED',
    reason: null,
    startedBy: 'api_key:x',
    createdAt: '2026-11-23T05:00:00.000Z',
    startedAt: '2026-11-23T05:00:00.000Z',
    endedAt: '2026-11-23T05:00:01.500Z',
    steps: [],
    expectations: [],
    evidence: { paymentIntentIds: [], smsEventIds: [], matchIds: [], webhooks: [], shopRequests: [] },
    ...over,
  };
}

function aSuite(...runs: TestRun[]): TestSuite {
  const ended = { endedAt: '2026-11-23T05:00:02.000Z', createdAt: '2026-11-23T05:00:00.000Z' };
  return { id: 'suite', environment: 'SANDBOX', status: 'ENDED', result: 'PASSED', ...ended, runs };
}

describe('JUnit XML', () => {
  it('counts results and names the expectations that were not met', () => {
    const failed = { text: 'The intent is PAID.', result: 'FAILED', detail: 'It is <PENDING> & "late".' } as const;

    const xml = junitOf(
      aSuite(
        aRun({}),
        aRun({ testCase: 'wrong-amount', result: 'FAILED', expectations: [failed] }),
        aRun({ testCase: 'cash-out-by-trx-id', result: 'SKIPPED', reason: 'A receiver account is required.' }),
        aRun({ testCase: 'expired', result: 'ERROR', reason: 'no answer' }),
      ),
    );

    expect(xml).toContain('<testsuite name="sandbox" tests="4" failures="1" errors="1" skipped="1" time="1.500">');
    expect(xml).toContain(
      '<failure message="The intent is PAID.">The intent is PAID. It is &lt;PENDING&gt; &amp; &quot;late&quot;.</failure>',
    );
    expect(xml).toContain('<skipped message="A receiver account is required."/>');
    expect(xml).toContain('<error message="no answer"/>');
  });

  it('counts a run that has not ended as an error', () => {
    expect(junitOf(aSuite(aRun({ status: 'RUNNING', result: null, endedAt: null })))).toContain('errors="1"');
  });

  it('replaces characters that XML forbids', () => {
    expect(junitOf(aSuite(aRun({ result: 'ERROR', reason: 'a\u0001b' })))).toContain('message="a\ufffdb"');
  });
});

describe('the result of a run', () => {
  const results = (...each: ('PASSED' | 'FAILED' | 'SKIPPED')[]) => each.map((result) => ({ result }));

  it.each([
    ['FAILED', results('PASSED', 'FAILED', 'SKIPPED')],
    ['PASSED', results('PASSED', 'SKIPPED')],
    ['SKIPPED', results('SKIPPED')],
    ['SKIPPED', results()],
  ])('is %s', (result, expectations) => {
    expect(worstOf(expectations)).toBe(result);
  });
});
