/**
 * At the end of every whole-system run: metrics and log lines of the six services are those of docs/telemetry.json,
 * each metric of the catalogue is there, and no other. Usage: telemetry-agrees.js <run directory>
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSystem } from './system';
import { problemsOfLine, problemsOfMetrics, type Telemetry } from './telemetry';

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
  if (problems.size === 0) {
    const metrics = Object.keys(telemetry.metrics).length;
    const all = Object.keys(telemetry.logEvents).length;
    console.log(
      `the telemetry agrees with its catalogue: ${metrics} metrics, ${events.size} of ${all} log events were seen`,
    );
    return 0;
  }
  console.error(`the telemetry does not agree with docs/telemetry.json:\n${[...problems].join('\n')}`);
  return 1;
}

/** Lines that the logger wrote; what Node prints itself, such as warnings, is no JSON. */
function linesOf(file: string): { msg: string; level: string }[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as { msg: string; level: string });
}

void main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
