import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { playBrokerLoss } from '../../src/drills/broker-loss';
import { OwnSystem, START_MS } from '../../src/drills/own-system';
import { Report } from '../../src/drills/report';
import { playRestore } from '../../src/drills/restore';

/** The short forms of `npm run drill`, on their own system. */
describe('a separate system, under load', () => {
  const folder = mkdtempSync(join(tmpdir(), 'drill-'));
  let system: OwnSystem;

  beforeAll(async () => {
    system = await OwnSystem.start(folder);
  }, START_MS);

  afterAll(async () => {
    await system.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  async function problemsOf(play: typeof playRestore): Promise<string[]> {
    const lines: string[] = [];
    const report = new Report((line) => lines.push(line));
    await play(system, { report, payments: 10, isShort: true }).catch((error: unknown) => {
      throw new Error(lines.join('\n'), { cause: error });
    });
    return report.problems;
  }

  test('loses and doubles no payment when RabbitMQ loses everything that it stores', async () => {
    expect(await problemsOf(playBrokerLoss)).toEqual([]);
  }, 240_000);

  test('loses nothing that was accepted before the point in time to which all databases are restored', async () => {
    expect(await problemsOf(playRestore)).toEqual([]);
  }, 300_000);
});
