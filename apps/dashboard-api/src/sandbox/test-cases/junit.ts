import type { TestRun, TestSuite } from '@pay/contracts';

/** JUnit XML with one test case per run. A run that has not ended counts as an error. */
export function junitOf({ id, runs }: TestSuite): string {
  const count = (isOne: (run: TestRun) => boolean) => runs.filter(isOne).length;
  const attributes = {
    name: 'sandbox',
    tests: runs.length,
    failures: count(({ result }) => result === 'FAILED'),
    errors: count(({ result }) => result === 'ERROR' || result === null),
    skipped: count(({ result }) => result === 'SKIPPED'),
    time: runs.reduce((sum, run) => Math.max(sum, secondsOf(run)), 0).toFixed(3),
  };
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="sandbox" id="${id}">`,
    `  <testsuite${written(attributes)}>`,
    ...runs.map((run) => testCaseOf(run)),
    '  </testsuite>',
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

function testCaseOf(run: TestRun): string {
  const { testCase, result, reason, expectations, id } = run;
  const attributes = written({ classname: 'sandbox', name: testCase, time: secondsOf(run).toFixed(3) });
  const failed = expectations.filter(({ result }) => result === 'FAILED');
  const text = failed.map(({ text: expected, detail }) => `${expected} ${detail ?? ''}`.trim()).join('\n');
  const lines = {
    PASSED: [],
    FAILED: [`      <failure${written({ message: failed[0]?.text ?? 'failed' })}>${escaped(text)}</failure>`],
    SKIPPED: [`      <skipped${written({ message: reason ?? 'skipped' })}/>`],
    ERROR: [`      <error${written({ message: reason ?? 'error' })}/>`],
  }[result ?? 'ERROR'];
  return [`    <testcase${attributes}>`, ...lines, `      <system-out>run ${id}</system-out>`, '    </testcase>'].join(
    '\n',
  );
}

function secondsOf({ startedAt, endedAt }: TestRun): number {
  return startedAt === null || endedAt === null ? 0 : (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
}

function written(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Replaces characters that XML 1.0 forbids. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one);
}
