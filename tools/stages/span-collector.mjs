import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** Receives OTLP over HTTP on loopback and stores each request as a file in `folder`. */
export async function startSpanCollector(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let count = 0;
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    count += 1;
    writeFileSync(join(folder, String(count)), Buffer.concat(chunks), { mode: 0o600 });
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
