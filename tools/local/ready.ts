/** Probe for containers without a shell. Exit code 0 if /readyz on PRIVATE_PORT returns 200. */
const url = `http://127.0.0.1:${process.env['PRIVATE_PORT'] ?? ''}/readyz`;

fetch(url, { signal: AbortSignal.timeout(3_000) }).then(
  async (response) => {
    process.stdout.write(`${await response.text()}\n`);
    process.exitCode = response.ok ? 0 : 1;
  },
  (error: unknown) => {
    process.stderr.write(`${url} does not answer: ${String(error)}\n`);
    process.exitCode = 1;
  },
);
