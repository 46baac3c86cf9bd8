import { execFileSync } from 'node:child_process';
import { readSystem } from '../src/system';

describe('the Node that services run on', () => {
  const system = readSystem(process.env['E2E_RUN_DIRECTORY'] ?? '.run');
  const node = process.env['SERVICE_NODE'] ?? process.execPath;

  it.each(Object.entries(system.services))('is that of their images: %s', async (_, { privateUrl }) => {
    const metrics = await (await fetch(`${privateUrl}/metrics`)).text();
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    expect(metrics).toContain(`nodejs_version_info{version="${version}"`);
  });
});
