import { brokerCli } from '@pay/messaging';

/** Command for operators. Without arguments it prints its usage. */
brokerCli(process.argv.slice(2), process.env, (text) => process.stdout.write(text)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
