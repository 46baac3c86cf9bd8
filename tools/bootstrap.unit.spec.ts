import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const BOOTSTRAP = pathToFileURL(join(__dirname, 'bootstrap.mjs')).href;

describe('a command that runs a program to its end', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'passes %s to the program, waits for it, and then continues',
    async (signal) => {
      const program = `process.once('${signal}', () => process.exit(7)); process.stdin.resume(); console.error('ready');`;
      const command = `
        import { runToEnd } from ${JSON.stringify(BOOTSTRAP)};
        console.log(await runToEnd(process.execPath, ['-e', ${JSON.stringify(program)}]));
      `;
      const child = spawn(process.execPath, ['--input-type=module', '-e', command]);
      const output = text(child.stdout);
      await once(child.stderr, 'data');

      child.kill(signal);
      await once(child, 'exit');
      // Ends a program that did not get the signal.
      child.stdin.end();

      expect(await output).toBe('7\n');
    },
  );
});
