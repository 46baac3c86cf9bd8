import { brokerCli } from '@pay/messaging';

/** For operators: `node tools/broker.mjs definitions passwords`, and more; without arguments it lists them. */
brokerCli(process.argv.slice(2), process.env, (text) => process.stdout.write(text)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
