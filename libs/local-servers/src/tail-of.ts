import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const TAIL_BYTES = 4_000;

/** Empty if the file does not exist. */
export function tailOf(path: string, lines = 12): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const size = fstatSync(file).size;
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } finally {
    closeSync(file);
  }
}
