import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { telemetryFile, telemetryPage } from './describe-telemetry';
import { LOG_EVENTS } from './log-events';
import { METRICS } from './metrics';

const ROOT = join(__dirname, '..', '..', '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const sources = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'libs', 'apps'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /^(libs|apps)\/[^/]+\/src\/.*\.tsx?$/.test(path))
  .filter((path) => !/\.spec\.|^apps\/e2e\/|^libs\/testing\/|^libs\/runtime\/src\/catalogue\//.test(path))
  .map(read)
  .join('\n');

describe('the catalogue of telemetry', () => {
  it('equals docs/telemetry.md and docs/telemetry.json, which node tools/telemetry.mjs writes', () => {
    expect(read('docs/telemetry.md')).toBe(telemetryPage());
    expect(read('docs/telemetry.json')).toBe(telemetryFile());
  });

  it('has no log event that no source file logs', () => {
    expect(Object.keys(LOG_EVENTS).filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
  });

  it('has no metric that no source file registers', () => {
    const isRegistered = (name: string) =>
      ['counter', 'gauge', 'histogram'].some((kind) => new RegExp(`\\b${kind}\\(\\s*'${name}'`).test(sources));

    expect(Object.keys(METRICS).filter((name) => !isRegistered(name))).toEqual([]);
  });

  it('names metrics by their unit: seconds, totals of counters', () => {
    const wrong = Object.entries(METRICS).filter(
      ([name, { kind, unit }]) =>
        (kind === 'counter') !== name.endsWith('_total') || unit.endsWith('seconds') !== name.endsWith('_seconds'),
    );

    expect(wrong.map(([name]) => name)).toEqual([]);
  });
});
