/**
 * Measures the texts per second that one core parses, without HTTP and storage, for the benchmark. `node
 * measure-parsing.js <seconds>` reads `[{sender, message, receivedAt}]` and prints `{"textsPerSecond": n, "parsed":
 * share}`.
 */
import { readFileSync } from 'node:fs';
import { parseSms, type SenderIds, type SmsToParse } from '../domain/parse-sms';

const SENDER_IDS: SenderIds = { BKASH: ['bKash'], NAGAD: ['NAGAD'], ROCKET: ['16216'], UPAY: ['upay', '16268'] };
/** Number of texts between two readings of the clock. */
const STRIDE = 1_000;

function measure(texts: readonly SmsToParse[], seconds: number): { textsPerSecond: number; parsed: number } {
  let [read, parsed] = [0, 0];
  const begun = performance.now();
  while (performance.now() - begun < seconds * 1_000) {
    for (let step = 0; step < STRIDE; step += 1) {
      const text = texts[(read + step) % texts.length];
      if (text !== undefined && parseSms(text, SENDER_IDS).status === 'PARSED') parsed += 1;
    }
    read += STRIDE;
  }
  return { textsPerSecond: (read * 1_000) / (performance.now() - begun), parsed: parsed / read };
}

const given = JSON.parse(readFileSync(0, 'utf8')) as (Omit<SmsToParse, 'receivedAt'> & { receivedAt: string })[];
const texts = given.map((text) => ({ ...text, receivedAt: new Date(text.receivedAt) }));
const seconds = Number(process.argv[2] ?? 3);
measure(texts, seconds / 4);
process.stdout.write(`${JSON.stringify(measure(texts, seconds))}\n`);
