import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');
const FOLDER = join(ROOT, 'docs', 'webhooks', 'examples');
const GATEWAY_PORT = '8080';

describe.each(readdirSync(FOLDER))('the example %s', (name) => {
  const text = readFileSync(join(FOLDER, name), 'utf8');

  it('uses another port than the gateway', () => {
    expect(text).toContain('4000');
    expect(text).not.toContain(GATEWAY_PORT);
  });

  it('compares the environment of an event before it fulfils an order', () => {
    const compared = text.search(/(?:environment|ENVIRONMENT|Environment)['"\]]*\)? !==? /);

    expect(compared).toBeGreaterThan(0);
    expect(text.lastIndexOf('fulfil(')).toBeGreaterThan(compared);
  });
});

it.each(['docs/webhooks/README.md', 'libs/signing/README.md', 'docs/webhooks/examples/express.mjs'])(
  '%s installs the library from its archive, never by a package name that an attacker could register',
  (path) => {
    const commands = readFileSync(join(ROOT, path), 'utf8').match(/npm (?:install|i) [^\n`]+/g) ?? [];

    expect(commands.filter((command) => command.includes('@pay/'))).toEqual([]);
  },
);
