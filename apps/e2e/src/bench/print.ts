import type { BesideFloor } from './beside-floor';
import type { LatencyFigures } from './scenarios';

/** Shows the rate as a part of its floor. */
export function floorRow(name: string, { perSecond, floorPerSecond }: BesideFloor): void {
  row(
    name,
    perSecond,
    `/s (${(perSecond / floorPerSecond).toFixed(2)} of the floor beside it, ${floorPerSecond.toFixed(0)}/s)`,
  );
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function row(name: string, value: number, unit: string): void {
  print(`  ${name.padEnd(34)}${value.toFixed(0).padStart(8)} ${unit}`);
}

export function latencyRow(name: string, { p50, p95, p99, max, late }: LatencyFigures): void {
  print(
    `  ${name.padEnd(34)} p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, max ${max} ms${late ? `, ${late} late` : ''}`,
  );
}
