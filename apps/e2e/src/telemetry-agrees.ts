/**
 * At the end of every whole-system run: metrics, spans and log lines of the six services are those of
 * docs/telemetry.json, and each metric and span of the catalogue is there. What a whole run logs is only a part of all
 * log events: they are recorded in LOG_EVENTS_FOLDER, and compared when the specs of all stages have been run
 * (tools/stages/log-events.mjs). Usage: telemetry-agrees.js <run directory>
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { spansOf } from './otlp-spans';
import { readSystem } from './system';
import { problemsOfLine, problemsOfMetrics, problemsOfSpans, type Telemetry } from './telemetry';

const CATALOGUE = resolve(__dirname, '..', '..', '..', 'docs', 'telemetry.json');

async function main(): Promise<number> {
  const [runDirectory = '.run'] = process.argv.slice(2);
  const telemetry = JSON.parse(readFileSync(CATALOGUE, 'utf8')) as Telemetry;
  const { services } = readSystem(runDirectory);
  const scraped: string[] = [];
  const problems = new Set<string>();
  const events = new Set<string>();
  for (const [service, { privateUrl }] of Object.entries(services)) {
    const response = await fetch(`${privateUrl}/metrics`);
    scraped.push(await response.text());
    for (const line of linesOf(join(runDirectory, 'logs', `${service}.log`))) {
      for (const problem of problemsOfLine(telemetry, line)) problems.add(problem);
      events.add(line.msg);
    }
  }
  for (const problem of problemsOfMetrics(telemetry, scraped)) problems.add(problem);
  const spans = receivedSpans(join(runDirectory, 'spans'));
  for (const problem of problemsOfSpans(telemetry, spans)) problems.add(problem);
  record(events);
  if (problems.size === 0) {
    const metrics = Object.keys(telemetry.metrics).length;
    const all = Object.keys(telemetry.logEvents).length;
    console.log(
      `the telemetry agrees with its catalogue: ${metrics} metrics, ${spans.length} spans, ${events.size} of ${all} log events were seen`,
    );
    return 0;
  }
  console.error(`the telemetry does not agree with docs/telemetry.json:\n${[...problems].join('\n')}`);
  return 1;
}

/** Lines of the logger. Output of Node itself, such as warnings, is not JSON. */
function linesOf(file: string): { msg: string; level: string }[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as { msg: string; level: string });
}

/** Each file is a request of a service to the span collector of the run. */
function receivedSpans(folder: string): ReturnType<typeof spansOf> {
  return readdirSync(folder).flatMap((name) => spansOf(readFileSync(join(folder, name))));
}

/** Same format as tools/jest/log-events.cjs. */
function record(events: ReadonlySet<string>): void {
  const { LOG_EVENTS_FOLDER } = process.env;
  if (LOG_EVENTS_FOLDER === undefined) return;
  const folder = join(LOG_EVENTS_FOLDER, 'tools');
  mkdirSync(folder, { recursive: true });
  for (const event of events) writeFileSync(join(folder, event), '');
}

void main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
