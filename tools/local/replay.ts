import { replayCli } from '@pay/messaging';

/**
 * For operators: `node tools/replay.mjs request sms-ingest --since=2026-11-22T10:00:00Z --wait`, `node tools/replay.mjs
 * status`.
 */
replayCli(process.argv.slice(2), process.env, (text) => process.stdout.write(text)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
