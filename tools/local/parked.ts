import { parkedCli } from '@pay/messaging';

/**
 * For operators: `node tools/parked.mjs list reconciler.events`, `… replay reconciler.events [id ...]`, `… discard
 * reconciler.events <id ...>`.
 */
parkedCli(process.argv.slice(2), process.env, (text) => process.stdout.write(text)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
