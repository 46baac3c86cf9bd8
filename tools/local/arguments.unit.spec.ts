import { join } from 'node:path';
import { parseStartArguments, ROOT } from './arguments';

describe('the options of npm start', () => {
  it('default to port 8080, a payment and .run of the checkout, whatever the current folder', () => {
    expect(parseStartArguments([], '/elsewhere')).toEqual({
      port: 8080,
      demo: true,
      runDir: join(ROOT, '.run'),
      help: false,
    });
  });

  it('are read from the command line; a folder is relative to the current one', () => {
    expect(parseStartArguments(['--port', '9000', '--no-demo', '--run-dir', 'mine'], '/elsewhere')).toEqual({
      port: 9000,
      demo: false,
      runDir: '/elsewhere/mine',
      help: false,
    });
  });

  it.each(['0', '65536', '80.5', 'http', ''])('refuse the port %j', (port) => {
    expect(() => parseStartArguments(['--port', port])).toThrow('--port must be a whole number from 1 to 65535');
  });

  it('refuse unknown arguments, and list the known ones', () => {
    expect(() => parseStartArguments(['--prot', '1'])).toThrow(/--prot[\s\S]*--run-dir FOLDER/);
  });
});
